import type { IncomingMessage } from 'node:http';
import { firstAccount } from '../account/accounts.ts';
import { unlessAborted } from '../account/unless-aborted.ts';
import type { ClientApi, Exchange, FitNote, Initiator } from '../api/exchange.ts';
import type { ChatPath } from '../copilot/catalog.ts';
import type { Sent } from '../copilot/client.ts';
import { type CopilotFailure, isUnanswered } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model.ts';
import { ReplayBudget, type Witness } from '../copilot/outgoing.ts';
import type { AnswerFacts, AnswerReader } from '../formats/answer/answer.ts';
import { ResponsesCollector, ResponsesRelay } from '../formats/responses/relay.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import { type AnswerTarget, ClientStream, collecting, type RelayEnd, relay, wholeOf } from './answer.ts';
import { answerFailure, answerJson, type ClientCall, ClientLeft, readJson, ServerStopping } from './client-call.ts';
import { chat } from './clients/chat.ts';
import type { StreamingClient } from './clients/client.ts';
import {
  type EmbeddingsRequest,
  embeddingsBatches,
  joinEmbeddings,
  meterEmbeddings,
  nobody,
  readEmbeddings,
  readEmbeddingsAnswer,
} from './clients/embeddings.ts';
import { anthropicWords, messages } from './clients/messages.ts';
import { openaiErrorWords } from './clients/openai.ts';
import { responses } from './clients/responses.ts';
import type { ExchangeDependencies } from './dependencies.ts';
import type { Again, ChosenModel, Leading, Part, Replannable } from './feature.ts';
import { Features } from './features/features.ts';
import { safeguardsRefused } from './fits/fields.ts';
import type { Learned } from './fits/fit.ts';
import type { LedgerEnding } from './initiator/claims.ts';
import { decideInitiator } from './initiator/decide.ts';
import { AccountSalts, PromptMemory } from './initiator/memory.ts';
import { type PromptReading, readPrompt } from './initiator/reading.ts';
import { agent, asYours, type Said, type Verdict } from './initiator/verdict.ts';
import { Kept } from './kept.ts';
import { admit, Guards } from './limits/limits.ts';
import { Bursts, ClientTurns, takeTurn } from './limits/queue.ts';
import { meansNone } from './model/absence.ts';
import { type ModelOptions, resolveModel, usableModels } from './model/resolve.ts';
import {
  type AskedHere,
  type Cause,
  causeOf,
  furtherVerdict,
  type OwnAnswer,
  type OwnRequest,
  ownCall,
  ownIds,
  ownPlan,
  ownVerdict,
  type ServedHere,
} from './own-requests.ts';
import type { Plan } from './plan.ts';
import { type Chosen, Run } from './record.ts';
import { recoverBrokenAnswer } from './recover/broken-answer.ts';
import {
  type ClientError,
  type ErrorWords,
  kindOf,
  type RecoverContext,
  refuseRepeat,
  Stopped,
} from './recover/error.ts';
import { clientErrorOf, recoverContextOf, recoverFailure } from './recover/recover.ts';
import { Running } from './running.ts';
import { type InteractionIds, Interactions, idsOfItsOwn, outgoing, type Sendable, type Sender } from './send.ts';
import { TokenCounter } from './tokens/count.ts';

const mostUnanswered = 100;
const nothing = Buffer.alloc(0);

/**
 * One request on its way to Copilot and back, whichever API its client speaks: what differs between those is in
 * `clients/`. `#stream` is that way from top to bottom; the steps stand below it in the order in which a request meets
 * them. Everything before `send` is decided by pure functions elsewhere; only this file waits. No request is ever
 * rejected here: whatever happens is answered, metered and recorded.
 */
