import type { IncomingMessage } from 'node:http';
import type { ClientApi, Exchange } from '../api/exchange.ts';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { type AnswerTarget, ClientStream, type Collector, collecting, type RelayEnd, wholeOf } from './answer.ts';
import type { ClientCall } from './client-call.ts';
import { chat } from './clients/chat.ts';
import type { StreamingClient } from './clients/client.ts';
import { answerCount } from './clients/count-tokens.ts';
import { answerEmbeddings } from './clients/embeddings.ts';
import { anthropicWords, messages } from './clients/messages.ts';
import { openaiErrorWords } from './clients/openai.ts';
import { responses } from './clients/responses.ts';
import type { ExchangeDependencies } from './dependencies.ts';
import { autoFeature } from './features/auto.ts';
import { Lessons } from './features/lessons/lessons.ts';
import { sendRecovering } from './features/lessons/send-recovering.ts';
import {
  type AskedHere,
  askForOurselves,
  type OwnAnswer,
  type OwnRequest,
  type ServedHere,
  serveHere,
} from './features/own-requests.ts';
import { webFetch } from './features/web-fetch.ts';
import { alphaVerdict, answerAlphaSearch, readAlphaSearch, searchIsOff, WebRuns } from './features/web-search/codex.ts';
import { PausedTurns } from './features/web-search/paused-turns.ts';
import type { Cause } from './features/web-search/port.ts';
import { relayFurther, relayWithSearches, type SearchRounds } from './features/web-search/rounds.ts';
import type { Searching } from './features/web-search/searching.ts';
import { answerSideSearch, SearchPrompts, type SideSearch } from './features/web-search/side-search.ts';
import { ClientTurns, takeTurn } from './limits/queue.ts';
import type { Run } from './record.ts';
import { type ErrorWords, type RecoverContext, Stopped } from './recover/error.ts';
import { recoverContextOf } from './recover/recover.ts';
import { type Out, Runs, serve } from './running.ts';
import type { InteractionIds } from './send.ts';
import { TokenCounter } from './tokens/count.ts';

/**
 * One request on its way to Copilot and back, whichever API its client speaks: what differs between those is in
 * `clients/`. The methods stand in the order in which a request meets them. Everything before `send` is decided by pure
 * functions elsewhere; only this file waits. No request is ever rejected here: whatever happens is answered, metered
 * and recorded.
 */
