import type { IncomingHttpHeaders } from 'node:http';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Listeners } from '../api/events.ts';
import type { Charge, ClientApi, Exchange, FitNote, Shape } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';
import type { Sent } from '../copilot/client.ts';
import { mayHaveWorked } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { Witness } from '../copilot/outgoing.ts';
import { type AnswerFacts, noFacts } from '../formats/answer/answer.ts';
import { isObject, type JsonObject } from '../formats/wire/json.ts';
import type { History } from '../history/history.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import type { ExchangeHeaders } from '../recording/headers.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { failureWords } from '../words/failures.ts';
import { billedCredits } from '../words/numbers.ts';
import { chargeOf, noCharge, pendingCharge, unexplained } from './charge.ts';
import type { ClientCall } from './client-call.ts';
import type { UsedAccount } from './dependencies.ts';
import type { Part } from './feature.ts';
import type { LedgerEnding, PromptMemory } from './initiator/memory.ts';
import type { PromptReading } from './initiator/reading.ts';
import type { Verdict } from './initiator/verdict.ts';
import type { FollowedRule } from './model/rules.ts';
import { type ClientError, refuse, Stopped } from './recover/error.ts';

type Context = NonNullable<NonNullable<Shape['request']>['context']>;

interface RunSurroundings {
  readonly dependencies: {
    clock: Pick<Clock, 'ticks'>;
    history: Pick<History, 'record' | 'sends'>;
    recorder: Recorder;
    /** The row is another one. */
    listeners: Pick<Listeners, 'exchangeChanged' | 'isHeard'>;
  };
  /** Told of every chunk while somebody listens. */
  readonly running: { moved(): void };
  readonly memory: Pick<PromptMemory, 'accept'>;
  /** Estimated tokens of the request by kind: tools, system prompt, messages. */
  readonly contextOf: (request: unknown) => Context | null;
  /** Its row is whole, and about to be written. */
  closed(run: Run): void;
}

/** What the name of a model came to. */
export interface Chosen {
  model: CatalogModel;
  /** GitHub chose the model. */
  auto: AutoSession | null;
  /** Ids of the models that this request may name. */
  offered: readonly string[];
}

/** What was decided of a request of ours, of which there is nothing to read, or of one that goes on with another. */
interface Decided {
  reading: PromptReading | null;
  verdict: Verdict;
  /** Features that this request uses; usually none. */
  parts: readonly Part[];
}

/**
 * The record of one exchange: its row, its times and its end. The steps, whose order stands in exchange.ts, say here
 * what they found; none of them is known here.
 */
export class Run implements Witness {
  readonly call: ClientCall;
  readonly row: Exchange;
  readonly headers: ExchangeHeaders;
  /** Null while bodies are not recorded, which is nearly always. */
  readonly recording: Recording | null;
  /** Chosen before anything is decided, by a person's rule or the client's label: nothing that happens changes it. */
  used: UsedAccount;
  /** The rule of the person's that it follows. */
  rule: FollowedRule | null = null;
  /** The model is the rule's second one. */
  fellBack = false;
  reading: PromptReading | null = null;
  verdict: Verdict | null = null;
  parts: readonly Part[] = [];
  chosen: Chosen | null = null;
  /** Facts of Copilot's answer; they change while it is read. */
  facts: AnswerFacts = noFacts();
  accepted = false;
  readonly #around: RunSurroundings;
  /** Size of the body, which is released before the end. */
  readonly #bytes: number;
  /** Size and pauses of Copilot's answer, good or refused. Times in ms. */
  #receivedBytes = 0;
  #receivedAt: number | null = null;
  #longestGap: number | null = null;
  #request: Shape['request'] = null;
  /** The client's request until it is sent, to be looked at once more then. */
  #unmeasured: unknown = null;
  #room: number | null = null;
  #mayHaveBegun = false;
  #last: (() => void)[] = [];

