import {
  type AnswerFacts,
  type AnswerReader,
  type AnswerUsage,
  type CopilotUsage,
  noFacts,
} from '../../../formats/answer/answer.ts';
import { MessagesCollector } from '../../../formats/messages/collector.ts';
import { type Block, isToolUseBlock, type MessagesUsage } from '../../../formats/messages/request.ts';
import { encodeIndex, serverToolId } from '../../../formats/messages/search-results.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../../../formats/wire/json.ts';
import { SseFeed, sseEvent, WrittenTexts } from '../../../formats/wire/sse.ts';
import { type FoundPage, foundPages } from './found.ts';

/** A search that the model asked for. */
export interface SearchCall {
  /** Id of the call, given by the model. */
  id: string;
  /** Null if it gave no words. */
  query: string | null;
}

/** Where a result of a search belongs; `call` as the client knows it. */
interface Gap {
  index: number;
  call: string;
}

interface SearchedAnswerOptions {
  /** Name of the function that searches. */
  name: string;
  /** Found in earlier answers of this conversation. */
  pages: readonly FoundPage[];
  /** The model cites pages by itself; else those whose addresses it names are cited. */
  cites: boolean;
}

/** How a whole answer of the upstream ended that is not the client's whole answer. */
interface Round {
  calls: SearchCall[];
  /** What the model said, as it goes back to it. */
  content: Block[];
  /** True if it called tools of the client, too. */
  handsOver: boolean;
}

/**
 * One answer for the client out of several of the upstream's: the model calls a function to search, what was found goes
 * back to it, and it goes on. In the client's stream the call is a `server_tool_use`, its result stands right behind
 * it, blocks are numbered through, and there is one start and one end with the sums of all. Reads streams of the
 * Messages API, and writes one.
 *
 * What comes behind a first search in the same answer waits until that is done: more calls, as a rule.
 */
export class SearchedAnswer implements AnswerReader {
  /** Facts of the whole answer, as the client sees it. */
  readonly facts = noFacts();
  readonly #name: string;
  readonly #written = new WrittenTexts();
  /** Found here, by address: citations of them are ours to name. */
  readonly #pages: Map<string, FoundPage>;
  readonly #cites: boolean;
  #inner: AnswerReader;
  #feed = this.#newFeed();
  #collector = new MessagesCollector();
  #rounds = 1;
  #searches = 0;
  /** The number of the client's next block. */
  #next = 0;
  /** The open block. */
  #open: { index: number; isCall: boolean; text: string } | null = null;
  /** Calls of this round that the client has seen the begin of, in order. */
  #reported: string[] = [];
  /** What waits: a written event, or the place of the result of a call. */
  #held: (string | Gap)[] | null = null;
  #end: JsonObject | null = null;

  constructor(inner: AnswerReader, { name, pages, cites }: SearchedAnswerOptions) {
    this.#inner = inner;
    this.#name = name;
    this.#cites = cites;
    this.#pages = new Map(pages.map((page) => [page.url, page]));
  }

  /** Facts of the upstream answer that is being read. */
  get round(): AnswerFacts {
    return this.#inner.facts;
  }

  push(chunk: Buffer): Buffer | null {
    if (chunk.length > 0) this.#read(this.#inner.push(chunk));
    return this.#written.take();
  }

  end(): Buffer | null {
    this.#read(this.#inner.end());
    return this.#written.take();
  }

