import type { FitNote } from '../../api/exchange.ts';
import type { Message, MessagesRequest, OutputConfig } from '../../formats/messages/request.ts';
import { clampEffort, effortName } from '../../formats/translation/effort.ts';
import { isObject } from '../../formats/wire/json.ts';
import {
  changed,
  type Fit,
  type FitContext,
  type FitResult,
  malformed,
  mapKeeping,
  note,
  type Refusal,
  unchanged,
  without,
} from './fit.ts';
import { thinks } from './thinking.ts';
import { withoutField, withoutUnknownFields } from './unknown-fields.ts';

type Kinds = readonly (readonly [field: string, kind: Kind])[];
type Kind = 'a string' | 'a number' | 'true or false' | 'an object' | 'a list of strings';

/** Fields that later steps and other formats read. */
const kinds: Kinds = [
  ['max_tokens', 'a number'],
  ['stream', 'true or false'],
  ['temperature', 'a number'],
  ['top_p', 'a number'],
  ['top_k', 'a number'],
  ['stop_sequences', 'a list of strings'],
  ['thinking', 'an object'],
  ['tool_choice', 'an object'],
  ['output_config', 'an object'],
];

/**
 * What the steps after it rely on, beyond what the reader of the request has made sure of: the system is a text or a
 * list of objects, the tools are a list of objects with names, and known fields are of their kind. Null is none, as
 * where a field is left out.
 */
export function refuseMalformed(request: MessagesRequest): FitResult {
  const { system, tools } = request;
  const wrong =
    (typeof system === 'string' ? null : complain('system', 'a string or a list', system)) ??
    complain('tools', 'a list', tools) ??
    complainOfKinds(request, kinds, () => '') ??
    complainOfTools(tools) ??
    complainOfBlocks(request.messages);
  const hasNull = system === null || tools === null;
  return wrong ?? unchanged(hasNull ? withoutNull(withoutNull(request, 'system'), 'tools') : request);
}

function complain(field: string, expected: string, list: unknown): Refusal | null {
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) return malformed(`${field}: Input should be ${expected}`);
  const index = list.findIndex((item) => !isObject(item));
  return index === -1 ? null : malformed(`${field}.${index}: Input should be an object`);
}

/** `place` names the holder in a refusal. */
function complainOfKinds(holder: object, kinds: Kinds, place: () => string): Refusal | null {
  for (const [field, kind] of kinds) {
    const value: unknown = Reflect.get(holder, field);
    if (value !== undefined && value !== null && !isOf(kind, value))
      return malformed(`${place()}${field}: Input should be ${kind}`);
  }
  return null;
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'a string':
      return typeof value === 'string';
    case 'a number':
      return typeof value === 'number';
    case 'true or false':
      return typeof value === 'boolean';
    case 'an object':
      return isObject(value);
    case 'a list of strings':
      return Array.isArray(value) && value.every((each) => typeof each === 'string');
  }
}

/** A block that is none would be a fault of whatever looks at it first. */
function complainOfBlocks(messages: MessagesRequest['messages']): Refusal | null {
  let index = -1;
  for (const { content } of messages) {
    index += 1;
    if (typeof content === 'string') continue;
    const wrong = content.findIndex((block) => !isObject(block));
    if (wrong !== -1) return malformed(`messages.${index}.content.${wrong}: Input should be an object`);
  }
  return null;
}

const toolKinds: Kinds = [
  ['name', 'a string'],
  ['type', 'a string'],
  ['description', 'a string'],
];

/** Tools of the API itself may have no name. */
function complainOfTools(tools: MessagesRequest['tools']): Refusal | null {
  for (const [index, tool] of (tools ?? []).entries()) {
    const wrong = complainOfKinds(tool, toolKinds, () => `tools.${index}.`);
    if (wrong !== null) return wrong;
    const isClients = tool.type === undefined || tool.type === null || tool.type === 'custom';
    if (isClients && !tool.name) return malformed(`tools.${index}.name: Field required`);
  }
  return null;
}

function withoutNull(request: MessagesRequest, field: 'system' | 'tools'): MessagesRequest {
  const value: unknown = request[field];
  if (value !== null) return request;
  const next = { ...request };
  delete next[field];
  return next;
}

export const safeguardsRefused = 'safeguards-refused';

/**
 * `safeguards` asks the API to judge tool calls, which Copilot does not do. A 400 that names the field is how a gateway
 * says so: Claude Code 2.1.328 repeats the prompt at once without it and checks risky calls itself. Taking the field
 * out silently would leave the client waiting for a verdict first. The field holds paths of this machine: it is never
 * logged.
 */
export function refuseSafeguards(request: MessagesRequest, context: FitContext): FitResult {
  if (request.safeguards === undefined) return unchanged(request);
  if (context.purpose === 'count') {
    return changed(without(request, 'safeguards'), 'safeguards-removed', 'safeguards removed');
  }
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message: 'safeguards: Extra inputs are not permitted',
    code: safeguardsRefused,
    shouldRetry: true,
  };
}

/**
 * Copilot knows its models by its own spelling only (`claude-sonnet-4.6`, not `claude-sonnet-4-6`):
 * `model_not_supported` otherwise.
 */