  constructor(around: RunSurroundings, call: ClientCall, api: ClientApi, used: UsedAccount) {
    this.#around = around;
    this.call = call;
    this.used = used;
    this.row = newRow(call, api);
    if (used.name !== null) this.row.account = used.name();
    this.#bytes = call.body.length;
    const { recorder } = around.dependencies;
    this.headers = recorder.headers.begin(this.row.id, call.headers);
    this.recording = recorder.isOn ? recorder.begin(this.row.id) : null;
    this.row.times.read = this.since();
    this.recording?.received(call.body);
  }

  /** Ms since it began. */
  since(): number {
    return moment(this.#around.dependencies.clock.ticks() - this.call.startedTicks);
  }

  /** A rule names its account. */
  uses(used: UsedAccount): void {
    this.used = used;
    if (used.name !== null) this.row.account = used.name();
  }

  /** The first of the person's rules that is for it. */
  follows(rule: FollowedRule): void {
    this.rule = rule;
    this.row.rule = rule.when;
  }

  /** A model's name as a client gave it: it is shown, kept and given back. Throws `Stopped` where it can't be. */
  asked(model: string): void {
    if (!modelName.test(model)) {
      throw new Stopped(
        refuse(
          400,
          'invalid_request_error',
          'invalid_body',
          t('Jumpseat: model: a name of at most 256 characters on one line is required.'),
        ),
      );
    }
    this.row.askedModel = model;
  }

  /** A body was read: no word of it is kept once it was sent. */
  shaped(request: unknown): void {
    this.#request = requestShape(request, this.#bytes);
    this.#unmeasured = request;
  }

  decided(decided: Decided): void {
    const { row } = this;
    const { reading, verdict, parts } = decided;
    this.reading = reading;
    this.verdict = verdict;
    this.parts = parts;
    if (reading !== null) {
      row.session = reading.sessionKey;
      row.prompt = reading.promptId;
      row.requestClass = reading.requestClass;
      row.agentId = reading.agentId;
      row.agentType = reading.agentType;
    }
    row.initiator = verdict.initiator;
    row.reason = { code: verdict.code, rule: verdict.rule, sentence: verdict.sentence };
    this.#around.dependencies.listeners.exchangeChanged(row);
  }

  chose(chosen: Chosen): void {
    this.chosen = chosen;
    this.row.servedModel = chosen.model.id;
  }

  /** Called before every try. From then on its fate is unknown if it is given up. */
  sends(headers: Readonly<Record<string, string>>, body: Buffer | string): void {
    const { row } = this;
    this.#mayHaveBegun = true;
    this.#around.dependencies.history.sends(row);
    this.headers.sent = headers;
    this.headers.answered = null;
    this.recording?.sends(row.path, body, row.api === 'embeddings');
    const asked = this.#unmeasured;
    if (asked === null) return;
    this.#unmeasured = null;
    // While Copilot thinks, nobody waits for it.
    setImmediate(() => {
      const context = this.#around.contextOf(asked);
      if (this.#request === null || context === null) return;
      this.#request.context = context;
      if (this.#room !== null) context.room = this.#room;
    });
  }

  hears(headers: IncomingHttpHeaders): void {
    this.headers.answered = headers;
  }

  refused(text: string): void {
    this.recording?.refused(text);
  }

  /** Sent in place of what the client asked for. */
  leavesRoom(room: number | null): void {
    this.#room = room;
    const context = this.#request?.context;
    if (room !== null && context !== undefined) context.room = room;
  }

  /** Adds an attempt to the row. */
  sent(sent: Sent): void {
    const { row } = this;
    this.#mayHaveBegun = sent.ok || mayHaveWorked(sent.failure);
    row.attempts.push(...sent.attempts);
    row.upstreamRequestIds.push(...(sent.ok ? sent.requestIds : sent.failure.requestIds));
  }

  /** The head of an answer is there, or what came in its place. Where nothing was sent, there is no time of it. */
  onResponseHeaders(): void {
    const { row } = this;
    if (row.attempts.length === 0) row.times.sent = null;
    else row.times.headers ??= this.since();
  }

  /** An upstream chunk was read: note what is new. On the way of every chunk, so it asks no more than it must. */
  moved(facts: AnswerFacts, bytes: number): void {
    if (bytes > 0) {
      const now = this.#around.dependencies.clock.ticks();
      if (this.#receivedAt !== null) this.#longestGap = Math.max(this.#longestGap ?? 0, now - this.#receivedAt);
      this.#receivedAt = now;
      this.#receivedBytes += bytes;
    }
    const { listeners } = this.#around.dependencies;
    if (listeners.isHeard) this.#around.running.moved();
    if (this.accepted) return;
    if (facts.started && this.row.times.firstEvent === null) {
      this.row.times.firstEvent = this.since();
      listeners.exchangeChanged(this.row);
    }
    if (facts.contentBegan || facts.stopReason !== null) this.accept();
  }

  /** Copilot took it: content began. */
  accept(): void {
    this.accepted = true;
    if (this.reading !== null && this.verdict !== null)
      this.#around.memory.accept(this.reading, this.verdict, this.row.id);
  }

  /** The client closed its connection. */
  left(): void {
    const { row, call } = this;
    row.outcome = 'cancelled';
    if (call.answer.begun) row.status ??= 200;
    const facts = { source: 'client', status: null, code: 'client-left' } as const;
    row.failure = { ...facts, message: failureWords(facts), clientMessage: null };
  }

  failed({ failure }: ClientError, outcome: 'cut' | 'declined' | 'failed'): void {
    this.row.outcome = outcome;
    this.row.failure = { ...failure, clientMessage: null };
  }

  /** What has to be done whatever happens. */
  atEnd(last: () => void): void {
    this.#last.push(last);
  }

  /** meter, record: one row, whatever happened. @param pings with which silence was filled */
  end(pings = 0): void {
    const { row, facts } = this;
    for (const last of this.#last) last();
    row.times.lastEvent = this.since();
    if (row.outcome === 'running') row.outcome = 'done';
    row.stopReason = facts.stopReason;
    row.tokens = { ...facts.usage };
    const [bytes, longestGap] = [this.#receivedBytes, moment(this.#longestGap)];
    row.shape = {
      request: this.#request ?? requestShape(null, this.#bytes),
      answer: bytes === 0 ? null : { bytes, events: facts.events || null, blocks: facts.blocks, longestGap, pings },
      toolsBefore: this.call.headers[durations] === undefined ? [] : toolsBefore(this.call.headers),
    };
    row.charge =
      row.api === 'count-tokens'
        ? noCharge
        : chargeOf({
            world: this.used.account.quota()?.world ?? 'unknown',
            accepted: this.accepted,
            mayHaveBegun: this.#mayHaveBegun,
            initiator: row.initiator,
            model: this.chosen?.model ?? null,
            facts,
            whole: row.outcome === 'done',
          });
    row.fits.push(...endNotes(row.charge, facts));
    this.#around.closed(this);
    this.recording?.end();
    this.#around.dependencies.recorder.headers.ended(row.id);
    this.#around.dependencies.history.record(row);
    this.used.ended(row);
    this.#around.dependencies.listeners.exchangeChanged(row);
  }
}

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** The row of a request that has come in and of which nothing is known yet. */
export function newRow(call: ClientCall, api: ClientApi): Exchange {
  return {
    id: call.requestId,
    startedAt: call.startedAt,
    api,
    client: call.client,
    ...(call.key !== undefined && { key: call.key }),
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

/** `adaptive, effort high`, `8000 tokens`; null if none was asked for. */
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
    const text = t('The parts add up to {amount} credits; Copilot billed {credits}.', {
      amount: billedCredits(total - off),
      credits: billedCredits(total),
    });
    notes.push({ code: 'charge-parts-differ', count: 1, text });
  }
  if (unreadable > 0)
    notes.push({ code: 'unreadable-events', count: unreadable, text: 'events without JSON left out' });
  return notes;
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
export function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}
