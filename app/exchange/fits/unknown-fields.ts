import type { FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import { isObject } from '../../formats/wire/json.ts';
import { mapKeeping, without } from './fit.ts';

/**
 * A field that Copilot refused as unknown, by its keys without places in lists: `future_field`, `tools.defer_loading`,
 * `messages.output_config`. What a client of tomorrow sends is left out, so that it goes on with today's Copilot.
 */
export type FieldName = string;

const nameOf = /^[A-Za-z_][\w-]{0,63}(?:\.[A-Za-z_][\w-]{0,63}){0,4}$/;

/** Fields for what was said, how it is answered and who gets it: if Copilot refuses one, the client decides. */
const keptFields: Record<ChatPath, readonly string[]> = {
  '/v1/messages': ['model', 'max_tokens', 'stream', 'system', 'tool_choice', 'stop_sequences', 'output_config.format'],
  '/chat/completions': [
    'model',
    'max_tokens',
    'max_completion_tokens',
    'stream',
    'tool_choice',
    'functions',
    'function_call',
    'stop',
    'n',
    'seed',
    'response_format',
    'logit_bias',
    'frequency_penalty',
    'presence_penalty',
  ],
  '/responses': [
    'model',
    'max_output_tokens',
    'stream',
    'store',
    'instructions',
    'tool_choice',
    'text.format',
    'previous_response_id',
  ],
};

/** Fields of list entries that hold what was said, or declare a tool. */
const keptInLists: Readonly<Record<string, ReadonlySet<string>>> = {
  messages: new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'function_call']),
  input: new Set([
    'type',
    'role',
    'content',
    'name',
    'call_id',
    'arguments',
    'output',
    'input',
    'action',
    'summary',
    'encrypted_content',
  ]),
  tools: new Set(['type', 'name', 'description', 'input_schema', 'parameters', 'format', 'tools']),
};

/** Whether a request on this path may go without the field. */
export function mayBeLeftOut(path: ChatPath, name: FieldName): boolean {
  if (!nameOf.test(name)) return false;
  const [list = '', ...keys] = name.split('.');
  const kept = keptInLists[list];
  if (kept === undefined) return !keptFields[path].some((field) => name === field || name.startsWith(`${field}.`));
  // Chat Completions declares a tool in `function`.
  const [key, inner] = list === 'tools' && keys[0] === 'function' ? ['function', keys[1]] : ['', keys[0]];
  if (inner === undefined || kept.has(inner)) return false;
  return list === 'tools' || (key === '' && keys.length === 1);
}

/** The body without these fields at any depth of its lists; the same object if it has none of them. */
export function withoutUnknownFields<Body extends object>(
  body: Body,
  names: ReadonlySet<FieldName>,
): { body: Body; notes: FitNote[] } {
  let next = body;
  const notes: FitNote[] = [];
  for (const name of names) {
    const changed = withoutField(next, name);
    if (changed === next) continue;
    next = changed;
    notes.push({ code: 'unknown-field-removed', count: 1, text: `${name} removed` });
  }
  return { body: next, notes };
}

/**
 * The body without this field, wherever in its lists it stands, and without an object that held nothing else; the very
 * same where it has none.
 */
export function withoutField<Body extends object>(body: Body, name: FieldName): Body {
  return takeOut(body, name.split('.'));
}

function takeOut<Holder extends object>(holder: Holder, [key = '', ...rest]: readonly string[]): Holder {
  if (!Object.hasOwn(holder, key)) return holder;
  if (rest.length === 0) return without(holder, key);
  const held: unknown = Reflect.get(holder, key);
  const next = takeOutOf(held, rest);
  if (next === held) return holder;
  return isObject(next) && Object.keys(next).length === 0 ? without(holder, key) : { ...holder, [key]: next };
}

function takeOutOf(held: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(held)) return mapKeeping<unknown>(held, (entry) => takeOutOf(entry, keys));
  return isObject(held) ? takeOut(held, keys) : held;
}
