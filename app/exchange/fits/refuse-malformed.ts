import type { MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type FitResult, type Refusal, unchanged } from './fit.ts';
import { malformed } from './malformed.ts';

type Kind = 'a string' | 'a number' | 'true or false' | 'an object' | 'a list of strings';

/** Fields that later steps and other formats read. */
const kinds: Readonly<Record<string, Kind>> = {
  max_tokens: 'a number',
  stream: 'true or false',
  temperature: 'a number',
  top_p: 'a number',
  top_k: 'a number',
  stop_sequences: 'a list of strings',
  thinking: 'an object',
  tool_choice: 'an object',
  output_config: 'an object',
};

/**
 * What the steps after it rely on, beyond what the reader of the request has made sure of: the system is a text or a list of objects, the
 * tools are a list of objects with names, and known fields are of their kind. Null is none, as where a field is left out.
 */
export function refuseMalformed(request: MessagesRequest): FitResult {
  const { system, tools } = request;
  const wrong =
    (typeof system === 'string' ? null : complain('system', 'a string or a list', system)) ??
    complain('tools', 'a list', tools) ??
    complainOfKinds(request, kinds, '') ??
    complainOfTools(tools);
  return wrong ?? unchanged(withoutNull(withoutNull(request, 'system'), 'tools'));
}

function complain(field: string, expected: string, list: unknown): Refusal | null {
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) return malformed(`${field}: Input should be ${expected}`);
  const index = list.findIndex((item) => !isObject(item));
  return index === -1 ? null : malformed(`${field}.${index}: Input should be an object`);
}

function complainOfKinds(holder: object, kinds: Readonly<Record<string, Kind>>, place: string): Refusal | null {
  for (const [field, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(holder, field);
    if (value !== undefined && value !== null && !isOf(kind, value))
      return malformed(`${place}${field}: Input should be ${kind}`);
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

const toolKinds: Readonly<Record<string, Kind>> = { name: 'a string', type: 'a string', description: 'a string' };

/** Tools of the API itself may have no name. */
function complainOfTools(tools: MessagesRequest['tools']): Refusal | null {
  for (const [index, tool] of (tools ?? []).entries()) {
    const wrong = complainOfKinds(tool, toolKinds, `tools.${index}.`);
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
