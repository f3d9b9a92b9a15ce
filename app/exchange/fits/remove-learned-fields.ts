import type { Message, MessagesRequest, Tool } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { mapKeeping, without } from './copy-on-write.ts';
import { type Fit, note, unchanged } from './fit.ts';
import type { OptionalField } from './learned.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

/** How each of them is taken out; the request itself where it is not in there. */
const takeOut: Record<OptionalField, (request: MessagesRequest) => MessagesRequest> = {
  context_management: (request) => without(request, 'context_management'),
  service_tier: (request) => without(request, 'service_tier'),
  output_config: (request) => without(request, 'output_config'),
  'thinking.display': (request) => inside(request, 'thinking', 'display'),
  'output_config.effort': (request) => inside(request, 'output_config', 'effort'),
  'output_config.format': (request) => inside(request, 'output_config', 'format'),
  'messages.output_config': (request) => {
    const messages = mapKeeping(request.messages, (message): Message => without(message, 'output_config'));
    return messages === request.messages ? request : { ...request, messages };
  },
  'tools.strict': (request) => {
    const tools =
      request.tools === undefined ? undefined : mapKeeping(request.tools, (tool): Tool => without(tool, 'strict'));
    return tools === undefined || tools === request.tools ? request : { ...request, tools };
  },
};

/** "…: Extra inputs are not permitted": some models and routes do not know a field that others take. A refusal taught it; the beta leaves with it. */
export const removeLearnedFields: Fit = (request, { learned, path }) => {
  if (learned === undefined) return unchanged(request);
  // Those of the other paths are of another body, which is not written yet.
  const unknown = path === '/v1/messages' ? learned.unknownFields : noFields;
  const { body, notes } = withoutUnknownFields(request, unknown);
  let next = body;
  for (const field of learned.refusedFields) {
    const changed = takeOut[field](next);
    if (changed === next) continue;
    next = changed;
    notes.push(note('refused-field-removed', `${field} removed`));
  }
  return next === request ? unchanged(request) : { ok: true, request: next, notes };
};

const noFields: ReadonlySet<string> = new Set();

function inside(request: MessagesRequest, holder: 'thinking' | 'output_config', key: string): MessagesRequest {
  const held = request[holder];
  if (!isObject(held) || !Object.hasOwn(held, key)) return request;
  const rest = without(held, key);
  return Object.keys(rest).length > 0 ? { ...request, [holder]: rest } : without(request, holder);
}
