import type { FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';
import type { Block, MessagesRequest, Tool } from '../../formats/messages/request.ts';

/**
 * A fit is a change that Copilot's boundary needs, and nothing else: it knows Copilot and Anthropic's format. Every fit
 * is a pure function that gives the same output for the same input (prompt caching lives on byte-equal prefixes), never
 * writes to what it was given, copies only along the path it changes, and returns the very same object when it has
 * nothing to do.
 */

/** What a fit may know besides the request. */
export interface FitContext {
  model: CatalogModel;
  path: ChatPath;
  /** The lines of `anthropic-beta` as the client sent them. */
  betas: readonly string[];
  purpose: 'message' | 'count';
  /** What refusals have taught. `model` holds its limits and efforts already. Absent: nothing. */
  learned?: Learned | undefined;
  /** Id of an offered model that reads PDFs, for the text that refuses one. */
  documentModel?: string | null | undefined;
  /** Why no search of the web is made here, and what to do, for the text that refuses one. */
  whySearchIsOff?: (() => string) | undefined;
}

/** The request is answered by ourselves, without Copilot. */
export interface Refusal {
  ok: false;
  status: number;
  type: AnthropicErrorType;
  /** The exact message to the client. */
  message: string;
  code: string;
  /** False: the answer carries `x-should-retry: false`. */
  shouldRetry: boolean;
}

export type FitResult = { ok: true; request: MessagesRequest; notes: readonly FitNote[] } | Refusal;

/** A change of the whole request. Looks that stand for many fits know what there is in it. */
export type Fit = (request: MessagesRequest, context: FitContext, found: ReadonlySet<Subject>) => FitResult;

/** What a request may have, so that there is something for fits to do. */
export type Subject =
  | 'images'
  | 'thinking'
  | 'tool calls'
  | 'server tools'
  | 'cache marks'
  | 'system messages'
  | 'efforts'
  | 'lessons';

/** Fits, in their order. Left out for a request that has nothing of what they are about. */
export interface Step<Each> {
  about?: Subject;
  fits: readonly Each[];
}

/** The steps that this request needs. */
export function fitsFor<Each>(steps: readonly Step<Each>[], found: ReadonlySet<Subject>): Each[] {
  const all: Each[] = [];
  for (const { about, fits } of steps) if (about === undefined || found.has(about)) all.push(...fits);
  return all;
}

/** Place of a block. `result`: inside another block's `content` (a tool_result, a search result). */
export interface BlockPlace {
  in: 'system' | 'message' | 'result';
  role: string | null;
}

/** `block: null` takes the block out. */
export interface BlockChange {
  ok: true;
  block: Block | null;
  note: FitNote;
}

/** One quirk of one block; called by the shared walk. Null leaves the block as it is. */
export type BlockFit = (block: Block, place: BlockPlace, context: FitContext) => BlockChange | Refusal | null;

/** One quirk of one tool; called by the shared walk. Null leaves the tool as it is. */
export type ToolFit = (tool: Tool, context: FitContext) => { tool: Tool; note: FitNote } | null;

const noNotes: readonly FitNote[] = [];

export function unchanged(request: MessagesRequest): FitResult {
  return { ok: true, request, notes: noNotes };
}

/** `text` is what one change reads like; the number of changes is put behind it in the end. */
export function changed(request: MessagesRequest, code: string, text: string, count = 1): FitResult {
  return { ok: true, request, notes: [note(code, text, count)] };
}

export function note(code: string, text: string, count = 1): FitNote {
  return { code, count, text };
}

/** For shapes that the fits cannot walk over. `message` names the place. */
export function malformed(message: string): Refusal {
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message,
    code: 'malformed-request',
    shouldRetry: false,
  };
}

/** A text block that stands where `block` stood, with its cache mark. */
export function textInPlaceOf(block: Block, text: string): Block {
  const { cache_control } = block;
  return cache_control === undefined ? { type: 'text', text } : { type: 'text', text, cache_control };
}

/** The list itself when `change` returned every item as it was, else a new one. */
export function mapKeeping<T>(list: T[], change: (item: T, index: number) => T): T[] {
  let copy: T[] | null = null;
  let index = -1;
  // Not over `entries()`, which makes two objects for each of thousands of blocks.
  for (const item of list) {
    index += 1;
    const next = change(item, index);
    if (next === item) continue;
    copy ??= list.slice();
    copy[index] = next;
  }
  return copy ?? list;
}

/**
 * A copy of `object` in which these keys are missing; the object itself when it has none of them. Order of keys is
 * kept.
 */
export function without<T extends object>(object: T, ...keys: string[]): T {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  const copy = { ...object };
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy;
}

/** Fields that a request can do without, as they are named in a refusal without their places in lists. */
export const optionalFields = [
  'context_management',
  'thinking.display',
  'output_config',
  'output_config.effort',
  'output_config.format',
  'messages.output_config',
  'tools.strict',
  'service_tier',
] as const;
export type OptionalField = (typeof optionalFields)[number];

export function isOptionalField(text: string): text is OptionalField {
  return optionalFields.some((field) => field === text);
}

/** What refusals have taught about the model of a request. */
export interface Learned {
  /** The model, with the limits and efforts that Copilot named in a refusal. */
  model: CatalogModel;
  refusedFields: ReadonlySet<OptionalField>;
  /** Refused parameters by OpenAI's names. */
  refusedParameters: ReadonlySet<OptionalParameter>;
  /** Unknown fields of the body as the path receives it, by the names of `fits/unknown-fields.ts`. */
  unknownFields: ReadonlySet<string>;
  refusesSystemMessages: boolean;
  refusesStop: boolean;
  /** A thinking block with this signature (or this data, where it is redacted). */
  refusesThinking: (proof: string) => boolean;
  /** A reference to this tool, as long as its loading is deferred. */
  refusesDeferred: (tool: string) => boolean;
}

/**
 * What an OpenAI request that is passed through can do without, as it is named in a refusal without its places in
 * lists. What changes the meaning of an answer (`stop`, `n`, `seed`, a schema, penalties, …) is not among it: there the
 * client is told, and decides.
 */
export const optionalParameters = [
  'temperature',
  'top_p',
  'verbosity',
  'text.verbosity',
  'prediction',
  'reasoning_effort',
  'reasoning.effort',
  'reasoning.summary',
  'reasoning',
  'truncation',
  'include',
  'max_tool_calls',
  'tools.strict',
  'tools.function.strict',
  // The hosted tool, in all its versions.
  'tools.web_search',
  // Newer models take it by its other name.
  'max_tokens',
] as const;
export type OptionalParameter = (typeof optionalParameters)[number];

export function isOptionalParameter(text: string): text is OptionalParameter {
  return optionalParameters.some((parameter) => parameter === text);
}