export class Exchanger {
  readonly #dependencies: ExchangeDependencies;
  readonly #running: Running;
  readonly #features: Features;
  readonly #counter = new TokenCounter();
  readonly #turns: ClientTurns;
  readonly #interactions = new Interactions();
  readonly #memory: PromptMemory;
  readonly #salts: AccountSalts;
  readonly #guards: Guards;
  readonly #bursts: Bursts;
  /** Requests that Copilot left unanswered. In this process alone. */
  readonly #unanswered = new Kept<true>(mostUnanswered);

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    const { settings, clock, history, ledger } = dependencies;
    const limits = () => settings.current().limits;
    this.#running = new Running(dependencies.progressed);
    const underWay = () => this.#running.runs();
    this.#features = new Features(dependencies, underWay);
    this.#memory = new PromptMemory(ledger, underWay);
    this.#salts = new AccountSalts(() => ledger.salt, firstAccount);
    this.#guards = new Guards({ history, clock, limits });
    this.#bursts = new Bursts({ clock, limits });
    this.#turns = new ClientTurns(() => settings.current().openai.atOnce);
    settings.onChange(() => {
      this.#turns.widened();
      // Who turns it off waits for nothing any more.
      if (!limits().askBeforeBurst) this.#bursts.letThrough();
    });
  }

  running(): Exchange[] {
    return this.#running.rows();
  }

  /** Lets a prompt through that a burst holds, or all of them. Returns how many. */
  letThrough(id?: string): number {
    return this.#bursts.letThrough(id);
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

  async #stream<Body extends { model: string }, Envelope extends object>(
    call: ClientCall,
    client: StreamingClient<Body, Envelope>,
  ): Promise<void> {
    const run = this.#begin(call, client.api);
    const headers = { [client.requestIdHeader]: call.requestId };
    const stream = new ClientStream(call.answer, headers, client.ping, (envelope: Envelope) =>
      client.failureEvents(envelope, run.row),
    );
    let told: AnswerFacts | null = null;
    try {
      const reply = await this.#ask(run, client, stream);
      told = reply?.reader.facts ?? null;
      if (reply !== null) await this.#answer(run, client, stream, reply);
    } catch (error) {
      this.#recover(run, client, error, told, stream.lastEvents);
    } finally {
      stream.close();
      run.end(stream.pings);
    }
  }

  /**
   * read, initiator, model, path, fit, translate, admit, send. What was asked is held by these steps alone: while the
   * answer runs, its memory is for others. Null: a feature has answered it.
   */
  async #ask<Body extends { model: string }, Envelope extends object>(
    run: Run,
    client: StreamingClient<Body, Envelope>,
    stream: ClientStream<Envelope>,
  ): Promise<Reply | null> {
    const { call, row } = run;
    const settings = this.#dependencies.settings.current();
    const asked = client.read(await readJson(call.body));
    run.asked(asked.model);
    const verdict = this.#decide(run, asked);
    this.#refuseRepeat(run);
    const { request, note } = client.shorten?.(asked, settings) ?? { request: asked, note: null };
    if (note !== null) row.fits.push(note);
    const streamed = client.isStreamed(request, settings);
    row.streamed = streamed;
    const turn = client.takesTurns ? takeTurn(this.#turns, run) : null;
    if (streamed) stream.open();
    if (turn !== null) run.atEnd(await turn);
    const here = run.parts.find((part) => part.here !== undefined);
    if (here !== undefined) {
      await this.#answerHere(run, client, stream, here);
      return null;
    }
    const chosen = await this.#chooseModel(run, request.model);
    const first = client.plan(request, chosen.model, {
      streamed,
      id: row.id,
      now: this.#dependencies.clock.now(),
      headers: call.headers,
      bytes: call.body,
      offered: chosen.offered,
      search: run.parts.find((part) => part.request !== undefined)?.request ?? null,
      learned: (model, path) => learnedBy(run, model, path),
    });
    stream.lastEvents = first.failureEvents ?? stream.lastEvents;
    row.path = first.path;
    await this.#admit(run, verdict.initiator);
    const before = row.fits;
    row.fits = [...before, ...first.notes];
    const sending = { sender: verdict, ids: this.#idsFor(run, verdict), budget: new ReplayBudget() };
    const { plan, sent, notes } = await this.#sendRecovering(run, first, chosen.model, sending);
    stream.lastEvents = plan.failureEvents ?? stream.lastEvents;
    row.fits = [...before, ...plan.notes, ...notes];
    const response = this.#delivered(run, sent);
    const { reader, leading = null } = plan;
    run.answers(leading?.facts ?? reader.facts);
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
      ? this.#relay(run, response, reader, target)
      : leading.lead(response, {
          ...{ joined: run, reader, target },
          relay: (upstream, round, to) => this.#relay(run, upstream, round, to),
          further: (plan, said, round, to) => this.#further(run, sending, { plan, said, reader: round, target: to }),
        }));
    this.#whole(run, reader, cause);
    if (collector === null) this.#ended(run);
    else this.#answerJson(run, client, wholeOf(collector));
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
    if (collector === null) this.#ended(run);
    else this.#answerJson(run, client, collector.answer() ?? {});
  }

  #begin(call: ClientCall, api: ClientApi): Run {
    const { clock, history, recorder, changed, accountOf } = this.#dependencies;
    const run = new Run(
      {
        ...{ clock, history, recorder, changed },
        moved: () => this.#running.moved(),
        accepted: () => this.#accepted(run),
        ended: () => this.#closed(run),
      },
      call,
      api,
      accountOf(call.client),
    );
    this.#running.add(run);
    return run;
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  #decide(run: Run, request: unknown): Verdict {
    const { row, used, call } = run;
    const salt = this.#salts.of(used.id);
    const reading = readPrompt({ api: row.api, headers: call.headers, body: request, salt });
    const parts = this.#features.join({ row, request, reading, used });
    const continues = parts.find((part) => part.continues)?.continues ?? null;
    const decided = continues === null ? decideInitiator(reading, this.#memory) : agent(reading, continues);
    this.#memory.seen(reading);
    run.shaped(request);
    for (const { note } of parts) if (note !== undefined) row.fits.push(note);
    return this.#decided(run, decided, reading, parts);
  }

  #decided(run: Run, decided: Verdict, reading: PromptReading | null = null, parts: readonly Part[] = []): Verdict {
    const { alwaysUser } = this.#dependencies.settings.current();
    const verdict = asYours(decided, { reach: run.used.reach, alwaysUser });
    run.decided({ verdict, reading, parts });
    return verdict;
  }

  /** Throws `Stopped` where the client repeats by itself what Copilot left unanswered. */
  #refuseRepeat(run: Run): void {
    const attempt = this.#unanswered.isEmpty ? null : attemptOf(run);
    if (attempt !== null && this.#unanswered.has(attempt)) throw new Stopped(refuseRepeat());
  }

  /** model: what does the name mean in this account's catalog? */
  async #chooseModel(run: Run, asked: string): Promise<Chosen> {
    const { row, used, call, parts } = run;
    const { catalog } = used;
    const models = catalog.fresh() ?? (await unlessAborted(catalog.models(), call.signal));
    const offered = usableModels(models, row.api === 'count-tokens' || row.api === 'web' ? 'messages' : row.api);
    const choosing = parts.find((part) => part.model !== undefined)?.model?.(models);
    const { model, note, auto } = choosing
      ? await unlessAborted(choosing, call.signal)
      : this.#namedModel(run, asked, models, offered);
    const chosen = { model, auto, offered };
    run.chose(chosen);
    if (note !== null) row.fits.push(note);
    return chosen;
  }

  /** Throws `Stopped` where the name means none. */
  #namedModel(
    { row, used, call }: Run,
    asked: string,
    models: readonly CatalogModel[],
    offered: readonly string[],
  ): ChosenModel {
    const options: ModelOptions = {
      overrides: this.#dependencies.settings.current().modelOverrides,
      longContext: String(call.headers['anthropic-beta'] ?? '').includes('context-1m-'),
      type: row.api === 'embeddings' ? 'embeddings' : 'chat',
    };
    const choice = resolveModel(asked, models, options);
    if (!choice.ok) throw meansNone(asked, choice, models, options, { offered, used });
    const { model, note, because } = choice;
    // That a name is spelled another way is said by the fit that sends it; why another model was taken is said here.
    const isSaid = note !== null && because !== 'same';
    return { model, auto: null, note: isSaid ? { code: `model-${because}`, count: 1, text: note } : null };
  }

  /**
   * admit: once for each request, before it is sent, the limits that the person has set. Throws `Stopped` where one
   * holds it back.
   */
  #admit(run: Run, initiator: Initiator): Promise<void> {
    return admit({ guards: this.#guards, bursts: this.#bursts }, run, initiator, this.#dependencies.changed);
  }

  /** What Copilot is told it belongs to. */
  #idsFor({ reading }: Run, verdict: Verdict): InteractionIds {
    return reading === null ? idsOfItsOwn() : this.#interactions.idsFor(reading, verdict);
  }

  /** send: to Copilot, unless one of its limits still holds. */
  async #send(run: Run, plan: Sendable, { sender, ids, budget }: Sending): Promise<Sent> {
    const { recording, row, call, chosen } = run;
    const { history } = this.#dependencies;
    const witness: Witness = {
      sends: (headers, body) => {
        history.sends(row);
        recording.sends(plan.path, headers, body, row.api === 'embeddings');
      },
      hears: (headers) => recording.hears(headers),
      refused: (text) => recording.refused(text),
    };
    row.times.sent ??= run.since();
    const { model = null, auto = null } = chosen ?? {};
    const sent = await run.used.client.send(outgoing(plan, sender, ids, { model, auto, call, budget }, witness));
    run.sent(sent);
    if (sent.ok) return sent;
    const attempt = isUnanswered(sent.failure) ? attemptOf(run) : null;
    if (attempt !== null) this.#unanswered.keep(attempt, true);
    for (const part of run.parts) part.refused?.(sent.failure);
    return sent;
  }

  /**
   * Sends a plan. Where Copilot refuses something that could not be foreseen and that the request can do without, it is
   * sent once more, changed by a feature, before a byte of an answer has gone out and while repeats are left.
   */
  async #sendRecovering<P extends Replannable<P>>(
    run: Run,
    first: P,
    model: CatalogModel,
    sending: Sending,
  ): Promise<{ plan: P; sent: Sent; notes: FitNote[] }> {
    const notes: FitNote[] = [];
    let plan = first;
    for (;;) {
      const sent = await this.#send(run, plan, sending);
      if (sent.ok) {
        for (const part of run.parts) part.taken?.(model);
        return { plan, sent, notes };
      }
      const again = againBy(run.parts, sent.failure, plan, model);
      if (again === null || !sending.budget.take()) return { plan, sent, notes };
      notes.push(again.note);
      const last = run.row.attempts.at(-1);
      if (last !== undefined) last.retriedBecause = again.because;
      plan = again.plan;
    }
  }

  /** The headers of a good answer are there. Throws `Stopped` with what came in their place. */
  #delivered(run: Run, sent: Sent): IncomingMessage {
    run.headed();
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.#context(run)));
    return sent.response;
  }

  /** Event by event to the client. Begins in the turn in which it is asked for. */
  #relay(run: Run, upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd> {
    run.recording.follow(upstream);
    return relay(upstream, reader, target, (bytes) => run.moved(reader.facts, bytes));
  }

  #accepted({ reading, verdict, row }: Run): void {
    if (reading !== null && verdict !== null) this.#memory.accept(reading, verdict, row.id);
  }

  /** Throws `Stopped` where the answer broke off, and the signal's reason where that ended it. */
  #whole(run: Run, { facts }: AnswerReader, cause: string | null): void {
    const { signal } = run.call;
    // An answer that came to its end is not taken back because the proxy stops at the same moment.
    const left = signal.reason instanceof ClientLeft;
    if (signal.aborted && (left || !facts.ended)) throw signal.reason;
    if (facts.failure !== null) throw new Stopped(recoverBrokenAnswer(facts.failure, cause, this.#context(run)));
  }

  #ended({ row, call }: Run): void {
    row.status = 200;
    call.answer.end();
  }

  /** One JSON object, which was made here. */
  #answerJson(run: Run, words: Pick<ErrorWords<object>, 'requestIdHeader'>, body: object): void {
    run.row.status = 200;
    run.recording.told(answerJson(run.call, words, 200, body));
  }

  /**
   * recover: a failure, in the words this client understands.
   * @param told of the answer as the client got it; null: there was none yet
   */
  #recover<Envelope extends object>(
    run: Run,
    words: ErrorWords<Envelope>,
    thrown: unknown,
    told: AnswerFacts | null,
    lastEvents: ((envelope: Envelope) => string) | null,
  ): void {
    const { call, row } = run;
    const error = this.#failed(run, thrown, told);
    if (error === null) return;
    const said = words.tell(error, call.requestId);
    row.failure = { ...error.failure, ...kindOf(error), told: said.kept };
    const bytes = answerFailure(call, words, error, said, told?.ended ? null : lastEvents);
    if (bytes === null) {
      row.status ??= 200;
      return;
    }
    row.status = said.status;
    run.recording.told(bytes);
  }

  /** What a step has thrown, in the row. Null: the client has left, and nobody is told. */
  #failed(run: Run, thrown: unknown, told: AnswerFacts | null): ClientError | null {
    const { row, call } = run;
    if (call.signal.aborted && call.signal.reason instanceof ClientLeft) {
      run.left(call.signal.reason);
      return null;
    }
    const { log } = this.#dependencies;
    const wasSent = row.times.sent !== null;
    const error = clientErrorOf(thrown, { id: row.id, wasSent, log, context: () => this.#context(run) });
    const isDeclined = error.failure.code === safeguardsRefused;
    run.failed(error, told?.failure?.kind === 'cut' ? 'cut' : isDeclined ? 'declined' : 'failed');
    return error;
  }

  #context(run: Run): RecoverContext {
    return recoverContextOf(this.#dependencies, run.used, run);
  }

  /** The row is whole: what it says is remembered. */
  #closed(run: Run): void {
    const { row, reading, verdict, facts, accepted } = run;
    for (const part of run.parts) part.end?.(run);
    this.#guards.charged(row.charge);
    this.#running.delete(run);
    this.#features.ended(run);
    const status = row.failure?.status ?? null;
    this.#memory.end({ reading, verdict, facts, accepted, ending: endingOf(row, facts), status });
  }

  /** One more request to Copilot for the answer of `first`, with a row, a charge and times of its own. */
  async #further(first: Run, sending: Sending, { plan, said, reader, target }: Further): Promise<RelayEnd> {
    const { row: before, call, chosen, reading } = first;
    const run = this.#begin(ownCall(call.client, call.signal, plan.body, this.#dependencies.clock), before.api);
    const { row } = run;
    try {
      // Only a refusal of it concerns them: they end with the client's own request.
      const parts = first.parts.flatMap(({ refused }) => (refused === undefined ? [] : [{ refused }]));
      const verdict = this.#decided(run, furtherVerdict(first.verdict, said), reading, parts);
      row.prompt = before.prompt;
      if (chosen !== null) run.chose(chosen);
      row.askedModel = before.askedModel;
      row.streamed = before.streamed;
      row.path = plan.path;
      row.fits = plan.notes;
      await this.#admit(run, verdict.initiator);
      const response = this.#delivered(run, await this.#send(run, plan, { ...sending, sender: verdict }));
      run.answers(reader.facts);
      const end = await this.#relay(run, response, reader, target);
      this.#whole(run, reader, end.cause);
      row.status = 200;
      return end;
    } catch (error) {
      const failed = this.#failed(run, error, run.facts);
      if (failed !== null) row.status ??= failed.status;
      throw error;
    } finally {
      run.end();
    }
  }

  /**
   * One request that Jumpseat itself makes for a client, on the way that all requests go: limits, token, replays,
   * recording, a row and its charge. Rejects with `ClientLeft` alone.
   */
  async own(request: OwnRequest): Promise<OwnAnswer> {
    const { model, signal, cause } = request;
    const plan = ownPlan(request);
    const run = this.#begin(ownCall(cause.client, signal, plan.body, this.#dependencies.clock), 'responses');
    const { row } = run;
    try {
      row.session = cause.session;
      row.prompt = cause.prompt;
      const verdict = this.#decided(run, ownVerdict(request));
      run.chose({ model, auto: null, offered: [] });
      row.askedModel = model.id;
      row.path = plan.path;
      await this.#admit(run, verdict.initiator);
      const sending = { sender: verdict, ids: ownIds(cause), budget: new ReplayBudget() };
      const response = this.#delivered(run, await this.#send(run, plan, sending));
      const reader = new ResponsesRelay({ model: model.id });
      run.answers(reader.facts);
      const collector = new ResponsesCollector();
      const { cause: broken } = await this.#relay(run, response, reader, collecting(collector));
      this.#whole(run, reader, broken);
      const answer = wholeOf(collector);
      row.status = 200;
      run.end();
      return { ok: true, response: answer, exchange: row.id, charge: row.charge };
    } catch (error) {
      const failed = this.#failed(run, signal.aborted ? signal.reason : error, run.facts);
      if (failed !== null) row.status = failed.status;
      run.end();
      if (failed === null) throw signal.reason;
      return { ok: false, error: failed, exchange: row.id, charge: row.charge };
    }
  }

  /**
   * A search or a page that Jumpseat itself is asked for: it has a row, in which nothing goes to Copilot. Where a model
   * of Copilot's searches, its request has one of its own, and counts as the person's: no prompt is known that this
   * belongs to. Rejects with what `steps` reject with.
   */
  async here<Result>(
    { client, signal }: AskedHere,
    steps: (cause: Cause) => Promise<ServedHere<Result>>,
  ): Promise<Result> {
    const run = this.#begin(ownCall(client, signal, nothing, this.#dependencies.clock), 'web');
    const { row } = run;
    try {
      const { result, note, failure } = await steps(causeOf(run, false));
      row.fits.push(note);
      row.status = failure?.status ?? 200;
      row.failure = failure;
      if (failure !== null) row.outcome = 'failed';
      run.facts.ended = true;
      return result;
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof ServerStopping)) run.left(new ClientLeft());
      else row.status = this.#failed(run, signal.aborted ? signal.reason : error, null)?.status ?? null;
      throw error;
    } finally {
      run.end();
    }
  }

  /** `POST /v1/messages/count_tokens`: Copilot's own count, or an estimate that is called one. */
  countTokens(call: ClientCall): Promise<void> {
    return this.#serve(call, 'count-tokens', anthropicWords, async (run) => {
      const { row, used } = run;
      const asked = messages.read(await readJson(call.body));
      run.asked(asked.model);
      const verdict = this.#decide(run, asked);
      const { model, auto } = await this.#chooseModel(run, asked.model);
      // Counted as it would be sent.
      const changes = run.parts.find((part) => part.request !== undefined)?.request;
      const counted = await this.#counter.count(changes?.(asked, '/v1/messages')?.request ?? asked, model, {
        ...{ verdict, auto, call, recording: run.recording },
        ids: idsOfItsOwn(),
        client: used.client,
        reach: used.reach,
        learned: learnedBy(run, model, '/v1/messages'),
        sends: (path) => {
          row.path = path;
          this.#dependencies.history.sends(row);
        },
      });
      row.path = counted.path;
      row.attempts = counted.attempts;
      row.times.sent = counted.attempts[0]?.at ?? null;
      run.headed();
      row.fits = counted.notes;
      this.#answerJson(run, anthropicWords, { input_tokens: counted.tokens });
    });
  }

  /**
   * `POST /v1/embeddings`: in as many requests as Copilot's limit makes of it, one after the other. No person prompts
   * here, so there is no initiator.
   */
  embeddings(call: ClientCall): Promise<void> {
    return this.#serve(call, 'embeddings', openaiErrorWords, async (run) => {
      const request = readEmbeddings(await readJson(call.body));
      run.asked(request.model);
      run.atEnd(await takeTurn(this.#turns, run));
      const { model } = await this.#chooseModel(run, request.model);
      const answers = await this.#embed(run, request, model);
      run.facts.ended = true;
      this.#answerJson(run, openaiErrorWords, joinEmbeddings(request, answers));
    });
  }

  async #embed(run: Run, request: EmbeddingsRequest, model: CatalogModel): Promise<JsonObject[]> {
    const { row, call } = run;
    const { bodies, notes } = embeddingsBatches(request, model);
    row.path = '/embeddings';
    row.fits.push(...notes);
    await this.#admit(run, nobody.initiator);
    const sending = { sender: nobody, ids: idsOfItsOwn(), budget: new ReplayBudget() };
    const common = { path: '/embeddings', vision: false, anthropicVersion: null, anthropicBeta: null } as const;
    const answers: JsonObject[] = [];
    for (const body of bodies) {
      const response = this.#delivered(run, await this.#send(run, { ...common, body }, sending));
      run.recording.follow(response);
      const answer = await unlessAborted(readEmbeddingsAnswer(response), call.signal);
      if (answer === null) {
        const cut = { kind: 'cut', type: null, message: '' } as const;
        throw new Stopped(recoverBrokenAnswer(cut, null, this.#context(run)));
      }
      row.times.firstEvent ??= run.since();
      run.accept();
      meterEmbeddings(answer, run.facts);
      answers.push(answer);
    }
    return answers;
  }

  /** `POST /v1/alpha/search`: Codex's own search tool. No model is asked. */
  alphaSearch(call: ClientCall): Promise<void> {
    return this.#serve(call, 'responses', openaiErrorWords, async (run) => {
      const { model, verdict, answer } = this.#features.alphaSearch(await readJson(call.body), run);
      if (model !== null) run.asked(model);
      this.#decided(run, verdict);
      const output = await answer();
      run.facts.ended = true;
      this.#answerJson(run, openaiErrorWords, { output });
    });
  }

  /** A request that is no stream: its run begins and ends here, whatever `steps` meet. Never rejects. */
  async #serve<Envelope extends object>(
    call: ClientCall,
    api: ClientApi,
    words: ErrorWords<Envelope>,
    steps: (run: Run) => Promise<void>,
  ): Promise<void> {
    const run = this.#begin(call, api);
    try {
      await steps(run);
    } catch (error) {
      this.#recover(run, words, error, null, null);
    } finally {
      run.end();
    }
  }
}

