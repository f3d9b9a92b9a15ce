import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import { ReplayBudget } from '../copilot/outgoing.ts';
import type { AnswerFacts, AnswerReader } from '../formats/answer/answer.ts';
import { type ClientCall, readJson, turnFor } from './client-call.ts';
import { ClientStream, collecting, wholeOf } from './client-stream.ts';
import { chat } from './clients/chat.ts';
import type { ClientPlan, PlanInputs, StreamingClient } from './clients/client.ts';
import { messages } from './clients/messages.ts';
import { responses } from './clients/responses.ts';
import type { Cause, ExchangeDependencies } from './dependencies.ts';
import type { Leading, Part } from './feature.ts';
import type { Limits } from './limits/admit.ts';
import { takeTurn } from './limits/queue.ts';
import { OtherCalls } from './other-calls.ts';
import type { AskedHere, OwnAnswer, OwnRequest, ServedHere } from './own-requests.ts';
import type { Run } from './record.ts';
import type { RecoverContext } from './recover/error.ts';
import { recoverContextOf } from './recover/recover.ts';
import type { Sending } from './send.ts';
import { learnedBy, partWith, Steps } from './steps.ts';

/**
 * One request on its way to Copilot and back, whichever API its client speaks: what differs between those is in
 * `clients/`, and each step in steps.ts. `#stream`, `#ask` and `#answer` are the way from top to bottom. Everything
 * before `send` is decided by pure functions elsewhere. No request is ever rejected here: whatever happens is answered,
 * metered and recorded.
 */
export class Exchanger {
  readonly #steps: Steps;
  readonly #others: OtherCalls;

  constructor(dependencies: ExchangeDependencies) {
    this.#steps = new Steps(dependencies);
    this.#others = new OtherCalls(this.#steps);
  }

  running(): Exchange[] {
    return this.#steps.running.rows();
  }

  get limits(): Limits {
    return this.#steps.limits;
  }

  /** What the words for a failure may refer to. */
  recoverContext(client: string): RecoverContext {
    return recoverContextOf(this.#steps.dependencies, this.#steps.dependencies.accounts.of(client), null);
  }

  /** `POST /v1/messages`. */
  readonly messages = (call: ClientCall): Promise<void> => this.#stream(call, messages);

  /** `POST /v1/chat/completions`. */
  readonly chat = (call: ClientCall): Promise<void> => this.#stream(call, chat);

  /** `POST /v1/responses`. */
  readonly responses = (call: ClientCall): Promise<void> => this.#stream(call, responses);

  /** `POST /v1/messages/count_tokens`. */
  readonly countTokens = (call: ClientCall): Promise<void> => this.#others.countTokens(call);

  /** `POST /v1/embeddings`. */
  readonly embeddings = (call: ClientCall): Promise<void> => this.#others.embeddings(call);

  /** `POST /v1/alpha/search`. */
  readonly alphaSearch = (call: ClientCall): Promise<void> => this.#others.alphaSearch(call);

  /** What Jumpseat itself asks for a client. */
  own(request: OwnRequest): Promise<OwnAnswer> {
    return this.#others.own(request);
  }

  /** A search or a page that Jumpseat itself is asked for. */
  here<Result>(asked: AskedHere, steps: (cause: Cause) => Promise<ServedHere<Result>>): Promise<Result> {
    return this.#others.here(asked, steps);
  }

  async #stream<Body extends { model: string }, Envelope extends object>(
    call: ClientCall,
    client: StreamingClient<Body, Envelope>,
  ): Promise<void> {
    const run = this.#steps.begin(call, client.api);
    const headers = { [client.requestIdHeader]: call.requestId };
    const stream = new ClientStream(call.answer, headers, client.ping, (envelope: Envelope) =>
      client.failureEvents(envelope, run.row),
    );
    let reported: AnswerFacts | null = null;
    try {
      const reply = await this.#ask(run, client, stream);
      reported = reply?.reader.facts ?? null;
      if (reply !== null) await this.#answer(run, client, stream, reply);
    } catch (error) {
      this.#steps.recovery.recover(run, client, error, reported, stream.lastEvents);
    } finally {
      stream.close();
      run.end(stream.pings);
    }
  }

