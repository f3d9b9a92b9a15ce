import { isFiniteNumber, isObject } from '../wire/json.ts';
import { SseFeed } from '../wire/sse.ts';

/** What an answer stream has reported so far, whatever its wire format. Read by the meter, the ledger and the log. */
export interface AnswerFacts {
  /** The first event that is more than a comment was seen. */
  started: boolean;
  /** True once a content block began. */
  contentBegan: boolean;
  /** The stream came to its own proper end (`message_stop`, `[DONE]` after a finish reason). */
  ended: boolean;
  /** The upstream sent an error event, or closed before the proper end. Set once; nothing is written after it. */
  failure: AnswerFailure | null;
  stopReason: string | null;
  /** The model as the upstream names it. */
  upstreamModel: string | null;
  usage: AnswerUsage;
  /** Tokens of `usage.output` that were reasoning, where the upstream counts them apart. */
  reasoningTokens?: number;
  /** Copilot's own bill; a running total, so the last one seen counts. */
  copilotUsage: CopilotUsage | null;
  /** Events whose data was not JSON and that were left out. */
  unreadable: number;
  /** Events that came, comments among them. */
  events: number;
  /** What was begun, in order: the first `mostBlocks`. Names are those of tools. */
  blocks: { type: string; name: string | null }[];
  /** Characters said so far, roughly: for a count while it runs. */
  said: number;
}

const mostBlocks = 200;
/** A name is what a model says it is. */
const longestName = 100;

export function noteBlock(facts: AnswerFacts, type: unknown, name: unknown = null): void {
  if (facts.blocks.length >= mostBlocks || typeof type !== 'string') return;
  const named = typeof name === 'string' && name !== '';
  facts.blocks.push({ type: type.slice(0, longestName), name: named ? name.slice(0, longestName) : null });
}

/** More text of a kind, in formats whose texts have no begin of their own. */
export function noteText(facts: AnswerFacts, type: string, text: unknown): void {
  if (typeof text !== 'string' || text === '') return;
  facts.said += text.length;
  if (facts.blocks.at(-1)?.type !== type) noteBlock(facts, type);
}

export interface AnswerFailure {
  /** `error`: the upstream said so in an event. `cut`: it closed without its last event. */
  kind: 'error' | 'cut';
  /** The error's own type or code where there is one (`overloaded_error`). */
  type: string | null;
  message: string;
}

/** Tokens; null if the upstream never said. `input` is without cached ones. */
export interface AnswerUsage {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
}

/** `copilot_usage` as it stands on the wire (`total_nano_aiu`, `token_details`). */
export interface CopilotUsage {
  totalNanoAiu: number;
  details: { type: string; count: number; costPerBatch: number; batchSize: number }[];
}

/**
 * Turns the bytes of one upstream answer into the bytes of the client's stream. No I/O, no clock.
 *
 * What `push` and `end` return are whole events, so that a ping may be written between any two calls. Neither ever
 * writes the error event: the caller reads `facts.failure` and answers in the client's own words. After a failure or
 * the proper end both return null.
 */
export interface AnswerReader {
  readonly facts: AnswerFacts;
  /** Null if nothing to write (yet). */
  push(chunk: Buffer): Buffer | null;
  /** The upstream closed. Sets `facts.failure` when that was too early. */
  end(): Buffer | null;
}

export function noFacts(): AnswerFacts {
  return {
    started: false,
    contentBegan: false,
    ended: false,
    failure: null,
    stopReason: null,
    upstreamModel: null,
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
    copilotUsage: null,
    unreadable: 0,
    events: 0,
    blocks: [],
    said: 0,
  };
}

/**
 * Reads `copilot_usage` as Copilot puts it on answers: `{token_details: [{token_type, token_count, cost_per_batch,
 * batch_size}], total_nano_aiu}`. 1e9 nano-AIU are one credit. Null when it is absent or has no total: then the cost is
 * unknown, not 0.
 */
export function readCopilotUsage(value: unknown): CopilotUsage | null {
  if (!isObject(value) || !isFiniteNumber(value.total_nano_aiu)) return null;
  const listed: unknown[] = Array.isArray(value.token_details) ? value.token_details : [];
  return { totalNanoAiu: value.total_nano_aiu, details: listed.flatMap(readDetail) };
}

function readDetail(value: unknown): CopilotUsage['details'] {
  if (!isObject(value) || typeof value.token_type !== 'string') return [];
  const { token_type: type, token_count: count, cost_per_batch: costPerBatch, batch_size: batchSize } = value;
  if (!isFiniteNumber(count) || !isFiniteNumber(costPerBatch) || !isFiniteNumber(batchSize)) return [];
  return [{ type, count, costPerBatch, batchSize }];
}

/**
 * A reader of what another reader writes: it turns a client's stream of one API into that of another. How the answer
 * ended, and whether it was cut, is the other reader's word.
 */
export abstract class ReaderBehind implements AnswerReader {
  readonly facts: AnswerFacts;
  readonly #inner: AnswerReader;
  readonly #feed = new SseFeed((type, data) => this.event(type, data));

  constructor(inner: AnswerReader) {
    this.#inner = inner;
    this.facts = inner.facts;
  }

  push(chunk: Buffer): Buffer | null {
    return this.#translate(this.#inner.push(chunk));
  }

  end(): Buffer | null {
    return this.#translate(this.#inner.end());
  }

  /** One event of the other reader's. False: no more of them. */
  protected abstract event(type: string | null, data: string): boolean;

  /** What was written since the last call; null when nothing was. */
  protected abstract takeBytes(): Buffer | null;

  #translate(bytes: Buffer | null): Buffer | null {
    if (bytes !== null) this.#feed.push(bytes);
    return this.takeBytes();
  }
}

/**
 * A value of a collected answer with what an event adds to it: texts and lists grow, the rest is set. A list is grown
 * in place, for it belongs to the answer alone; to copy it with each event would take more and more.
 */
export function grown(before: unknown, added: unknown): unknown {
  if (typeof before === 'string' && typeof added === 'string') return before + added;
  if (!Array.isArray(before) || !Array.isArray(added)) return added;
  for (const each of added) before.push(each);
  return before;
}