export function sendResolvedModel(request: MessagesRequest, { model }: FitContext): FitResult {
  if (request.model === model.id) return unchanged(request);
  const asked = /^[\w.:@/[\]-]{1,80}$/.test(request.model) ? request.model : '(another name)';
  return changed({ ...request, model: model.id }, 'model', `model: ${asked} → ${model.id}`);
}

/** `metadata.user_id` holds the client's device and account ids. Copilot takes it but has no need of it. */
export function removeMetadata(request: MessagesRequest): FitResult {
  if (request.metadata === undefined) return unchanged(request);
  return changed(without(request, 'metadata'), 'metadata-removed', 'metadata removed');
}

/**
 * "<field>: Extra inputs are not permitted": measured for `inference_geo`, `fallbacks`, `mcp_servers` and `advisor`;
 * `container` belongs to code execution, `speed` to the fast-mode beta, which both stay here.
 */
const refused = ['inference_geo', 'fallbacks', 'mcp_servers', 'advisor', 'container', 'speed'];

export function removeRefusedFields(request: MessagesRequest): FitResult {
  const found = refused.filter((field) => request[field] !== undefined);
  if (found.length === 0) return unchanged(request);
  const notes = found.map((field) => note('field-removed', `${field} removed`));
  return { ok: true, request: without(request, ...found), notes };
}

/**
 * "…: Extra inputs are not permitted": some models and routes do not know a field that others take. A refusal taught
 * it; the beta leaves with it.
 */
export const removeLearnedFields: Fit = (request, { learned, path }) => {
  if (learned === undefined) return unchanged(request);
  // Those of the other paths are of another body, which is not written yet.
  const unknown = path === '/v1/messages' ? learned.unknownFields : noFields;
  const { body, notes } = withoutUnknownFields(request, unknown);
  let next = body;
  for (const field of learned.refusedFields) {
    const changed = withoutField(next, field);
    if (changed === next) continue;
    next = changed;
    notes.push(note('refused-field-removed', `${field} removed`));
  }
  return next === request ? unchanged(request) : { ok: true, request: next, notes };
};

const noFields: ReadonlySet<string> = new Set();

/**
 * Anthropic's rule: a model that thinks takes no other temperature than 1, and no top_p or top_k. VS Code leaves them
 * out as well.
 */
export function removeSamplingValues(request: MessagesRequest): FitResult {
  if (!thinks(request)) return unchanged(request);
  const refused = [...(request.temperature === 1 ? [] : ['temperature']), 'top_p', 'top_k'];
  const next = without(request, ...refused);
  if (next === request) return unchanged(request);
  return changed(next, 'sampling-values-removed', 'sampling values removed');
}

/**
 * "The maximum tokens you requested exceeds the model limit": Claude Code repeats such a request five times before it
 * shows the error.
 */
export function clampMaxTokens(request: MessagesRequest, { model }: FitContext): FitResult {
  const asked = request.max_tokens;
  const most = model.limits.outputTokens;
  if (most === null || typeof asked !== 'number' || asked <= most) return unchanged(request);
  return changed({ ...request, max_tokens: most }, 'max-tokens-clamped', `max_tokens ${asked} → ${most}`);
}

/** Holds for the request and for the system messages that bring an effort of their own. */
export function clampEfforts(request: MessagesRequest, { model }: FitContext): FitResult {
  const notes: FitNote[] = [];
  const { efforts } = model.supports;
  let next = withEffort(request, request.output_config, efforts, notes);
  const messages = mapKeeping(request.messages, (message): Message => {
    const config = message.role === 'system' ? message.output_config : undefined;
    return isObject(config) ? withEffort(message, config, efforts, notes) : message;
  });
  if (messages !== request.messages) next = { ...next, messages };
  return next === request ? unchanged(request) : { ok: true, request: next, notes };
}

function withEffort<T extends MessagesRequest | Message>(
  holder: T,
  config: OutputConfig | undefined,
  efforts: readonly string[],
  notes: FitNote[],
): T {
  const asked = config?.effort;
  if (typeof asked !== 'string' || efforts.includes(asked)) return holder;
  const said = effortName(asked);
  const given = clampEffort(asked, efforts);
  if (given !== null) {
    notes.push(note('effort-clamped', `effort ${said} → ${given}`));
    return { ...holder, output_config: { ...config, effort: given } };
  }
  notes.push(note('effort-removed', `effort ${said} removed`));
  const rest = without({ ...config }, 'effort');
  return Object.keys(rest).length > 0 ? { ...holder, output_config: rest } : without(holder, 'output_config');
}

/**
 * Copilot cuts whole answers at `max_non_streaming_output_tokens` (16000), so every answer is streamed and, where a
 * whole one was asked for, collected.
 */
export function streamUpstream(request: MessagesRequest, { purpose }: FitContext): FitResult {
  if (purpose === 'count' || request.stream === true) return unchanged(request);
  return changed({ ...request, stream: true }, 'streamed-upstream', 'streamed upstream, collected');
}

/** Counting takes no `max_tokens` and no `stream`. */
export function countOnly(request: MessagesRequest, { purpose }: FitContext): FitResult {
  const next = purpose === 'count' ? without(request, 'max_tokens', 'stream') : request;
  return next === request ? unchanged(request) : changed(next, 'count-only', 'max_tokens and stream removed');
}