/** What goes with every request to Copilot that one of a client's needs. */
interface Sending {
  sender: Sender;
  ids: InteractionIds;
  /** For all that is sent of it: after refusals, and behind its searches. */
  budget: ReplayBudget;
}

/** The response headers of a good answer are there: who reads it. */
interface Reply {
  response: IncomingMessage;
  reader: AnswerReader;
  leading: Leading | null;
  sending: Sending;
}

interface Further {
  plan: Plan;
  said: Said;
  reader: AnswerReader;
  target: AnswerTarget;
}

/** A title beside a prompt is another request of it. */
function attemptOf({ reading, row }: Run): string | null {
  const attempt = reading?.keys?.attempt ?? null;
  return attempt === null ? null : `${row.requestClass} ${attempt}`;
}

function learnedBy({ parts }: Run, model: CatalogModel, path: ChatPath): Learned | null {
  return parts.find((part) => part.learned !== undefined)?.learned?.(model, path) ?? null;
}

function againBy<P extends Replannable<P>>(
  parts: readonly Part[],
  failure: CopilotFailure,
  plan: P,
  model: CatalogModel,
): Again<P> | null {
  for (const part of parts) {
    const again = part.refusal?.(failure, plan, model) ?? null;
    if (again !== null) return again;
  }
  return null;
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}