  /** Null if the answer is whole, or it failed. */
  ended(): Round | null {
    if (this.facts.ended || this.facts.failure !== null || !this.#inner.facts.ended) return null;
    const message = this.#collector.message();
    if (message === null) {
      this.#fail(this.#collector.problem()?.message ?? 'The answer is incomplete.');
      return null;
    }
    const uses = message.content.filter(isToolUseBlock);
    const calls = uses
      .filter(({ name }) => name === this.#name)
      .map(({ id, input }) => ({ id, query: queryOf(input) }));
    return { calls, content: message.content, handsOver: calls.length < uses.length };
  }

  /** Adds the results of this round's calls, in order. The next `push` sends them. */
  results(blocks: readonly Block[]): void {
    for (const { content } of blocks) for (const page of foundPages(content)) this.#pages.set(page.url, page);
    this.#searches += blocks.length;
    this.#letGo(new Map(blocks.map((block) => [String(block.tool_use_id), block])));
  }

  /** The model goes on: its next answer is read by this. */
  goOn(inner: AnswerReader): void {
    addRound(this.facts, this.#inner.facts);
    this.#inner = inner;
    this.#feed = this.#newFeed();
    this.#collector = new MessagesCollector();
    this.#rounds++;
    this.#reported = [];
    this.#end = null;
  }

  /** Ends the client's answer. Null: as the upstream ended. The next `push` sends it. */
  finish(stopReason: string | null): void {
    addRound(this.facts, this.#inner.facts);
    const { facts } = this;
    const { delta, usage, ...rest } = this.#end ?? { type: 'message_delta' };
    const given = isObject(delta) ? delta : { stop_sequence: null };
    facts.stopReason = stopReason ?? facts.stopReason;
    facts.ended = true;
    const bill = this.#rounds > 1 && facts.copilotUsage !== null ? { copilot_usage: billOf(facts.copilotUsage) } : {};
    this.#event('message_delta', {
      ...rest,
      delta: stopReason === null ? given : { ...given, stop_reason: stopReason },
      usage: {
        ...(isObject(usage) ? usage : {}),
        ...(this.#rounds > 1 ? usageOf(facts.usage) : {}),
        ...(this.#searches > 0
          ? { server_tool_use: { web_search_requests: this.#searches, web_fetch_requests: 0 } }
          : {}),
      },
      ...bill,
    });
    this.#event('message_stop', {});
  }

  #newFeed(): SseFeed {
    return new SseFeed((type, data) => this.#take(type, data));
  }

  #read(bytes: Buffer | null): void {
    if (bytes !== null) {
      this.#collector.push(bytes);
      this.#feed.push(bytes);
    }
    const { started, contentBegan, failure } = this.#inner.facts;
    this.facts.started ||= started;
    this.facts.contentBegan ||= contentBegan;
    this.facts.failure ??= failure;
  }

  #take(named: string | null, data: string): boolean {
    const event = parseObject(data) ?? {};
    const type = typeof event.type === 'string' ? event.type : (named ?? '');
    switch (type) {
      case 'message_start':
        if (this.#rounds === 1) this.#event(type, event);
        break;
      case 'content_block_start':
        this.#begin(isObject(event.content_block) ? event.content_block : {}, event);
        break;
      case 'content_block_delta':
        if (this.#open !== null) this.#add(this.#open, event);
        break;
      case 'content_block_stop':
        this.#close(event);
        break;
      case 'message_delta':
        this.#end = { ...this.#end, ...event };
        break;
      case 'message_stop':
        if (this.#reported.length === 0 || this.#inner.facts.stopReason !== 'tool_use') this.#stop();
        break;
      default:
        this.#event(type, event);
    }
    return true;
  }

  /** The model is done, or it was cut short within a call: then nothing is searched. */
  #stop(): void {
    this.#letGo(new Map());
    this.finish(null);
  }

  /** Sends what has waited, with the results in their places. */
  #letGo(results: ReadonlyMap<string, Block>): void {
    const waiting = this.#held ?? [];
    this.#held = null;
    for (const held of waiting) {
      if (typeof held === 'string') {
        this.#written.add(held);
        continue;
      }
      const { index, call } = held;
      this.#event('content_block_start', { index, content_block: results.get(call) ?? notSearched(call) });
      this.#event('content_block_stop', { index });
    }
  }

  #begin(block: JsonObject, event: JsonObject): void {
    const index = this.#next++;
    const isCall = block.type === 'tool_use' && block.name === this.#name;
    this.#open = { index, isCall, text: block.type === 'text' ? String(block.text ?? '') : '' };
    if (!isCall) {
      this.#event('content_block_start', { ...event, index });
      return;
    }
    const id = String(block.id ?? '');
    this.#reported.push(id);
    const call = { type: 'server_tool_use', id: serverToolId(id), name: 'web_search', input: {} };
    this.#event('content_block_start', { index, content_block: { ...call, caller: { type: 'direct' } } });
  }

  #add(open: { index: number; text: string }, event: JsonObject): void {
    const delta = isObject(event.delta) ? event.delta : {};
    if (delta.type === 'text_delta') open.text += String(delta.text ?? '');
    const citation = delta.type === 'citations_delta' && isObject(delta.citation) ? this.#cited(delta.citation) : null;
    const named = citation === null ? event : { ...event, delta: { ...delta, citation } };
    this.#event('content_block_delta', { ...named, index: open.index });
  }

  /** A page that was found here, cited as Anthropic's own search would have it. Null if something else. */
  #cited(citation: JsonObject): JsonObject | null {
    const { type, source, title, cited_text } = citation;
    if (type !== 'search_result_location' || typeof source !== 'string' || !this.#pages.has(source)) return null;
    const { search_result_index: result, start_block_index: from, end_block_index: to } = citation;
    const at = [result, from, to].map((place) => (isFiniteNumber(place) ? place : 0));
    const encrypted_index = encodeIndex({ result: at[0] ?? 0, from: at[1] ?? 0, to: at[2] ?? 0 });
    return { type: 'web_search_result_location', url: source, title, cited_text, encrypted_index };
  }

  #close(event: JsonObject): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    if (!this.#cites) this.#citeAddresses(open);
    this.#event('content_block_stop', { ...event, index: open.index });
    if (!open.isCall) return;
    this.#held ??= [];
    this.#held.push({ index: this.#next++, call: serverToolId(this.#reported.at(-1) ?? '') });
  }

  /** A model that cannot cite names addresses in its text. */
  #citeAddresses({ index, text }: { index: number; text: string }): void {
    for (const { url, title, quote } of this.#pages.values()) {
      if (!names(text, url)) continue;
      const at = { result: 0, from: 0, to: 1 };
      const found = { type: 'web_search_result_location', url, title, cited_text: quote };
      const citation = { ...found, encrypted_index: encodeIndex(at) };
      this.#event('content_block_delta', { index, delta: { type: 'citations_delta', citation } });
    }
  }

