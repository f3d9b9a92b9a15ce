import type { Bridge } from '../bridge/bridge.ts';
import type { Turn } from './state/conversation.ts';

/** What finds the requests of a turn in the list of requests; those of its session where more isn’t known. */
export async function turnQuery(
  bridge: Pick<Bridge, 'sessionTurns'>,
  session: string,
  turn: Pick<Turn, 'id' | 'number'> | undefined,
): Promise<string> {
  const ofSession = `session:${session}`;
  if (turn === undefined || turn.number === null) return ofSession;
  const asked = { session, before: turn.number + 1, limit: 1 };
  const rows = await bridge.sessionTurns(asked).catch(() => []);
  const prompts = rows.find(({ id }) => id === turn.id)?.promptIds ?? [];
  return prompts.length === 0 ? ofSession : `${ofSession} prompt:${prompts.join(',')}`;
}
