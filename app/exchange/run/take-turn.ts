import type { ClientTurns } from '../admission/client-turns.ts';
import { refuse } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';
import type { Run } from './run.ts';

const busyRetrySeconds = 5;

/** A turn among the client's requests, and the way to end it. Throws `Stopped` at once where too many wait. */
export function takeTurn(turns: ClientTurns, run: Run): Promise<() => void> {
  const { client, signal } = run.call;
  const turn = turns.take(client, signal);
  if (turn !== null) return waited(turn, run);
  const message = `Jumpseat: too many requests of "${client}" at once. Wait for some of them to end.`;
  throw new Stopped({
    ...refuse(429, 'rate_limit_error', 'too-many-at-once', message),
    retryAfterSeconds: busyRetrySeconds,
  });
}

/** Where that took time, the row says so. */
async function waited<Turn>(turn: Promise<Turn>, run: Run): Promise<Turn> {
  const from = run.since();
  const taken = await turn;
  const until = run.since();
  if (until - from >= 1) run.row.times.held = { from, until };
  return taken;
}