  #fail(message: string): void {
    this.facts.failure ??= { kind: 'error', type: 'api_error', message };
  }

  #event(type: string, event: JsonObject): void {
    const written = sseEvent(type, JSON.stringify({ ...event, type }));
    if (this.#held === null) this.#written.add(written);
    else this.#held.push(written);
  }
}

/** The address, and not the beginning of a longer one. */
function names(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at !== -1; at = text.indexOf(url, at + 1))
    if (!/[\w/?&=%#-]/.test(text.charAt(at + url.length))) return true;
  return false;
}

/** The answer was cut short before the search. */
function notSearched(call: string): Block {
  const content = { type: 'web_search_tool_result_error', error_code: 'unavailable' };
  return { type: 'web_search_tool_result', tool_use_id: call, caller: { type: 'direct' }, content };
}

function queryOf(input: unknown): string | null {
  return isObject(input) && typeof input.query === 'string' && input.query.trim() !== '' ? input.query.trim() : null;
}

/** Adds what one answer of the upstream's was to what the client's answer is so far. */
function addRound(sum: AnswerFacts, round: AnswerFacts): void {
  for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
    sum.usage[key] = plus(sum.usage[key], round.usage[key]);
  if (round.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + round.reasoningTokens;
  sum.copilotUsage = bills(sum.copilotUsage, round.copilotUsage);
  sum.stopReason = round.stopReason;
  sum.upstreamModel = round.upstreamModel ?? sum.upstreamModel;
}

/** What was not counted stays unknown. */
function plus(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}

function bills(one: CopilotUsage | null, other: CopilotUsage | null): CopilotUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    totalNanoAiu: one.totalNanoAiu + other.totalNanoAiu,
    details: [...one.details, ...other.details],
  };
}

/** Usage in the form of the Messages API. */
function usageOf({ input, output, cacheRead, cacheWrite }: AnswerUsage): MessagesUsage {
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    ...(cacheRead === null ? {} : { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite === null ? {} : { cache_creation_input_tokens: cacheWrite }),
  };
}

/** The bill in the form of `copilot_usage`. */
function billOf({ totalNanoAiu, details }: CopilotUsage): JsonObject {
  return {
    total_nano_aiu: totalNanoAiu,
    token_details: details.map(({ type, count, costPerBatch, batchSize }) => ({
      token_type: type,
      token_count: count,
      cost_per_batch: costPerBatch,
      batch_size: batchSize,
    })),
  };
}
