import type { Exchange, Initiator } from '../../api/exchange.ts';
import { wait } from '../../words/times.ts';
import { Stopped } from '../recover/stopped.ts';
import type { Bursts } from './bursts.ts';
import { type Guards, heldTooLong } from './guards.ts';

/** Who waits to be admitted. */
interface Waiting {
  row: Exchange;
  call: { signal: AbortSignal };
  /** Ms since it began. */
  since(): number;
}

/**
 * Once for each request, before it is sent: the limits that the person has set. Throws `Stopped` where one holds it
 * back.
 * @param changed the row says that it is held, or that it is not any more
 */
export async function admit(
  { guards, bursts }: { guards: Guards; bursts: Bursts },
  run: Waiting,
  initiator: Initiator,
  changed: (row: Exchange) => void,
): Promise<void> {
  const refused = guards.enter();
  if (refused !== null) throw new Stopped(refused);
  const burst = bursts.enter(initiator);
  if (burst === null) return;
  const { row } = run;
  const from = run.since();
  row.held = true;
  changed(row);
  try {
    if ((await bursts.hold(row.id, run.call.signal)) === 'too-long') throw new Stopped(heldTooLong(burst.most));
  } finally {
    row.held = false;
    row.times.held = { from, until: run.since() };
    const seconds = Math.round((run.since() - from) / 1000);
    row.fits = [...row.fits, { code: 'held', count: 1, text: `held for ${wait(seconds)}: a burst of requests` }];
    changed(row);
  }
}
