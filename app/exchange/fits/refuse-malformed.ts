import { isObject } from '../../formats/json.ts';
import type { MessagesRequest } from '../../formats/messages.ts';
import { type FitResult, unchanged } from './fit.ts';
import { malformed } from './malformed.ts';

/** What the steps after it rely on, beyond what the reader of the request has made sure of: system blocks and tools are objects. */
export function refuseMalformed(request: MessagesRequest): FitResult {
  return complain('system', request.system) ?? complain('tools', request.tools) ?? unchanged(request);
}

function complain(field: string, list: unknown) {
  if (!Array.isArray(list)) return null;
  const index = list.findIndex((item) => !isObject(item));
  return index === -1 ? null : malformed(`${field}.${index}: Input should be an object`);
}
