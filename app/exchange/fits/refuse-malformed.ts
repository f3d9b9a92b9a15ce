import type { MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type FitResult, type Refusal, unchanged } from './fit.ts';
import { malformed } from './malformed.ts';

/**
 * What the steps after it rely on, beyond what the reader of the request has made sure of: the system is a text or a list of objects, the
 * tools are a list of objects. Null is none, as where a field is left out.
 */
export function refuseMalformed(request: MessagesRequest): FitResult {
  const { system, tools } = request;
  const wrong =
    (typeof system === 'string' ? null : complain('system', 'a string or a list', system)) ??
    complain('tools', 'a list', tools);
  return wrong ?? unchanged(withoutNull(withoutNull(request, 'system'), 'tools'));
}

function complain(field: string, expected: string, list: unknown): Refusal | null {
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) return malformed(`${field}: Input should be ${expected}`);
  const index = list.findIndex((item) => !isObject(item));
  return index === -1 ? null : malformed(`${field}.${index}: Input should be an object`);
}

function withoutNull(request: MessagesRequest, field: 'system' | 'tools'): MessagesRequest {
  const value: unknown = request[field];
  if (value !== null) return request;
  const next = { ...request };
  delete next[field];
  return next;
}
