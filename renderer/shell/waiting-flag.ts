import type { Flag } from '../parts/flag.ts';
import { waitingSessions } from '../state/held-sessions.ts';
import { useWindow } from '../state/services.ts';

/** How many sessions wait for the person; known without the code of their view. */
export function useWaitingFlag(): Flag | null {
  const count = useWindow(({ sessions }) => waitingSessions(sessions));
  if (count === 0) return null;
  return { kind: 'question', count, text: count === 1 ? '1 waits for you' : `${count} wait for you` };
}
