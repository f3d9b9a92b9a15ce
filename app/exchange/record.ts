import type { IncomingMessage } from 'node:http';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import { unlessAborted } from '../account/unless-aborted.ts';
import {
  type Charge,
  type ClientApi,
  type Exchange,
  type FitNote,
  type Initiator,
  moment,
  type Shape,
} from '../api/exchange.ts';
import type { Sent } from '../copilot/client.ts';
import { isUnanswered } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model.ts';
import { ReplayBudget, type Witness } from '../copilot/outgoing.ts';
import { type AnswerFacts, type AnswerReader, noFacts } from '../formats/answer/answer.ts';
import { isObject, type JsonObject } from '../formats/wire/json.ts';
import type { Recording } from '../recording/recording.ts';
import { type AnswerTarget, ClientStream, type RelayEnd, relay } from './answer.ts';
import { chargeOf, noCharge, pendingCharge, unexplained } from './charge.ts';
import { answerJson, type ClientCall, ClientLeft, readJson } from './client-call.ts';
import type { AccountSalts, ExchangeDependencies, UsedAccount } from './dependencies.ts';
import type { ChosenModel, Feature, Part } from './feature.ts';
import { safeguardsRefused } from './fits/fields.ts';
import type { LedgerEnding } from './initiator/claims.ts';
import { decideInitiator } from './initiator/decide.ts';
import type { PromptMemory } from './initiator/memory.ts';
import { type PromptReading, readPrompt } from './initiator/reading.ts';
import { agent, asYours, type Verdict } from './initiator/verdict.ts';
import type { Kept } from './kept.ts';
import type { Guards } from './limits/limits.ts';
import { admit } from './limits/limits.ts';
import type { Bursts } from './limits/queue.ts';
import { absenceContext, namedModel } from './model/absence.ts';
import { checkedName } from './model/names.ts';
import { usableModels } from './model/resolve.ts';
import { recoverBrokenAnswer } from './recover/broken-answer.ts';
import { type ClientError, type ErrorWords, type RecoverContext, refuseRepeat, Stopped } from './recover/error.ts';
import { clientErrorOf, recoverContextOf, recoverFailure } from './recover/recover.ts';
import type { Interactions } from './send.ts';
import { type InteractionIds, idsOfItsOwn, outgoing, type Sendable, type Sender } from './send.ts';

/** What all exchanges under way share. */
export interface Shared {
  dependencies: ExchangeDependencies;
  features: readonly Feature[];
  interactions: Interactions;
  memory: PromptMemory;
  salts: AccountSalts;
  guards: Guards;
  bursts: Bursts;
  /** Requests that Copilot left unanswered. In this process alone. */
  unanswered: Kept<true>;
  /** Told of every chunk. */
  progress: { moved(): void };
  /** It is not under way any more. */
  ended(run: { row: Exchange; facts: AnswerFacts }): void;
}

/**
 * One exchange under way. Owns its row, its times and its end, and has the steps that are the same whichever API a
 * client speaks; their order stands in exchange.ts.
 */
export class Run {
  readonly call: ClientCall;
  readonly row: Exchange;
  readonly recording: Recording;
  /** Chosen once, by the client's label: whatever comes, the request goes out with no other one. */
  readonly used: UsedAccount;
  readonly received = new ReceivedAnswer();
  reading: PromptReading | null = null;
  verdict: Verdict | null = null;
  model: CatalogModel | null = null;
  /** GitHub chose the model. */
  auto: AutoSession | null = null;
  /** Ids of the models that this request may name. */
  offered: readonly string[] = [];
  /** Those of the answer's reader, once there is one. */
  facts: AnswerFacts = noFacts();
  /** Of the answer as the client gets it, which may be made of several. */
  told: AnswerFacts = this.facts;
  accepted = false;
  /** For all that is sent of it: after refusals, and behind its searches. */
  budget = new ReplayBudget();
  /** Of the body, which is let go of before the end. */
  readonly bytes: number;
  request: Shape['request'] = null;
  /** Of the features that it needs; usually none. */
  parts: readonly Part[] = [];
  readonly #shared: Shared;

