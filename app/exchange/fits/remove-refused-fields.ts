import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { type FitResult, note, unchanged } from './fit.ts';

/**
 * "<field>: Extra inputs are not permitted": measured for `inference_geo`, `fallbacks`, `mcp_servers` and `advisor`; `container` belongs to
 * code execution, `speed` to the fast-mode beta, which both stay here.
 */
const refused = ['inference_geo', 'fallbacks', 'mcp_servers', 'advisor', 'container', 'speed'];

export function removeRefusedFields(request: MessagesRequest): FitResult {
  const found = refused.filter((field) => request[field] !== undefined);
  if (found.length === 0) return unchanged(request);
  const notes = found.map((field) => note('field-removed', `${field} removed`));
  return { ok: true, request: without(request, ...found), notes };
}
