import { type ChatPath, pathFor } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { MessagesCollector } from '../../formats/messages/collector.ts';
import { type AnthropicError, anthropicError } from '../../formats/messages/error.ts';
import { type MessagesRequest, readMessagesRequest } from '../../formats/messages/request.ts';
import { pingEvent, sseEvent } from '../../formats/wire/sse.ts';
import { t } from '../../language/translate.ts';
import type { Learned } from '../fits/fit.ts';
import { type Plan, type PlanContext, planMessages } from '../plan.ts';
import { type ErrorWords, refuse, refuseFit, Stopped } from '../recover/error.ts';
import { type PlanInputs, replannable, type StreamingClient } from './client.ts';

export const anthropicWords: ErrorWords<AnthropicError> = {
  requestIdHeader: 'request-id',
  tell: ({ status, type, message, failure }, requestId) => ({
    status,
    body: anthropicError(type, message, requestId),
    kept: failure.clientMessage,
  }),
};

/** A body of `POST /v1/messages` and of `/v1/messages/count_tokens`. Throws `Stopped` where it is none. */
export function readMessages(body: unknown): MessagesRequest {
  const read = readMessagesRequest(body);
  if (read.ok) return read.request;
  throw new Stopped(refuse(400, 'invalid_request_error', 'invalid_body', `Jumpseat: ${read.message}`));
}

/** Anthropic's Messages API, as Claude Code speaks it. */
export const messages: StreamingClient<MessagesRequest, AnthropicError> = {
  ...anthropicWords,
  api: 'messages',
  takesTurns: false,
  ping: pingEvent,
  read: readMessages,
  isStreamed: (request) => request.stream === true,
  plan: (request, model, inputs) => {
    const { offered } = inputs;
    const path = pathFor(model, 'messages');
    if (path === null) {
      const sentence = t(
        'Jumpseat: Copilot serves {id} only through {endpoints}, which takes no Messages request. Enabled: {offered}.',
        { id: model.id, endpoints: model.endpoints.join(', '), offered: offered.join(', ') },
      );
      throw new Stopped(refuse(404, 'not_found_error', 'path-not-spoken', sentence));
    }
    const changed = inputs.search?.(request, path) ?? null;
    const planned = planner(model, path, inputs);
    const first = changed?.request ?? request;
    return replannable({ as: 'messages', request: first }, inputs.learned(model, path), (learned) => {
      const answered = planned(first, learned, { bytes: inputs.bytes, original: inputs.read });
      if (changed === null) return answered;
      const leading = changed.leads(answered, planned);
      return { ...answered, notes: [changed.note, ...answered.notes], reader: leading.reader, leading };
    });
  },
  collector: () => {
    const collector = new MessagesCollector();
    return { push: (bytes) => collector.push(bytes), answer: () => collector.message() };
  },
  failureEvents: (envelope) => sseEvent('error', JSON.stringify(envelope)),
};

/** Holds nothing of the body: an answer with searches plans further requests while it runs. */
function planner(model: CatalogModel, path: ChatPath, { headers, offered, id, learned, whySearchIsOff }: PlanInputs) {
  const documentModel = offered.find((each) => each.startsWith('claude-')) ?? null;
  const context = { model, path, headers, documentModel, messageId: id, whySearchIsOff };
  return (
    request: MessagesRequest,
    known: Learned | null = learned(model, path),
    read: Pick<PlanContext, 'bytes' | 'original'> = {},
  ): Plan => {
    const planned = planMessages(request, { ...context, ...read, learned: known });
    if (!planned.ok) throw new Stopped(refuseFit(planned));
    return planned;
  };
}
