import type { Session } from '../api/sessions.ts';
import { agentWords } from './agents.ts';
import { counted } from './numbers.ts';
import { waitingWords } from './session-questions.ts';

/** What an end of Jumpseat, or of its proxy, would cut off. */
export interface Work {
  /** Sessions at work, and those that wait for an answer. */
  sessions: readonly Pick<Session, 'agent' | 'state'>[];
  /** Requests of other programs. */
  requests: number;
}

/** What cuts work off: as the subject of a sentence, and on a button. */
const deeds = {
  quit: { subject: 'Quitting', button: 'Quit' },
  off: { subject: 'Turning the proxy off', button: 'Turn off' },
  port: { subject: 'Changing the port', button: 'Change port' },
} as const;

export interface CutWords {
  title: string;
  text: string;
  /** Cuts nothing off: it is done after the work. */
  later: string;
  now: string;
  cancel: string;
  /** What Esc means: nothing changes. */
  onEscape: CutAnswer;
}

/** Whether to do it after the work, at once, or not at all. */
export type CutAnswer = 'later' | 'now' | 'cancel';

/**
 * What is asked before that is done; null if nothing is cut.
 * @param isDecided it is already to be done after the work
 */
export function cutWords(work: Work, deed: keyof typeof deeds, isDecided = false): CutWords | null {
  const words = undecidedWords(work, deed);
  if (words === null || !isDecided) return words;
  const title = `Jumpseat ${quitsWhen(work)}`;
  return { ...words, title, later: 'Keep waiting', cancel: 'Don’t quit', onEscape: 'later' };
}

function undecidedWords({ sessions, requests }: Work, deed: keyof typeof deeds): CutWords | null {
  const { length } = sessions;
  if (length + requests === 0) return null;
  const { subject, button } = deeds[deed];
  const later = `${button} when ${length + requests === 1 ? 'it’s' : 'they’re'} done`;
  const now = `${button} now`;
  const ways = { later, now, cancel: 'Cancel', onEscape: 'cancel' } as const;
  if (length === 0) {
    const title = requests === 1 ? '1 request is running' : `${requests} requests are running`;
    const text = `${subject} cuts ${requests === 1 ? 'it' : 'them'} off. Claude Code can go on from there later.`;
    return { title, text, ...ways };
  }
  const agents = [...new Set(sessions.map(({ agent }) => agentWords(agent).title))].sort();
  const turns = length === 1 ? 'its turn' : 'their turns';
  const others = requests === 0 ? '' : ` It also cuts off ${counted(requests, 'other request')}.`;
  const waiting = waitingIn(sessions);
  const denied =
    waiting === 0 || deed !== 'quit' ? '' : ` ${length === 1 ? 'Its question is' : 'Open questions are'} denied.`;
  const after = waiting === 0 ? '' : ' A session that waits is done only after your answer.';
  return {
    title: sessionsTitle(length - waiting, waiting),
    text: `${subject} stops ${agents.join(' and ')} in the middle of ${turns}.${denied} You can go on later.${others}${after}`,
    ...ways,
  };
}

function waitingIn(sessions: Work['sessions']): number {
  return sessions.filter(({ state }) => state === 'waiting').length;
}

/** `2 sessions are working, 1 waits for you` */
function sessionsTitle(working: number, waiting: number): string {
  if (working === 0) return waitingWords(waiting);
  const title = working === 1 ? '1 session is working' : `${working} sessions are working`;
  return waiting === 0 ? title : `${title}, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`;
}

/** What the end waits for: `quits when 2 sessions are done (1 waits for you)`. */
export const quitsWhen = (work: Work): string => `quits ${whenDone(work)}`;

/** What the proxy waits for to be turned off. */
export const turnsOffWhen = (work: Work): string => `turns the proxy off ${whenDone(work)}`;

function whenDone({ sessions, requests }: Work): string {
  const parts = [
    ...(sessions.length === 0 ? [] : [counted(sessions.length, 'session')]),
    ...(requests === 0 ? [] : [counted(requests, 'request')]),
  ];
  if (parts.length === 0) return 'when the last work is done';
  const waiting = waitingIn(sessions);
  const unanswered = waiting === 0 ? '' : ` (${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you)`;
  return `when ${parts.join(' and ')} ${sessions.length + requests === 1 ? 'is' : 'are'} done${unanswered}`;
}