  constructor(shared: Shared, call: ClientCall, api: ClientApi) {
    this.#shared = shared;
    this.call = call;
    this.used = shared.dependencies.accountOf(call.client);
    this.row = newRow(call, api);
    if (this.used.name !== null) this.row.account = this.used.name;
    this.bytes = call.body.length;
    this.recording = shared.dependencies.recorder.begin(this.row.id);
    this.row.times.read = this.since();
    this.recording.received(call.headers, call.body);
  }

  /** What Copilot is told it belongs to. */
  idsFor(verdict: Verdict): InteractionIds {
    return this.reading === null ? idsOfItsOwn() : this.#shared.interactions.idsFor(this.reading, verdict);
  }

  /** The body as JSON. Rejects with `Stopped` where it is none. */
  json(): Promise<unknown> {
    return readJson(this.call.body);
  }

  /** The name is shown, kept and given back. */
  asked(model: string): void {
    this.row.askedModel = checkedName(model);
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  decide(request: unknown): Verdict {
    const salt = this.#shared.salts.of(this.used.id);
    const reading = readPrompt({ api: this.row.api, headers: this.call.headers, body: request, salt });
    const joining = { row: this.row, request, reading, used: this.used };
    this.parts = this.#shared.features.flatMap((feature) => feature.join?.(joining) ?? []);
    const continues = this.parts.find((part) => part.continues)?.continues ?? null;
    const decided = continues === null ? decideInitiator(reading, this.#shared.memory) : agent(reading, continues);
    this.#shared.memory.seen(reading);
    this.request = requestShape(request, this.bytes);
    this.reading = reading;
    const { row } = this;
    row.session = reading.sessionKey;
    row.prompt = reading.promptId;
    row.requestClass = reading.requestClass;
    row.agentId = reading.agentId;
    row.agentType = reading.agentType;
    row.fits.push(...this.parts.flatMap(({ note }) => note ?? []));
    return this.#decided(decided);
  }

  /** Throws `Stopped` where the client repeats by itself what Copilot left unanswered. */
  refuseRepeat(): void {
    const { unanswered } = this.#shared;
    const attempt = unanswered.isEmpty ? null : this.#attempt;
    if (attempt !== null && unanswered.has(attempt)) throw new Stopped(refuseRepeat());
  }

  /** A title beside a prompt is another request of it. */
  get #attempt(): string | null {
    const attempt = this.reading?.keys?.attempt ?? null;
    return attempt === null ? null : `${this.row.requestClass} ${attempt}`;
  }

  /** The same for a request of our own, which follows what this client does: there is nothing to read. */
  decideFor({ session, prompt }: Pick<Exchange, 'session' | 'prompt'>, verdict: Verdict): Verdict {
    this.row.session = session;
    this.row.prompt = prompt;
    return this.#decided(verdict);
  }

  #decided(decided: Verdict): Verdict {
    const { row } = this;
    const { settings, changed } = this.#shared.dependencies;
    const { alwaysUser } = settings.current();
    const verdict = asYours(decided, { reach: this.used.reach, alwaysUser });
    this.verdict = verdict;
    row.initiator = verdict.initiator;
    row.reason = { code: verdict.code, rule: verdict.rule, sentence: verdict.sentence };
    changed(row);
    return verdict;
  }

  /** A request of our own names no model: it was chosen for it. */
  take(model: CatalogModel, auto: AutoSession | null = null): void {
    this.model = model;
    this.auto = auto;
    this.row.askedModel = model.id;
    this.row.servedModel = model.id;
  }

  /** model: what does the name mean in this account's catalog? */
  async chooseModel(asked: string): Promise<CatalogModel> {
    const type = this.row.api === 'embeddings' ? 'embeddings' : 'chat';
    const { catalog } = this.used;
    const models = catalog.fresh() ?? (await unlessAborted(catalog.models(), this.call.signal));
    this.offered = usableModels(
      models,
      this.row.api === 'count-tokens' || this.row.api === 'web' ? 'messages' : this.row.api,
    );
    const choosing = this.parts.find((part) => part.model !== undefined)?.model?.(models);
    if (choosing) return this.#chosen(await unlessAborted(choosing, this.call.signal));
    const overrides = this.#shared.dependencies.settings.current().modelOverrides;
    const longContext = String(this.call.headers['anthropic-beta'] ?? '').includes('context-1m-');
    const absence = () => absenceContext(this.used);
    const { model, note } = namedModel(asked, models, { overrides, longContext, type, offered: this.offered, absence });
    return this.#chosen({ model, note, auto: null });
  }

