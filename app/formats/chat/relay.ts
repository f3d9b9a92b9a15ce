import {
  type AnswerReader,
  type AnswerUsage,
  noFacts,
  noteBlock,
  noteText,
  readCopilotUsage,
} from '../answer/answer.ts';
import { EventShape, ShapedFeed } from '../answer/event-shape.ts';
import { cutFailure, readStreamError } from '../answer/stream-error.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../wire/json.ts';

interface ChatRelayOptions {
  /** The name the client asked for; every chunk has it. */
  model: string;
  /** The client asked for the last chunk, which holds nothing but usage. */
  includeUsage: boolean;
  /** Number of choices that it asked for (`n`). Default 1. */
  choices?: number;
}

/**
 * The way of a chat stream whose client speaks Chat Completions, too. Chunks go on with all their fields, Copilot's own
 * among them. What changes: the model's name; chunks without a choice go on only as the usage that was asked for; calls
 * that all bear the index 0 (`sse-chat-claude35sonnet-multiple-tool-calls`) get one each, for a client would join their
 * arguments. `[DONE]` is written once, at the end.
 */
export class ChatRelay implements AnswerReader {
  readonly facts = noFacts();
  readonly #options: ChatRelayOptions;
  readonly #feed = new ShapedFeed(this);
  /** Calls by the index of the choice. */
  readonly #calls = new Map<number, CallIndexes>();
  /** Indexes of the choices that have begun and not ended, and of those that have ended. */
  readonly #open = new Set<number>();
  readonly #finished = new Set<number>();
  /** How the last chunk came and went out, where the next one may be the same but for its words. */
  #plain: { came: EventShape; goes: EventShape; words: number; more: number } | null = null;

  /** Chunks of words in a row that were not like the one before. */
  #unknownFields = 0;

  constructor(options: ChatRelayOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#over) return null;
    this.#feed.push(chunk);
    return this.#feed.takeBytes();
  }

  end(): Buffer | null {
    if (this.#over) return null;
    this.#feed.end();
    if (!this.#over) this.#end(this.#options.choices ?? 1);
    return this.#feed.takeBytes();
  }

  get #over(): boolean {
    return this.facts.ended || this.facts.failure !== null;
  }

  /**
   * Without a finish reason for each choice the answer was cut. `least`: so many there have to be; a service may know
   * of one alone, and says `[DONE]`.
   */
  #end(least: number): void {
    const isWhole = this.facts.stopReason !== null && this.#open.size === 0 && this.#finished.size >= least;
    if (!isWhole) {
      this.facts.failure = cutFailure();
      return;
    }
    this.facts.ended = true;
    this.#feed.write(Buffer.from('data: [DONE]\n\n'));
  }

  take(event: string | null, data: string, raw: Buffer): boolean {
    const { facts } = this;
    if (data.startsWith('[DONE]')) {
      this.#end(0);
      return false;
    }
    const chunk = parseObject(data);
    if (event === 'error' || (chunk !== null && isObject(chunk.error))) {
      facts.started = true;
      facts.failure = readStreamError(data);
      return false;
    }
    this.#plain = null;
    if (chunk === null) facts.unreadable++;
    else this.#chunk(chunk, data, raw);
    return true;
  }

  #chunk(chunk: JsonObject, data: string, raw: Buffer): void {
    const { facts } = this;
    facts.started = true;
    if (typeof chunk.model === 'string' && chunk.model !== '') facts.upstreamModel = chunk.model;
    if (isObject(chunk.usage)) {
      readChatUsage(chunk.usage, facts.usage);
      facts.copilotUsage = readCopilotUsage(chunk.usage.copilot_usage) ?? facts.copilotUsage;
    }
    facts.copilotUsage = readCopilotUsage(chunk.copilot_usage) ?? facts.copilotUsage;
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of choices) if (isObject(choice)) this.#choice(choice);
    // Filter results of the prompt come without a choice; clients that look at the first one would break.
    if (choices.length === 0 && !(isObject(chunk.usage) && this.#options.includeUsage)) return;
    chunk.model = this.#options.model;
    const written = Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
    this.#feed.write(written);
    const key = wordsKey(chunk);
    if (key !== null && key !== '') this.#remember(raw, data, written, key);
  }

  /** Nearly every chunk is like the one before with other words: recognised by its bytes, it isn't parsed. */
  same(bytes: Buffer, from: number): number {
    const plain = this.#plain;
    const to = plain === null ? -1 : plain.came.endOf(bytes, from);
    if (plain === null || to === -1) return -1;
    this.#unknownFields = 0;
    const { spans } = plain.came;
    const { words, more } = plain;
    this.facts.said += (spans[2 * words + 1] ?? 0) - (spans[2 * words] ?? 0);
    const written = Buffer.allocUnsafe(to - from + more);
    let at = 0;
    for (const [n, literal] of plain.goes.literals.entries()) {
      at += literal.copy(written, at);
      if (2 * n < spans.length) at += bytes.copy(written, at, spans[2 * n], spans[2 * n + 1]);
    }
    this.#feed.write(written);
    return to;
  }

  #remember(raw: Buffer, data: string, written: Buffer, key: string): void {
    if (++this.#unknownFields > mostUnknownFields) return;
    const came = raw.equals(Buffer.from(`data: ${data}\n\n`)) ? EventShape.of(raw, [key, ...passing]) : null;
    const goes = EventShape.of(written, [key, ...passing]);
    if (came === null || goes === null || came.keys.join() !== goes.keys.join()) return;
    const words = came.keys.indexOf(key);
    if (words !== -1) this.#plain = { came, goes, words, more: lengthOf(goes.literals) - lengthOf(came.literals) };
  }

  #choice(choice: JsonObject): void {
    const { facts } = this;
    if (isObject(choice.delta)) {
      const { content, refusal, reasoning_text: reasoning, tool_calls: calls } = choice.delta;
      if ([content, refusal, reasoning].some((text) => typeof text === 'string' && text !== ''))
        facts.contentBegan = true;
      noteText(facts, 'reasoning', reasoning);
      noteText(facts, 'text', content);
      noteText(facts, 'refusal', refusal);
      if (Array.isArray(calls) && calls.length > 0) {
        facts.contentBegan = true;
        this.#number(calls, typeof choice.index === 'number' ? choice.index : 0);
      }
    }
    if (typeof choice.finish_reason === 'string') facts.stopReason = choice.finish_reason;
    this.#noteEnd(choice);
  }

  /**
   * A choice that began has to come to its end. Where one was asked for, whatever index its chunks bear, one end is the
   * end.
   */
  #noteEnd({ index, finish_reason: reason }: JsonObject): void {
    const isOne = (this.#options.choices ?? 1) === 1 || typeof index !== 'number';
    const key = isOne ? 0 : index;
    if (typeof reason === 'string') {
      this.#finished.add(key);
      this.#open.delete(key);
    } else if (!this.#finished.has(key)) this.#open.add(key);
  }

  #number(calls: unknown[], choice: number): void {
    const indexes = this.#calls.get(choice) ?? new CallIndexes();
    this.#calls.set(choice, indexes);
    for (const call of calls) {
      if (!isObject(call)) continue;
      call.index = indexes.of(call);
      if (!isObject(call.function)) continue;
      const { name, arguments: json } = call.function;
      if (typeof name === 'string' && name !== '') noteBlock(this.facts, 'tool_call', name);
      if (typeof json === 'string') this.facts.said += json.length;
    }
  }
}

