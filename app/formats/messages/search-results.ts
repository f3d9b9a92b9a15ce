import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import type { Block } from './request.ts';

/*
 * What a web search found, as blocks of the Messages API: for the client `web_search_tool_result`, whose
 * `encrypted_content` holds here what the page says, and for a model that cannot search itself, `search_result` in the
 * result of a function. Either can be made of the block for the client alone, since that is all that comes back with a
 * history.
 */

/** Counts up when `encrypted_content` or `encrypted_index` mean something else. */
const version = 1;

/** Contents of `encrypted_content`: not secret, but clients have to return it unchanged. */
interface StoredResult {
  text: string;
  /** What the engine itself made of the pages; with the first of them alone. */
  summary: string | null;
}

/** The `encrypted_content` of a page. */
export function encodeKept(kept: StoredResult): string {
  return encode({ ...kept });
}

/**
 * The result of the function that the model called. Null if the block was not made here.
 * @param cited the model may cite the pages
 */
export function functionResult(block: Block, toolUseId: string, cited: boolean): Block | null {
  const content = modelContent(block.content, cited);
  if (content === null) return null;
  const { cache_control: mark } = block;
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    ...content,
    ...(mark === undefined ? {} : { cache_control: mark }),
  };
}

function modelContent(content: unknown, cited: boolean): { content: Block[]; is_error?: true } | null {
  if (isObject(content) && content.type === 'web_search_tool_result_error') {
    const words = `The web search failed: ${String(content.error_code)}.`;
    return { content: [{ type: 'text', text: words }], is_error: true };
  }
  if (!Array.isArray(content)) return null;
  if (content.length === 0) return { content: [{ type: 'text', text: 'The web search found nothing.' }] };
  const pages: Block[] = [];
  let summary: string | null = null;
  for (const item of content) {
    const kept = isObject(item) ? keptIn(item) : null;
    if (kept === null || !isObject(item)) return null;
    summary ??= kept.summary;
    pages.push({
      type: 'search_result',
      source: String(item.url),
      title: String(item.title),
      content: [{ type: 'text', text: kept.text }],
      ...(cited ? { citations: { enabled: true } } : {}),
    });
  }
  if (summary !== null) pages.push({ type: 'text', text: `The search engine’s summary:\n${summary}` });
  return { content: pages };
}

/** What a `web_search_result` says about its page. Null if it was not made here. */
export function keptIn({ encrypted_content: encrypted }: JsonObject): StoredResult | null {
  const kept = decode(encrypted);
  if (kept === null || typeof kept.text !== 'string' || kept.text === '') return null;
  return { text: kept.text, summary: typeof kept.summary === 'string' ? kept.summary : null };
}

/**
 * Where a model cites a page: by its place among all `search_result` blocks of the request, and by blocks within it.
 */
interface Cited {
  result: number;
  from: number;
  to: number;
}

export function encodeIndex({ result, from, to }: Cited): string {
  return encode({ result, from, to });
}

/** Null if it was not made here. */
export function decodeIndex(encrypted: unknown): Cited | null {
  const { result, from, to } = decode(encrypted) ?? {};
  return isPlace(result) && isPlace(from) && isPlace(to) ? { result, from, to } : null;
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify({ jumpseat: version, ...value })).toString('base64url');
}

function decode(encrypted: unknown): JsonObject | null {
  if (typeof encrypted !== 'string' || !encrypted.startsWith(beginning)) return null;
  const value = parseObject(Buffer.from(encrypted, 'base64url').toString('utf8'));
  return value?.jumpseat === version ? value : null;
}

/** Whole groups of three bytes, so that what follows changes nothing of it. */
const beginning = Buffer.from('{"jumpseat":').toString('base64url');

const fromModel = /^(?:toolu_)?/;

/** The id of a call as the client sees it, and back. */
export function serverToolId(callId: string): string {
  return callId.replace(fromModel, 'srvtoolu_');
}
export function callId(serverToolId: string): string {
  return serverToolId.replace(/^(?:srvtoolu_)?/, 'toolu_');
}
