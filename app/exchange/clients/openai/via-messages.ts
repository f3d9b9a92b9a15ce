import type { FitNote } from '../../../api/exchange.ts';
import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import type { AnswerReader } from '../../../formats/answer/answer.ts';
import type { MessagesRequest } from '../../../formats/messages/request.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { readLesson } from '../../lessons/read-lesson.ts';
import { type Plan, planMessages } from '../../plan.ts';
import { refuseFit } from '../../recover/refuse.ts';
import { Stopped, unlessStopped } from '../../recover/stopped.ts';
import { emulateSearch } from '../../web-search/emulate.ts';
import { searchingWith } from '../../web-search/searching.ts';
import type { OpenaiContext, OpenaiPlan } from './plan.ts';

export interface ViaMessages {
  /** The client's request as a Messages request. */
  request: MessagesRequest;
  model: CatalogModel;
  path: ChatPath;
  context: OpenaiContext;
  /** What was said of it before. */
  notes: readonly FitNote[];
}

type Answering = Pick<OpenaiPlan, 'reader' | 'collector' | 'failureEvents'>;

/**
 * A request of an OpenAI client whose model has another API: as a Messages request it is fitted and sent on any path.
 * `answer` writes the events of a Messages stream in the client's words. Throws `Stopped` where the request cannot be
 * sent.
 */
export function planViaMessages(
  { request, model, path, context, notes }: ViaMessages,
  answer: (inner: AnswerReader) => Answering,
): OpenaiPlan {
  const { messages, note } = beginningWithUser(withTokens(request, model, path), path);
  const before = note === null ? notes : [...notes, note];
  const emulated = context.search ? emulateSearch(messages, path) : null;
  const first = emulated?.request ?? messages;
  const said = emulated === null ? before : [...before, emulated.note];
  const planned = planner(model, path, context);
  const plan = (lessons: readonly Lesson[]): OpenaiPlan => {
    const sent = planned(first, lessons);
    const notes = [...said, ...sent.notes];
    if (emulated === null) return { ...sent, notes, ...answer(sent.reader) };
    const searching = searchingWith(emulated, sent, planned);
    return { ...sent, notes, ...answer(searching.answer), searching };
  };
  return { ...plan([]), recover: { read: (failure) => readLesson(failure, first), refit: unlessStopped(plan) } };
}

/** An answer with searches plans further requests while it runs. */
function planner(model: CatalogModel, path: ChatPath, { id, learned }: OpenaiContext) {
  const context = { model, path, headers: {}, documentModel: null, messageId: id, strictTools: true };
  return (request: MessagesRequest, lessons: readonly Lesson[] = []): Plan => {
    const planned = planMessages(request, { ...context, learned: learned(model, path, lessons) });
    if (!planned.ok) throw new Stopped(refuseFit(planned));
    return planned;
  };
}

/** `/v1/messages` wants a number; a client that names none means: as much as there is. */
function withTokens(request: MessagesRequest, model: CatalogModel, path: ChatPath): MessagesRequest {
  if (request.max_tokens !== undefined || path !== '/v1/messages') return request;
  return { ...request, max_tokens: model.limits.outputTokens ?? 4096 };
}

/**
 * OpenAI's APIs let the assistant speak first, as a greeting; `/v1/messages` answers "first message must use the "user"
 * role".
 */
function beginningWithUser(
  request: MessagesRequest,
  path: ChatPath,
): { messages: MessagesRequest; note: FitNote | null } {
  const first = request.messages.find(({ role }) => role !== 'system');
  if (path !== '/v1/messages' || first?.role !== 'assistant') return { messages: request, note: null };
  return {
    messages: { ...request, messages: [{ role: 'user', content: '(no content)' }, ...request.messages] },
    note: { code: 'begun-by-user', count: 1, text: 'an empty message of the user put first' },
  };
}
