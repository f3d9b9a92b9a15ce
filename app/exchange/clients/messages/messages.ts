import { pathFor } from '../../../copilot/catalog.ts';
import { MessagesCollector } from '../../../formats/messages/collector.ts';
import { type AnthropicError, anthropicError } from '../../../formats/messages/error.ts';
import { type MessagesRequest, readMessagesRequest } from '../../../formats/messages/request.ts';
import { pingEvent, sseEvent } from '../../../formats/wire/sse.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { readLesson } from '../../lessons/read-lesson.ts';
import { planMessages } from '../../plan.ts';
import { refuse, refuseFit } from '../../recover.ts';
import { Stopped, unlessStopped } from '../../stopped.ts';
import { readSideSearch } from '../../web-search/side-search.ts';
import type { ClientPlan, Collector, ErrorWords, StreamingClient } from '../client.ts';

export const anthropicWords: ErrorWords<AnthropicError> = {
  requestIdHeader: 'request-id',
  tell: ({ status, type, message, failure }, requestId) => ({
    status,
    body: anthropicError(type, message, requestId),
    kept: failure.told,
  }),
};

/** A body of `POST /v1/messages` and of `/v1/messages/count_tokens`. Throws `Stopped` where it is none. */
export function readMessages(body: unknown): MessagesRequest {
  const read = readMessagesRequest(body);
  if (read.ok) return read.request;
  throw new Stopped(refuse(400, 'invalid_request_error', 'invalid-body', `Jumpseat: ${read.message}`));
}

/** Anthropic's Messages API, as Claude Code speaks it. */
export const messages: StreamingClient<MessagesRequest, AnthropicError> = {
  ...anthropicWords,
  api: 'messages',
  takesTurns: false,
  ping: pingEvent,
  read: readMessages,
  isStreamed: (request) => request.stream === true,
  searchAlone: (request) => {
    const side = readSideSearch(request);
    return side === null ? null : { side, collector: wholeMessage() };
  },
  plan: (request, model, { headers, bytes, offered, id, learned }) => {
    const path = pathFor(model, 'messages');
    if (path === null) {
      const sentence =
        `Jumpseat: Copilot serves ${model.id} only through ${model.endpoints.join(', ')}, which takes no Messages ` +
        `request. Enabled: ${offered.join(', ')}.`;
      throw new Stopped(refuse(404, 'not_found_error', 'path-not-spoken', sentence));
    }
    const documentModel = offered.find((each) => each.startsWith('claude-')) ?? null;
    const plan = (lessons: readonly Lesson[]): ClientPlan<AnthropicError> => {
      const about = learned(model, path, lessons);
      const planned = planMessages(request, {
        model,
        path,
        headers,
        documentModel,
        messageId: id,
        learned: about,
        bytes,
      });
      if (!planned.ok) throw new Stopped(refuseFit(planned));
      return { ...planned, collector: wholeMessage };
    };
    return {
      ...plan([]),
      recover: { read: (failure) => readLesson(failure, request), refit: unlessStopped(plan) },
    };
  },
  failureEvents: (envelope) => sseEvent('error', JSON.stringify(envelope)),
};

function wholeMessage(): Collector {
  const collector = new MessagesCollector();
  return { push: (bytes) => collector.push(bytes), answer: () => collector.message() };
}