  #chosen({ model, auto, note }: ChosenModel): CatalogModel {
    this.auto = auto;
    this.model = model;
    this.row.servedModel = model.id;
    if (note !== null) this.row.fits.push(note);
    return model;
  }

  /**
   * Once for each request, before it is sent: the limits that the person has set. Throws `Stopped` where one holds it
   * back.
   */
  admit(initiator: Initiator): Promise<void> {
    return admit(this.#shared, this, initiator, this.#shared.dependencies.changed);
  }

  /** send: to Copilot, unless one of its limits still holds. Every attempt stands in the row. */
  async send(plan: Sendable, sender: Sender, ids: InteractionIds): Promise<Sent> {
    const { recording, row } = this;
    const { history } = this.#shared.dependencies;
    const witness: Witness = {
      sends: (headers, body) => {
        history.sends(row);
        recording.sends(plan.path, headers, body, row.api === 'embeddings');
      },
      hears: (headers) => recording.hears(headers),
      refused: (text) => recording.refused(text),
    };
    row.times.sent ??= this.since();
    const sent = await this.used.client.send(outgoing(plan, sender, ids, this, witness));
    row.attempts.push(...sent.attempts);
    row.upstreamRequestIds.push(...(sent.ok ? sent.requestIds : sent.failure.requestIds));
    if (!sent.ok && isUnanswered(sent.failure) && this.#attempt !== null)
      this.#shared.unanswered.keep(this.#attempt, true);
    if (!sent.ok) for (const part of this.parts) part.refused?.(sent.failure);
    return sent;
  }

  /** Sends what no refusal changes. Throws `Stopped` where it is refused. */
  async deliver(plan: Sendable, sender: Sender, ids: InteractionIds): Promise<IncomingMessage> {
    return this.delivered(await this.send(plan, sender, ids));
  }

  /** The headers of a good answer are there. Throws `Stopped` with what came in their place. */
  delivered(sent: Sent): IncomingMessage {
    this.headed();
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.recoverContext()));
    return sent.response;
  }

  /** Copilot answers: what was asked is not needed any more. Nothing may be sent again after it. */
  letGo(): void {
    this.reading?.letGo();
    this.call.letGo();
  }

  /** The head of an answer is there, or what came in its place. Where nothing was sent, there is no time of it. */
  headed(): void {
    const { row } = this;
    if (row.attempts.length === 0) row.times.sent = null;
    else row.times.headers ??= this.since();
  }

  /** answer: event by event to the client. Begins in the turn in which it is asked for. */
  relay(upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd> {
    if (target instanceof ClientStream) this.received.stream = target;
    this.recording.follow(upstream);
    return relay(upstream, reader, target, (bytes) => this.#moved(reader, bytes));
  }

  /** An upstream chunk was read: note what is new. On the way of every chunk, so it asks no more than it must. */
  #moved(reader: AnswerReader, bytes: number): void {
    this.received.came(bytes, this.#shared.dependencies.clock.ticks());
    this.#shared.progress.moved();
    if (this.accepted) return;
    const { facts } = reader;
    if (facts.started && this.row.times.firstEvent === null) {
      this.row.times.firstEvent = this.since();
      this.#shared.dependencies.changed(this.row);
    }
    if (facts.contentBegan || facts.stopReason !== null) {
      this.accepted = true;
      const { reading, verdict } = this;
      if (reading !== null && verdict !== null) this.#shared.memory.accept(reading, verdict, this.row.id);
    }
  }

  /** Throws `Stopped` where the answer broke off, and the signal's reason where that ended it. */
  whole({ facts }: AnswerReader, cause: string | null): void {
    const { signal } = this.call;
    // An answer that came to its end is not taken back because the proxy stops at the same moment.
    const left = signal.reason instanceof ClientLeft;
    if (signal.aborted && (left || !facts.ended)) throw signal.reason;
    if (facts.failure !== null) throw new Stopped(recoverBrokenAnswer(facts.failure, cause, this.recoverContext()));
  }

  /** answer: one JSON object, which was made here. */
  answerJson(words: Pick<ErrorWords<object>, 'requestIdHeader'>, body: object): void {
    this.row.status = 200;
    this.recording.told(answerJson(this.call, words, 200, body));
  }

  /** recover: what a step has thrown, in the row. Null: the client has left, and nobody is told. */
  fails(thrown: unknown): ClientError | null {
    const { row, call } = this;
    if (call.signal.aborted && call.signal.reason instanceof ClientLeft) {
      this.left(call.signal.reason);
      return null;
    }
    const { log } = this.#shared.dependencies;
    const wasSent = row.times.sent !== null;
    const error = clientErrorOf(thrown, { id: row.id, wasSent, log, context: () => this.recoverContext() });
    const { code } = error.failure;
    row.outcome = this.told.failure?.kind === 'cut' ? 'cut' : code === safeguardsRefused ? 'declined' : 'failed';
    row.failure = { ...error.failure, told: null };
    return error;
  }

  /** The client closed its connection. */
  left(reason: ClientLeft): void {
    const { row, call } = this;
    row.outcome = 'cancelled';
    if (call.answer.begun) row.status ??= 200;
    row.failure = { source: 'client', status: null, code: 'client-left', message: reason.message, told: null };
  }

  /** What the words for a failure may refer to. */
  recoverContext(): RecoverContext {
    return recoverContextOf(this.#shared.dependencies, this.used, this);
  }

  /** meter, record: one row, whatever happened. */
  end(): void {
    const { row, facts } = this;
    const { history } = this.#shared.dependencies;
    row.times.lastEvent = this.since();
    if (row.outcome === 'running') row.outcome = 'done';
    const whole = row.outcome === 'done';
    row.stopReason = facts.stopReason;
    row.tokens = { ...facts.usage };
    row.shape = {
      request: this.request ?? requestShape(null, this.bytes),
      answer: this.received.shape(facts),
      toolsBefore: toolsBefore(this.call.headers),
    };
    row.charge =
      row.api !== 'count-tokens'
        ? chargeOf({
            world: this.used.account.quota()?.world ?? 'unknown',
            accepted: this.accepted,
            initiator: row.initiator,
            model: this.model,
            facts,
            whole,
          })
        : noCharge;
    row.fits.push(...endNotes(row.charge, facts));
    for (const part of this.parts) part.end?.(this);
    this.#shared.guards.charged(row.charge);
    this.#shared.ended(this);
    const { reading, verdict, accepted } = this;
    const status = row.failure?.status ?? null;
    this.#shared.memory.end({ reading, verdict, facts, accepted, ending: endingOf(row, facts), status });
    this.recording.end();
    history.record(row);
    this.#shared.dependencies.changed(row);
  }

  since(): number {
    return moment(this.#shared.dependencies.clock.ticks() - this.call.startedTicks);
  }
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}

/** The row of a request that has come in and of which nothing is known yet. */
export function newRow(call: ClientCall, api: ClientApi): Exchange {
  return {
    id: call.requestId,
    startedAt: call.startedAt,
    api,
    client: call.client,
    session: null,
    prompt: null,
    requestClass: null,
    agentId: null,
    agentType: null,
    askedModel: null,
    servedModel: null,
    path: null,
    streamed: false,
    initiator: null,
    reason: null,
    fits: [],
    status: null,
    held: false,
    outcome: 'running',
    stopReason: null,
    failure: null,
    attempts: [],
    times: { sent: null, headers: null, firstEvent: null, lastEvent: null },
    tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
    charge: pendingCharge,
    upstreamRequestIds: [],
  };
}

/** What an answer was like on its way through, whatever it said. */
class ReceivedAnswer {
  /** Where it went, if that was a stream. */
  stream: ClientStream | null = null;
  #bytes = 0;
  #at: number | null = null;
  #longestGap: number | null = null;

  /** A piece came. On the way of every chunk. @param now by `Clock.ticks()` */
  came(bytes: number, now: number): void {
    if (bytes === 0) return;
    if (this.#at !== null) this.#longestGap = Math.max(this.#longestGap ?? 0, now - this.#at);
    this.#at = now;
    this.#bytes += bytes;
  }

  /** Null: nothing came. */
  shape({ events, blocks }: AnswerFacts): Shape['answer'] {
    if (this.#bytes === 0) return null;
    return {
      bytes: this.#bytes,
      events: events === 0 ? null : events,
      blocks,
      longestGap: moment(this.#longestGap),
      pings: this.stream?.pings ?? 0,
    };
  }
}

/** What a request is made of, without any text of it. Reads a body of any of the APIs; looks at every block once. */
export function requestShape(body: unknown, bytes: number): NonNullable<Shape['request']> {
  if (!isObject(body)) return { bytes, messages: {}, tools: 0, images: 0, thinking: null };
  const messages: Record<string, number> = {};
  let images = 0;
  for (const message of listOf(body.messages ?? body.input)) {
    if (!isObject(message)) continue;
    const role = nameOf(message.role ?? message.type);
    messages[role] = (messages[role] ?? 0) + 1;
    images += imagesIn(message.content ?? message.output);
  }
  return { bytes, messages, tools: listOf(body.tools).length, images, thinking: thinkingOf(body) };
}

const imageTypes = new Set(['image', 'image_url', 'input_image']);

function imagesIn(content: unknown): number {
  let count = 0;
  for (const block of listOf(content)) {
    if (!isObject(block)) continue;
    if (typeof block.type === 'string' && imageTypes.has(block.type)) count += 1;
    else if (block.type === 'tool_result') count += imagesIn(block.content);
  }
  return count;
}

/** `adaptive, effort high`, `8000 tokens`; null where none was asked for. */
function thinkingOf({
  thinking,
  output_config: output,
  reasoning,
  reasoning_effort: plain,
}: JsonObject): string | null {
  const parts: string[] = [];
  if (isObject(thinking) && thinking.type !== 'disabled') {
    parts.push(typeof thinking.budget_tokens === 'number' ? `${thinking.budget_tokens} tokens` : nameOf(thinking.type));
  }
  const effort = isObject(output) ? output.effort : isObject(reasoning) ? reasoning.effort : plain;
  if (typeof effort === 'string') parts.push(`effort ${nameOf(effort)}`);
  return parts.length === 0 ? null : parts.join(', ');
}

const durations = 'x-claude-code-prev-tool-durations';
const mostTools = 64;

/**
 * `Bash=24;Read=3`: the tools that ran before this request, and how many ms each took. What is no such list says
 * nothing.
 */
export function toolsBefore(headers: Readonly<Record<string, string | string[] | undefined>>): Shape['toolsBefore'] {
  const value = headers[durations];
  if (typeof value !== 'string') return [];
  return value
    .split(';', mostTools)
    .map((part) => /^\s*([\w.:-]{1,100})=(\d{1,9}(?:\.\d{1,6})?)\s*$/.exec(part))
    .filter((match) => match !== null)
    .map(([, name = '', took]) => ({ name, took: Number(took) }));
}

/** A name that the format has. Any other is the client's own text, and could hold content. */
function nameOf(value: unknown): string {
  return typeof value === 'string' && /^[a-z_-]{1,32}$/.test(value) ? value : 'other';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A difference within Copilot's own bill that is worth a note: 0.001 credits. */
const tellableNanoAiu = 1e6;

/** What the log says of an answer that is over: parts of its bill that do not add up, events that could not be read. */
function endNotes(charge: Charge, { unreadable }: Pick<AnswerFacts, 'unreadable'>): FitNote[] {
  const notes: FitNote[] = [];
  const off = unexplained(charge);
  if (off !== null && Math.abs(off) > tellableNanoAiu) {
    const total = charge.nanoAiu ?? 0;
    const text = `The parts add up to ${(total - off) / 1e9} credits; Copilot billed ${total / 1e9}.`;
    notes.push({ code: 'charge-parts-differ', count: 1, text });
  }
  if (unreadable > 0)
    notes.push({ code: 'unreadable-events', count: unreadable, text: 'events without JSON left out' });
  return notes;
}
