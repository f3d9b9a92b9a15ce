import { type ChatPath, pathFor } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { MessagesCollector } from '../../formats/messages/collector.ts';
import { type AnthropicError, anthropicError } from '../../formats/messages/error.ts';
import { type MessagesRequest, readMessagesRequest } from '../../formats/messages/request.ts';
import { pingEvent, sseEvent } from '../../formats/wire/sse.ts';
import type { Collector } from '../answer.ts';
import type { Lesson } from '../features/lessons/lessons.ts';
import { readLesson } from '../features/lessons/read-lesson.ts';
import { emulateSearch } from '../features/web-search/emulate.ts';
import { searchingWith } from '../features/web-search/searching.ts';
import { readSideSearch } from '../features/web-search/side-search.ts';
import { type Plan, type PlanContext, planMessages } from '../plan.ts';
import { type ErrorWords, refuse, refuseFit, Stopped, unlessStopped } from '../recover/error.ts';
import type { ClientPlan, PlanInputs, StreamingClient } from './client.ts';

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
  searchAlone: (request) => {
    const side = readSideSearch(request);
    return side === null ? null : { side, collector: wholeMessage() };
  },
  plan: (request, model, inputs) => {
    const { offered } = inputs;
    const path = pathFor(model, 'messages');
    if (path === null) {
      const sentence =
        `Jumpseat: Copilot serves ${model.id} only through ${model.endpoints.join(', ')}, which takes no Messages ` +
        `request. Enabled: ${offered.join(', ')}.`;
      throw new Stopped(refuse(404, 'not_found_error', 'path-not-spoken', sentence));
    }
    const emulated = inputs.search ? emulateSearch(request, path) : null;
    const planned = planner(model, path, inputs);
    const first = emulated?.request ?? request;
    const plan = (lessons: readonly Lesson[]): ClientPlan<AnthropicError> => {
      const answered = planned(first, lessons, { bytes: inputs.bytes, original: request });
      if (emulated === null) return { ...answered, collector: wholeMessage };
      const searching = searchingWith(emulated, answered, planned);
      const notes = [emulated.note, ...answered.notes];
      return { ...answered, notes, reader: searching.answer, collector: wholeMessage, searching };
    };
    return {
      ...plan([]),
      recover: { read: (failure) => readLesson(failure, first), refit: unlessStopped(plan) },
    };
  },
  failureEvents: (envelope) => sseEvent('error', JSON.stringify(envelope)),
};

/** Holds nothing of the body: an answer with searches plans further requests while it runs. */
function planner(model: CatalogModel, path: ChatPath, { headers, offered, id, learned }: PlanInputs) {
  const documentModel = offered.find((each) => each.startsWith('claude-')) ?? null;
  const context = { model, path, headers, documentModel, messageId: id };
  return (
    request: MessagesRequest,
    lessons: readonly Lesson[] = [],
    read: Pick<PlanContext, 'bytes' | 'original'> = {},
  ): Plan => {
    const planned = planMessages(request, { ...context, ...read, learned: learned(model, path, lessons) });
    if (!planned.ok) throw new Stopped(refuseFit(planned));
    return planned;
  };
}

function wholeMessage(): Collector {
  const collector = new MessagesCollector();
  return { push: (bytes) => collector.push(bytes), answer: () => collector.message() };
}