/** Where so many in a row differ in something else, too, it is not looked for any more. */
const mostUnknownFields = 50;

/** Fields that pad a chunk to a length that reveals nothing about its words. */
const passing = ['"obfuscation":"', '"padding":"'];

const wordsKeys: Readonly<Record<string, string>> = {
  content: '"content":"',
  reasoning_text: '"reasoning_text":"',
  refusal: '"refusal":"',
};

/**
 * The key of a chunk's words, where it has words of one kind and says nothing else: one that differs in its words alone
 * says as little. Else null.
 */
function wordsKey({ usage, copilot_usage: bill, choices }: JsonObject): string | null {
  const [choice, another]: unknown[] = Array.isArray(choices) ? choices : [];
  if (isObject(usage) || isObject(bill) || another !== undefined || !isObject(choice)) return null;
  if (typeof choice.finish_reason === 'string' || !isObject(choice.delta)) return null;
  const { tool_calls: calls, ...said } = choice.delta;
  const keys = [
    ...Object.entries(wordsKeys).flatMap(([field, key]) => (isText(said[field]) ? [key] : [])),
    ...(Array.isArray(calls) ? calls.map(argumentsKey) : []),
  ];
  return keys.length === 1 ? (keys[0] ?? null) : null;
}

/** Key of a call that continues: a new call has a name and an id. Empty if it may be more. */
function argumentsKey(call: unknown): string {
  if (!isObject(call) || isText(call.id) || !isObject(call.function)) return '';
  return isText(call.function.name) || !isText(call.function.arguments) ? '' : '"arguments":"';
}

function lengthOf(literals: readonly Buffer[]): number {
  return literals.reduce((sum, { length }) => sum + length, 0);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** A new id that is not empty begins a new call, whatever index it bears. */
class CallIndexes {
  #count = 0;
  readonly #open = new Map<number, { id: string; index: number }>();

  of(call: JsonObject): number {
    const wire = typeof call.index === 'number' ? call.index : 0;
    const id = typeof call.id === 'string' ? call.id : '';
    const open = this.#open.get(wire);
    if (open !== undefined && (id === '' || id === open.id)) return open.index;
    const index = this.#count++;
    this.#open.set(wire, { id, index });
    return index;
  }
}

/**
 * Reads the `usage` of a chat answer. `prompt_tokens` includes cached ones, ours do not. Gemini counts
 * `reasoning_tokens` beside `completion_tokens` instead of in them; the total tells which it is. A later usage takes
 * the place of an earlier one.
 */
export function readChatUsage(usage: JsonObject, into: AnswerUsage): void {
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const cached = isFiniteNumber(details.cached_tokens) ? details.cached_tokens : null;
  const cacheWrite = isFiniteNumber(details.cache_creation_input_tokens) ? details.cache_creation_input_tokens : null;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (isFiniteNumber(prompt)) into.input = Math.max(0, prompt - (cached ?? 0) - (cacheWrite ?? 0));
  if (cached !== null) into.cacheRead = cached;
  if (cacheWrite !== null) into.cacheWrite = cacheWrite;
  if (isFiniteNumber(completion)) into.output = completion + reasoningBeside(usage, prompt, completion);
}

/** Reasoning tokens among the output tokens; 0 if they are not counted separately. */
export function reasoningTokensOf(usage: JsonObject): number {
  const details = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const counted = details.reasoning_tokens ?? usage.reasoning_tokens;
  return isFiniteNumber(counted) ? counted : 0;
}

function reasoningBeside(usage: JsonObject, prompt: unknown, completion: number): number {
  const { reasoning_tokens: reasoning, total_tokens: total } = usage;
  if (!isFiniteNumber(reasoning) || !isFiniteNumber(total) || !isFiniteNumber(prompt)) return 0;
  return total === prompt + completion + reasoning ? reasoning : 0;
}
