import type { ListedSession } from '../api/session-list.ts';
import { oneLine } from './one-line.ts';

const longest = 60;

/** What a session is called: as its person named it, else as the agent did, else how it began. */
export function sessionTitle(
  session: Pick<ListedSession, 'id' | 'title' | 'agentTitle' | 'firstPrompt'>,
  most = longest,
): string {
  const { id, title, agentTitle, firstPrompt } = session;
  const named = oneLine(title ?? agentTitle ?? firstPrompt ?? '');
  if (named === '') return `Session ${id.slice(0, 8)}`;
  const characters = [...named];
  return characters.length <= most
    ? named
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
