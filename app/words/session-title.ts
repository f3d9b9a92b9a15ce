import type { ListedSession } from '../api/session-list.ts';

const longest = 60;

/** What a session is called: as its person named it, else as the agent did, else how it began. */
export function sessionTitle(
  session: Pick<ListedSession, 'id' | 'title' | 'agentTitle' | 'firstPrompt'>,
  most = longest,
): string {
  const { id, title, agentTitle, firstPrompt } = session;
  const named = title ?? agentTitle ?? firstPrompt;
  if (named === null) return `Session ${id.slice(0, 8)}`;
  const characters = [...named];
  return characters.length <= most
    ? named
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
