import type { FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { clampEffort, effortName } from '../../formats/translation/effort.ts';
import { Notes, together } from '../../formats/translation/note.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { type Learned, note, type OptionalParameter, without } from '../fits/fit.ts';
import { withoutField } from '../fits/unknown-fields.ts';
import { refuse, Stopped } from '../recover/error.ts';
import { isHostedSearch } from './openai-search.ts';

/**
 * What happens to one field of a request. Nothing is left out without a note: `note` stands in the log, a refusal
 * names the field.
 */
export type FieldAction =
  | { kind: 'pass' }
  | { kind: 'change'; value: unknown; note: string | null }
  | { kind: 'drop'; note: string | null }
  | { kind: 'refuse'; message: string; code?: string };

export type FieldRule = (value: unknown, model: CatalogModel) => FieldAction;

export const pass: FieldAction = { kind: 'pass' };
/** A field that is written elsewhere. */
export const passOn: FieldRule = () => pass;
export const dropQuietly: FieldAction = { kind: 'drop', note: null };

/** Says who asks, or how a client keeps its own records: nothing for Copilot. */
export const drop =
  (field: string): FieldRule =>
  () => ({ kind: 'drop', note: `${field} removed` });

/** Left out where it asks for what is done without the field as well; refused with any other value. */
export const only =
  (allowed: readonly unknown[], message: string, code?: string): FieldRule =>
  (value) =>
    value === null || allowed.some((each) => JSON.stringify(each) === JSON.stringify(value))
      ? dropQuietly
      : { kind: 'refuse', message, ...(code === undefined ? {} : { code }) };

/** Limits tokens to the model's maximum and the API's minimum. */
export const outputTokens =
  (field: string, least = 1): FieldRule =>
  (value, model) => {
    if (typeof value !== 'number') return pass;
    const most = model.limits.outputTokens ?? Number.POSITIVE_INFINITY;
    const tokens = Math.max(least, Math.min(value, most));
    return tokens === value ? pass : { kind: 'change', value: tokens, note: `${field} ${value} → ${tokens}` };
  };

export const effort =
  (field: string): FieldRule =>
  (value, model) => {
    if (typeof value !== 'string') return pass;
    const { efforts } = model.supports;
    const taken = clampEffort(value, efforts);
    if (taken === value) return pass;
    return taken === null
      ? { kind: 'drop', note: `${field} ${effortName(value)} removed: ${model.id} has none` }
      : { kind: 'change', value: taken, note: `${field} ${effortName(value)} → ${taken}` };
  };

/**
 * The fields of a body after their rules; a field without a rule goes on as it is. The body itself is not changed.
 * Throws `Stopped` where one is refused.
 */
export function applyRules(
  body: JsonObject,
  rules: Readonly<Record<string, FieldRule>>,
  model: CatalogModel,
): { body: JsonObject; notes: FitNote[] } {
  const notes: FitNote[] = [];
  const fitted: JsonObject = {};
  for (const [field, value] of Object.entries(body)) {
    const fate = Object.hasOwn(rules, field) ? (rules[field]?.(value, model) ?? pass) : pass;
    switch (fate.kind) {
      case 'pass':
        fitted[field] = value;
        break;
      case 'change':
        fitted[field] = fate.value;
        if (fate.note !== null) notes.push(note('field-changed', fate.note));
        break;
      case 'drop':
        if (fate.note !== null) notes.push(note('field-dropped', fate.note));
        break;
      case 'refuse':
        throw refuseField(field, fate.message, fate.code);
    }
  }
  return { body: fitted, notes: notes.length === 0 ? notes : together(notes) };
}

export function refuseField(field: string, message: string, code = 'unsupported_parameter'): Stopped {
  const error = refuse(400, 'invalid_request_error', code, `Jumpseat: ${field}: ${message}`, false);
  return new Stopped({ ...error, param: field });
}

/**
 * The body without what the model has refused before, and without reasoning that no model can decrypt any more. The
 * same object where nothing is left out.
 */
export function withoutRefused(body: JsonObject, learned: Learned | null): { body: JsonObject; notes: FitNote[] } {
  if (learned === null) return { body, notes: [] };
  const notes = new Notes();
  let next = body;
  for (const parameter of learned.refusedParameters) {
    const without = takeOut(next, parameter);
    if (without === next) continue;
    next = without;
    notes.add('refused-field-removed', noteOf(parameter));
  }
  const { input } = next;
  if (Array.isArray(input)) {
    const readable: unknown[] = input.filter((item: unknown) => !isRefused(item, learned));
    for (let at = readable.length; at < input.length; at++) notes.add('refused-thinking-removed', 'reasoning removed');
    if (readable.length < input.length) next = { ...next, input: readable };
  }
  return { body: next, notes: notes.list() };
}

function noteOf(parameter: OptionalParameter): string {
  return parameter === 'max_tokens' ? 'max_tokens sent as max_completion_tokens' : `${parameter} removed`;
}

function isRefused(item: unknown, learned: Learned): boolean {
  return (
    isObject(item) &&
    item.type === 'reasoning' &&
    typeof item.encrypted_content === 'string' &&
    learned.refusesThinking(item.encrypted_content)
  );
}

function takeOut(body: JsonObject, parameter: OptionalParameter): JsonObject {
  switch (parameter) {
    case 'max_tokens': {
      const { max_tokens: tokens, ...rest } = body;
      return tokens === undefined ? body : { max_completion_tokens: tokens, ...rest };
    }
    case 'tools.web_search':
      return withoutSearch(body);
    case 'tools.strict':
    case 'tools.function.strict':
      return withoutStrict(body);
    default:
      return withoutField(body, parameter);
  }
}

/** Adds `strict: false` for Responses, which otherwise treats a schema as strict. */
function withoutStrict(body: JsonObject): JsonObject {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  let changed = false;
  const loose = tools.map((tool: unknown): unknown => {
    if (!isObject(tool)) return tool;
    const declared = isObject(tool.function) ? tool.function : tool;
    if (declared.strict !== true) return tool;
    changed = true;
    return declared === tool ? { ...tool, strict: false } : { ...tool, function: without(declared, 'strict') };
  });
  return changed ? { ...body, tools: loose } : body;
}

function withoutSearch(body: JsonObject): JsonObject {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  const kept: unknown[] = tools.filter((tool: unknown) => !isHostedSearch(tool));
  if (kept.length === tools.length) return body;
  const { tools: _tools, tool_choice: choice, ...rest } = body;
  if (kept.length === 0) return rest;
  const chosen = choice === undefined || isHostedSearch(choice) ? {} : { tool_choice: choice };
  return { ...rest, tools: kept, ...chosen };
}
