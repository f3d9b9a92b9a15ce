import type { Failure, FitNote } from '../../api/exchange.ts';
import type { Clock } from '../../ports.ts';
import { ClientLeft, ServerStopping } from '../answering/client-call.ts';
import type { Runs } from '../run/runs.ts';
import type { Cause } from '../web-search/cause.ts';
import { ownCall } from './own-request.ts';

/** Who asked, and the way to end it. */
export interface AskedHere {
  /** A label, as those of keys. */
  client: string;
  signal: AbortSignal;
}

/** What came of it. The note is for the log: no word of what was asked. */
export interface ServedHere<Result> {
  result: Result;
  note: FitNote;
  /** Null: it was found or read. */
  failure: (Failure & { status: number }) | null;
}

const nothing = Buffer.alloc(0);

/**
 * A search or a page that Jumpseat itself is asked for: it has a row, in which nothing goes to Copilot. Where a model
 * of Copilot's searches, its request has one of its own, and counts as the person's: no prompt is known that this
 * belongs to. Rejects with what `steps` reject with.
 */
export async function serveHere<Result>(
  { runs, clock }: { runs: Runs; clock: Clock },
  { client, signal }: AskedHere,
  steps: (cause: Cause) => Promise<ServedHere<Result>>,
): Promise<Result> {
  const cause: Cause = { exchange: null, client, session: null, prompt: null, interactionId: null, counted: false };
  const run = runs.begin(ownCall({ cause, signal }, nothing, clock), 'web');
  const { row } = run;
  try {
    const { result, note, failure } = await steps({ ...cause, exchange: row.id });
    row.fits.push(note);
    row.status = failure?.status ?? 200;
    row.failure = failure;
    if (failure !== null) row.outcome = 'failed';
    run.facts.ended = true;
    return result;
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof ServerStopping)) run.left(new ClientLeft());
    else {
      const { failure, status } = run.clientError(signal.aborted ? signal.reason : error);
      row.outcome = 'failed';
      row.status = status;
      row.failure = { ...failure, told: null };
    }
    throw error;
  } finally {
    run.end();
  }
}