  /**
   * read, initiator, model, path, fit, translate, admit, send. What was asked is held by these steps alone: while the
   * answer runs, its memory is for others. Null if a feature has answered it.
   */
  async #ask<Body extends { model: string }, Envelope extends object>(
    run: Run,
    client: StreamingClient<Body, Envelope>,
    stream: ClientStream<Envelope>,
  ): Promise<Reply | null> {
    const { call, row } = run;
    const settings = this.#steps.dependencies.settings.current();
    const asked = client.read(await readJson(call.body));
    run.asked(asked.model);
    if (settings.models.rules.length > 0) await this.#steps.ruled.follow(run, asked);
    const verdict = this.#steps.decide(run, asked);
    this.#steps.refuseRepeat(run);
    const { request: whole, note } = client.shorten?.(asked, settings) ?? { request: asked, note: null };
    if (note !== null) row.fits.push(note);
    const request = run.rule === null ? whole : this.#steps.ruled.shaped(run, whole);
    const streamed = client.isStreamed(request, settings);
    row.streamed = streamed;
    const turn = client.takesTurns ? takeTurn(this.#steps.turns, run) : null;
    if (streamed) stream.open();
    if (turn !== null) run.atEnd(await turn);
    const here = partWith(run.parts, 'here');
    if (here !== undefined) {
      await this.#answerHere(run, client, stream, here);
      return null;
    }
    const chosen = await this.#steps.chooseModel(run, request.model);
    await turnFor(call.body);
    const changed = await this.#steps.changed(run, request, chosen.model);
    await turnFor(call.body);
    const inputs: PlanInputs = {
      streamed,
      id: row.id,
      now: this.#steps.dependencies.clock.now(),
      headers: call.headers,
      bytes: call.body,
      read: asked,
      offered: chosen.offered,
      search: partWith(run.parts, 'request')?.request ?? null,
      whySearchIsOff: () => this.#steps.dependencies.search.whyOff(),
      learned: learnedBy(run),
    };
    // An answer of the second model bears its name, so that the client shows it.
    const named = run.fellBack ? { ...changed.request, model: chosen.model.id } : changed.request;
    const first = client.plan(named, chosen.model, inputs);
    await turnFor(call.body);
    let changedForSecond = changed;
    // From the request as it was: the second model may accept more, or less.
    const planOn = async (model: CatalogModel): Promise<ClientPlan<Envelope>> => {
      changedForSecond = await this.#steps.changed(run, request, model);
      return client.plan({ ...changedForSecond.request, model: model.id }, model, inputs);
    };
    stream.lastEvents = first.failureEvents ?? stream.lastEvents;
    row.path = first.path;
    await this.#steps.limits.admit(run, verdict.initiator);
    const before = row.fits;
    row.fits = [...before, ...changed.notes, ...first.notes];
    run.leavesRoom(first.room ?? null);
    const sending = {
      sender: verdict,
      ids: this.#steps.interactions.idsFor(run.reading, verdict),
      budget: new ReplayBudget(),
    };
    const outcome = await this.#steps.sendRecovering(run, first, chosen.model, sending);
    const second = run.rule === null ? null : await this.#steps.ruled.fallBack(run, outcome, sending, planOn);
    const { plan, sent, notes } = second ?? outcome;
    stream.lastEvents = plan.failureEvents ?? stream.lastEvents;
    const changes = second !== null && run.fellBack ? changedForSecond.notes : changed.notes;
    row.fits = [...before, ...changes, ...plan.notes, ...notes];
    run.leavesRoom(plan.room ?? null);
    const response = this.#steps.delivered(run, sent);
    const { reader, leading = null } = plan;
    run.facts = leading?.facts ?? reader.facts;
    // Nothing may be sent again from here on.
    run.reading?.letGo();
    call.letGo();
    return { response, reader, leading, sending };
  }

  /** answer: from here on Copilot decides. */
  async #answer<Envelope extends object>(
    run: Run,
    client: Pick<StreamingClient<never, Envelope>, 'requestIdHeader' | 'collector'>,
    stream: ClientStream<Envelope>,
    { response, reader, leading, sending }: Reply,
  ): Promise<void> {
    const collector = run.row.streamed ? null : client.collector();
    const target = collector === null ? stream : collecting(collector);
    const { cause } = await (leading === null
      ? this.#steps.relay(run, response, reader, target)
      : leading.lead(response, {
          ...{ joined: run, reader, target },
          relay: (upstream, round, to) => this.#steps.relay(run, upstream, round, to),
          further: (plan, said, round, to) =>
            this.#others.further(run, sending, { plan, said, reader: round, target: to }),
        }));
    this.#steps.whole(run, reader, cause);
    if (collector === null) this.#steps.ended(run);
    else this.#steps.answerJson(run, client, wholeOf(collector));
  }

  /** A feature answers it without Copilot. */
  async #answerHere<Envelope extends object>(
    run: Run,
    client: Pick<StreamingClient<never, Envelope>, 'requestIdHeader' | 'collector'>,
    stream: ClientStream<Envelope>,
    part: Part,
  ): Promise<void> {
    const collector = run.row.streamed ? null : client.collector();
    await part.here?.(run, collector === null ? stream : collecting(collector));
    if (collector === null) this.#steps.ended(run);
    else this.#steps.answerJson(run, client, collector.answer() ?? {});
  }
}

/** The response headers of a good answer are there: who reads it. */
interface Reply {
  response: IncomingMessage;
  reader: AnswerReader;
  leading: Leading | null;
  sending: Sending;
}
