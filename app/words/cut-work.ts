import type { Session } from '../api/sessions.ts';
import { agentWords } from './agents.ts';

/** What an end of Jumpseat, or of its proxy, would cut off. */
export interface Work {
  /** Sessions at work, by their agents. */
  sessions: readonly Pick<Session, 'agent'>[];
  /** Requests of other programs. */
  requests: number;
}

export interface CutWords {
  title: string;
  text: string;
  /** On the button with which nothing is cut. */
  safe: string;
}

/** What is asked before that is done; null: nothing is cut. */
export function cutWords({ sessions, requests }: Work): CutWords | null {
  const { length } = sessions;
  if (length + requests === 0) return null;
  const safe = length + requests === 1 ? 'Wait for it' : 'Wait for them';
  if (length === 0) {
    const isOne = requests === 1;
    const title = isOne ? '1 request is running' : `${requests} requests are running`;
    return { title, text: `${isOne ? 'It is' : 'They are'} cut off. Claude Code can go on from there later.`, safe };
  }
  const agents = [...new Set(sessions.map(({ agent }) => agentWords(agent).title))].sort();
  const others = requests === 0 ? '' : ` ${otherRequests(requests)}`;
  return {
    title: length === 1 ? '1 session is working' : `${length} sessions are working`,
    text: `${agents.join(' and ')} ${agents.length === 1 ? 'is' : 'are'} stopped in the middle. You can go on later.${others}`,
    safe,
  };
}

function otherRequests(count: number): string {
  return count === 1 ? '1 other request is cut off.' : `${count} other requests are cut off.`;
}
