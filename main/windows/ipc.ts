import type { IpcMain } from 'electron';
import type { CallAnswer, Problem } from '../../app/api/call.ts';
import { type Answering, answerCall } from '../../app/api/call.ts';
import type { Log } from '../../app/ports.ts';
import { callChannel } from '../../preload/calls.ts';
import { isOurs } from './pages.ts';

interface Frame {
  readonly url: string;
}

/** What of Electron's event says who asks. */
export interface CallEvent {
  readonly senderFrame: Frame | null;
  readonly sender: { readonly mainFrame: Frame };
}

/**
 * Whether a call came from our own page in the main frame of its window. The frame is null when it was navigated away
 * or destroyed since it asked; a frame inside the page may not ask.
 */
export function mayAsk({ senderFrame, sender }: CallEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurs(senderFrame.url);
}

/** Answers the window's calls from now on. Call once. */
export function answerWindow(ipc: Pick<IpcMain, 'handle'>, answering: Answering, log: Log): void {
  for (const [name, { from }] of Object.entries(answering.table)) {
    if (from === 'dashboard') continue;
    ipc.handle(callChannel(name), (event: CallEvent, given: unknown) => answer(answering, name, event, given, log));
  }
}

/**
 * One call from a page: who asks is looked at first, then what it holds, then what goes back. Never rejects, so that no
 * stack and no text that was not meant for a person crosses.
 */
async function answer(
  answering: Answering,
  name: string,
  event: CallEvent,
  given: unknown,
  log: Log,
): Promise<CallAnswer<unknown>> {
  if (!mayAsk(event)) {
    log.write('error', 'ipc.stranger', { call: name, from: event.senderFrame?.url ?? null });
    return refused({
      code: 'not-our-window',
      text: 'Only Jumpseat’s own window may ask that.',
      remedy: 'Open Jumpseat.',
    });
  }
  try {
    const answered = await answerCall(answering, name, given);
    if (answered.ok || answered.problem !== 'bad-call') return answered;
    log.write('warn', 'ipc.bad-call', { call: name });
    return refused({
      code: 'bad-call',
      text: `The window asked for “${name}” wrongly.`,
      remedy: 'Start Jumpseat again.',
    });
  } catch (error) {
    log.write('error', 'ipc.call-failed', { call: name, error });
    return refused({
      code: 'fault',
      text: 'That failed because of a fault in Jumpseat.',
      remedy: 'Try again. The log file has the details.',
    });
  }
}

function refused(problem: Problem): CallAnswer<never> {
  return { ok: false, problem };
}