export class Exchanger {
  readonly #dependencies: ExchangeDependencies;
  readonly #runs: Runs;
  readonly #counter: TokenCounter;
  readonly #turns: ClientTurns;
  readonly #lessons: Lessons;
  readonly #pausedTurns = new PausedTurns();
  /** Searches that Codex makes for models. */
  readonly #webRuns: WebRuns;
  /** Prompts that Claude Code's searches belong to. */
  readonly #searchPrompts: SearchPrompts;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    const { settings, clock } = dependencies;
    const underWay = () => this.#runs.underWay();
    this.#lessons = new Lessons(dependencies.lessons);
    this.#webRuns = new WebRuns(underWay, clock);
    this.#searchPrompts = new SearchPrompts(underWay);
    const auto = autoFeature(() => settings.current().modelOverrides);
    const features = [this.#pausedTurns, auto, webFetch, this.#webRuns, this.#searchPrompts];
    this.#runs = new Runs(dependencies, features);
    this.#counter = new TokenCounter((model) => this.#lessons.about(model, '/v1/messages'));
    this.#turns = new ClientTurns(() => settings.current().openai.atOnce);
    settings.onChange(() => this.#turns.widened());
  }

  running(): Exchange[] {
    return this.#runs.rows();
  }

  /** Lets a prompt through that a burst holds, or all of them. Returns how many. */
  letThrough(id?: string): number {
    return this.#runs.letThrough(id);
  }

  /** What the words for a failure may refer to. */
  recoverContext(client: string): RecoverContext {
    return recoverContextOf(this.#dependencies, this.#dependencies.accountOf(client), null);
  }

  /** `POST /v1/messages`. */
  messages(call: ClientCall): Promise<void> {
    return this.#stream(call, messages);
  }

  /** `POST /v1/chat/completions`. */
  chat(call: ClientCall): Promise<void> {
    return this.#stream(call, chat);
  }

  /** `POST /v1/responses`. */
  responses(call: ClientCall): Promise<void> {
    return this.#stream(call, responses);
  }

  /** `POST /v1/messages/count_tokens`: Copilot's own count, or an estimate that is called one. */
  countTokens(call: ClientCall): Promise<void> {
    const { search, history } = this.#dependencies;
    const counting = { counter: this.#counter, search, history };
    return this.#serve(call, 'count-tokens', anthropicWords, (run) => answerCount(run, counting));
  }

  /**
   * `POST /v1/embeddings`: in as many requests as Copilot's limit makes of it, one after the other. No person prompts
   * here, so there is no initiator.
   */
  embeddings(call: ClientCall): Promise<void> {
    return this.#serve(call, 'embeddings', openaiErrorWords, (run, out) =>
      answerEmbeddings(run, out, { turns: this.#turns }),
    );
  }

  /** `POST /v1/alpha/search`: Codex's own search tool. No model is asked. */
  alphaSearch(call: ClientCall): Promise<void> {
    return this.#serve(call, 'responses', openaiErrorWords, (run) => this.#alphaSearch(run));
  }

  /** What Jumpseat itself asks for a client. */
  own(request: OwnRequest): Promise<OwnAnswer> {
    return askForOurselves(this.#runs, this.#dependencies.clock, request);
  }

  /** A search or a page that Jumpseat itself is asked for. */
  here<Result>(asked: AskedHere, steps: (cause: Cause) => Promise<ServedHere<Result>>): Promise<Result> {
    return serveHere({ runs: this.#runs, clock: this.#dependencies.clock }, asked, steps);
  }

  #serve<Envelope extends object>(
    call: ClientCall,
    api: ClientApi,
    words: ErrorWords<Envelope>,
    steps: (run: Run, out: Out<Envelope>) => Promise<void>,
  ): Promise<void> {
    return serve({ runs: this.#runs, call, api }, words, steps);
  }

  #stream<Body extends { model: string }, Envelope extends object>(
    call: ClientCall,
    client: StreamingClient<Body, Envelope>,
  ): Promise<void> {
    return this.#serve(call, client.api, client, async (run, out) => {
      // Made here: a function made in `#ask` would hold what was asked for as long as the answer runs.
      out.failureEvents = (envelope) => client.failureEvents(envelope, run.row);
      const asked = await this.#ask(run, client, out);
      if ('side' in asked) {
        await this.#search(run, client, asked);
        return;
      }
      run.letGo();
      await this.#answer(run, client, asked);
    });
  }

  /**
   * read, initiator, model, path, fit, translate, admit, send. What was asked is held by these steps alone: while the
   * answer runs, its memory is for others.
   */
  async #ask<Body extends { model: string }, Envelope extends object>(
    run: Run,
    client: StreamingClient<Body, Envelope>,
    out: Out<Envelope>,
  ): Promise<Answering | OneSearch> {
    const { call, row } = run;
    const settings = this.#dependencies.settings.current();
    const asked = client.read(await run.json());
    run.asked(asked.model);
    const verdict = run.decide(asked);
    run.refuseRepeat();
    const { request, note } = client.shorten?.(asked, settings) ?? { request: asked, note: null };
    if (note !== null) row.fits.push(note);
    const streamed = client.isStreamed(request, settings);
    row.streamed = streamed;
    const turn = client.takesTurns ? takeTurn(this.#turns, run) : null;
    if (streamed) out.stream = new ClientStream(call.answer, { [client.requestIdHeader]: call.requestId }, client.ping);
    if (turn !== null) out.release = await turn;
    const search = this.#dependencies.search.isOn();
    const alone = search ? (client.searchAlone?.(request) ?? null) : null;
    if (alone !== null) {
      row.prompt ??= this.#searchPrompts.of(row.session);
      return { side: alone.side, to: out.stream ?? alone.collector };
    }
    const model = await run.chooseModel(request.model);
    // What Copilot refused from us says nothing of VS Code's requests, nor the other way round.
    const isDirect = run.used.reach === 'directly';
    const first = client.plan(request, model, {
      streamed,
      id: row.id,
      now: this.#dependencies.clock.now(),
      headers: call.headers,
      bytes: call.body,
      offered: run.offered,
      search,
      learned: (about, path, lessons) => (isDirect ? this.#lessons.about(about, path, lessons) : null),
    });
    out.failureEvents = first.failureEvents ?? out.failureEvents;
    row.path = first.path;
    await run.admit(verdict.initiator);
    const chosen = row.fits;
    row.fits = [...chosen, ...first.notes];
    const ids = run.idsFor(verdict);
    const { plan, sent, notes } = await sendRecovering(first, {
      row,
      budget: run.budget,
      send: (each) => run.send(each, verdict, ids),
      read: (isDirect && first.recover?.read) || (() => null),
      refit: (lessons) => {
        this.#dependencies.log.write('info', 'exchange.recovers', { exchange: row.id, from: lessons.at(-1)?.kind });
        return first.recover?.refit(lessons) ?? null;
      },
      confirmed: (lessons) => this.#lessons.learn(model, first.path, lessons),
    });
    out.failureEvents = plan.failureEvents ?? out.failureEvents;
    row.fits = [...chosen, ...plan.notes, ...notes];
    const response = run.delivered(sent);
    const { reader, searching = null } = plan;
    run.facts = searching?.answer.round ?? reader.facts;
    run.told = reader.facts;
    return { response, reader, to: out.stream ?? plan.collector(), searching, ids };
  }

  /** A request that is one search of the web: answered here, without Copilot. */
  async #search(run: Run, words: ErrorWords<object>, { side, to }: OneSearch): Promise<void> {
    const { row, call } = run;
    await answerSideSearch(run, side, this.#dependencies.search, targetOf(to));
    row.status = 200;
    if (to instanceof ClientStream) call.answer.end();
    else run.answerJson(words, to.answer() ?? {});
  }

  /** answer: from here on Copilot decides. */
  async #answer(run: Run, words: ErrorWords<object>, answering: Answering): Promise<void> {
    const { call, row } = run;
    const { reader, to } = answering;
    const { cause } = await this.#relay(run, answering, targetOf(to));
    run.whole(reader, cause);
    if (to instanceof ClientStream) {
      row.status = 200;
      call.answer.end();
      return;
    }
    run.answerJson(words, wholeOf(to));
  }

  /** On the model's way, its searches are made. */
  #relay(run: Run, { response, reader, searching, ids }: Answering, target: AnswerTarget): Promise<RelayEnd> {
    if (searching === null) return run.relay(response, reader, target);
    const { search, clock } = this.#dependencies;
    const from = { runs: this.#runs, clock, first: run, ids };
    const further: SearchRounds['further'] = (plan, each, to) => relayFurther(from, plan, each, to);
    const paused: SearchRounds['paused'] = (id) => this.#pausedTurns.paused(run.row, id);
    return relayWithSearches(response, { run, searching, reader, target, search, further, paused });
  }

  async #alphaSearch(run: Run): Promise<void> {
    const { search } = this.#dependencies;
    const asked = readAlphaSearch(await run.json());
    if (asked.model !== null) run.asked(asked.model);
    run.decideFor({ session: null, prompt: null }, alphaVerdict(this.#webRuns.take(run.row.client)));
    if (!search.isOn()) throw new Stopped(searchIsOff());
    const output = await answerAlphaSearch(run, asked, search);
    run.facts.ended = true;
    run.answerJson(openaiErrorWords, { output });
  }
}

/** Who gets the events of an answer: the client’s stream, or who puts them together for one that wants one piece. */
type Receiver = ClientStream | Collector;

function targetOf(to: Receiver): AnswerTarget {
  return to instanceof ClientStream ? to : collecting(to);
}

/** The response headers of a good answer are there: who reads it, and who gets it. */
interface Answering {
  response: IncomingMessage;
  reader: AnswerReader;
  to: Receiver;
  /** Null: no search is made here. */
  searching: Searching | null;
  ids: InteractionIds;
}

/** A search engine is asked and no model: what for, and who gets the answer. */
interface OneSearch {
  side: SideSearch;
  to: Receiver;
}
