import { closeOpen, laneOf, push } from './blocks.ts';
import type { Step } from './conversation.ts';
import type { Editing, Found, Place } from './editing.ts';
import { type Fields, fieldsOf, listOf, saidIn, textOf } from './fields.ts';
import { newStep } from './step.ts';

/** The end of the id of the message with which a subagent answers. */
const replyEnd = ':reply';
/** As Claude Code begins the answer to a call that starts a subagent in the background: not the subagent's own. */
const launched = 'Async agent launched successfully';

/** A subagent began, waits, or is done. Its own words and steps come under its own id. */
export function putSubagent(editing: Editing, place: Place, update: Fields, at: number | null): void {
  const child = textOf(update, 'sessionId');
  if (child === null) return;
  const state = stateOf(textOf(fieldsOf(update, 'state'), 'state'), textOf(fieldsOf(update, 'state'), 'stopReason'));
  const found = laneStep(editing, child);
  if (found === null) {
    const step = { ...newStep(child, at), stepKind: 'subagent', tool: 'Agent' } as const;
    const nothing = { blocks: [], steps: 0, nanoAiu: null };
    const lane = { id: child, type: textOf(update, 'description'), task: null, isBackground: false };
    const title = textOf(update, 'title') ?? '';
    push(editing, place, { ...step, title, state: state ?? 'running', lane: { ...lane, ...nothing } }, at);
    return;
  }
  if (state === null) return;
  const isOver = state !== 'running' && state !== 'waiting';
  const goesOn = found.step.state === 'background' && !isOver;
  editing.setStep(found, { state: goesOn ? 'background' : state, endedAt: isOver ? at : null });
  if (isOver) closeOpen(editing, laneOf(found), at);
}

function stateOf(state: string | null, stopReason: string | null): Step['state'] | null {
  switch (state) {
    case 'running':
      return 'running';
    case 'requires_action':
      return 'waiting';
    case 'idle':
      if (stopReason === 'cancelled') return 'cut';
      return stopReason === null || stopReason === 'end_turn' ? 'done' : 'failed';
    default:
      return null;
  }
}

/** What a session says to its subagent is the task; what comes back is the result. */
export function putSubagentMessage(editing: Editing, update: Fields, at: number | null): void {
  const id = textOf(update, 'messageId') ?? '';
  const text = saidIn(listOf(update, 'content'));
  const isReply = id.endsWith(replyEnd);
  const child = textOf(update, isReply ? 'senderSessionId' : 'recipientSessionId');
  const found = child === null ? null : laneStep(editing, child);
  if (found === null) return;
  const { step } = found;
  const { lane } = step;
  if (lane === null) return;
  if (isReply && text.startsWith(launched)) editing.setStep(found, { lane: { ...lane, isBackground: true } });
  else if (isReply) editing.setStep(found, { content: text === '' ? [] : [{ type: 'text', text }], endedAt: at });
  else if (lane.task === null) editing.setStep(found, { ...named(step, id), lane: { ...lane, task: text } });
}

/** The agent names the call that started a subagent by the message that gave it its task. */
function named(step: Step, id: string): Pick<Step, 'id'> {
  return { id: step.id === step.lane?.id && id !== '' ? id : step.id };
}

function laneStep(editing: Editing, child: string): Found | null {
  return editing.findStep(({ lane }) => lane?.id === child);
}
