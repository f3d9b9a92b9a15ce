import type { Session } from '../api/sessions.ts';
import { agentWords } from './agents.ts';
import { counted } from './numbers.ts';

/** What an end of Jumpseat, or of its proxy, would cut off. */
export interface Work {
  /** Sessions at work, by their agents. */
  sessions: readonly Pick<Session, 'agent'>[];
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
}

/** Whether to do it after the work, at once, or not at all. */
export type CutAnswer = 'later' | 'now' | 'cancel';

/** What is asked before that is done; null: nothing is cut. */
export function cutWords({ sessions, requests }: Work, deed: keyof typeof deeds): CutWords | null {
  const { length } = sessions;
  if (length + requests === 0) return null;
  const { subject, button } = deeds[deed];
  const later = `${button} when ${length + requests === 1 ? 'it’s' : 'they’re'} done`;
  const now = `${button} now`;
  if (length === 0) {
    const title = requests === 1 ? '1 request is running' : `${requests} requests are running`;
    const text = `${subject} cuts ${requests === 1 ? 'it' : 'them'} off. Claude Code can go on from there later.`;
    return { title, text, later, now };
  }
  const agents = [...new Set(sessions.map(({ agent }) => agentWords(agent).title))].sort();
  const turns = length === 1 ? 'its turn' : 'their turns';
  const others = requests === 0 ? '' : ` It also cuts off ${counted(requests, 'other request')}.`;
  return {
    title: length === 1 ? '1 session is working' : `${length} sessions are working`,
    text: `${subject} stops ${agents.join(' and ')} in the middle of ${turns}. You can go on later.${others}`,
    later,
    now,
  };
}
