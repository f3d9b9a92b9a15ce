import { randomUUID } from 'node:crypto';
import type { Charge, Failure, FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { ResponsesCollector, ResponsesRelay } from '../../formats/responses/relay.ts';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { Clock } from '../../ports.ts';
import { collecting, wholeOf } from '../answer.ts';
import { type ClientCall, ClientLeft, ServerStopping } from '../client-call.ts';
import type { Verdict } from '../initiator/verdict.ts';
import type { Run } from '../record.ts';
import type { ClientError } from '../recover/error.ts';
import type { Runs } from '../running.ts';
import { type InteractionIds, idsOfItsOwn } from '../send.ts';
import type { Cause } from './web-search/port.ts';

export interface OwnRequest {
  /** One word or two for the log: `web search`. */
  what: string;
  cause: Cause;
  model: CatalogModel;
  /** For Copilot's `/responses`, without `model`, `stream` and `store`. */
  body: JsonObject;
  /** Aborted with `ClientLeft`, or with `Stopped`, which says why. */
  signal: AbortSignal;
}

export type OwnAnswer = { exchange: string; charge: Charge } & (
  | { ok: true; response: JsonObject }
  | { ok: false; error: ClientError }
);

/**
 * One request that Jumpseat itself makes for a client, on the way that all requests go: limits, token, replays,
 * recording, a row and its charge. Rejects with `ClientLeft` alone.
 */
export async function askForOurselves(runs: Runs, clock: Clock, request: OwnRequest): Promise<OwnAnswer> {
  const { model, signal } = request;
  const body = Buffer.from(JSON.stringify({ ...request.body, model: model.id, stream: true, store: false }));
  const run = runs.begin(ownCall(request, body, clock), 'responses');
  try {
    const response = await ask(run, request, body);
    run.row.status = 200;
    return end(run, { ok: true, response });
  } catch (error) {
    const failed = run.fails(signal.aborted ? signal.reason : error);
    if (failed === null) {
      run.end();
      throw signal.reason;
    }
    run.row.status = failed.status;
    return end(run, { ok: false, error: failed });
  }
}

function end<Answer extends object>(run: Run, answer: Answer): Answer & { exchange: string; charge: Charge } {
  run.end();
  return { ...answer, exchange: run.row.id, charge: run.row.charge };
}

/** initiator, model, admit, send, answer: the order of exchange.ts, without what only a client's request needs. */
async function ask(run: Run, request: OwnRequest, body: Buffer): Promise<JsonObject> {
  const { row } = run;
  const verdict = run.decideFor(request.cause, ownVerdict(request));
  run.take(request.model);
  row.path = '/responses';
  await run.admit(verdict.initiator);
  const plan = { path: '/responses', body, vision: false, anthropicVersion: null, anthropicBeta: null } as const;
  const response = await run.deliver(plan, verdict, idsFor(verdict));
  const reader = new ResponsesRelay({ model: request.model.id });
  run.facts = reader.facts;
  run.told = reader.facts;
  const collector = new ResponsesCollector();
  const { cause } = await run.relay(response, reader, collecting(collector));
  run.whole(reader, cause);
  return wholeOf(collector);
}

/** A turn of its own, as all that runs beside a conversation. */
function idsFor({ interactionId }: Verdict): InteractionIds {
  const own = idsOfItsOwn();
  return { ...own, interactionId: interactionId ?? own.interactionId };
}

/** `agent` only where the prompt behind it was counted: in doubt it is a person's. */
function ownVerdict({ cause, what }: OwnRequest): Verdict {
  const said: Pick<Verdict, 'initiator' | 'code' | 'rule' | 'sentence' | 'interactionType'> = cause.counted
    ? {
        initiator: 'agent',
        code: 'auxiliary',
        rule: 'own-request',
        sentence: what,
        interactionType: 'conversation-background',
      }
    : {
        initiator: 'user',
        code: 'prompt',
        rule: 'own-prompt',
        sentence: `${what}, counted as yours`,
        interactionType: 'conversation-agent',
      };
  return { ...said, intent: 'conversation-agent', interactionId: cause.interactionId, ledgerKey: null };
}

/** Its bytes go nowhere while it runs: the caller gets the whole answer. */
export function ownCall(
  { cause, signal }: Pick<OwnRequest, 'cause' | 'signal'>,
  body: Buffer,
  clock: Clock,
): ClientCall {
  return {
    client: cause.client,
    headers: {},
    body,
    requestId: `req_${randomUUID()}`,
    startedAt: clock.now(),
    startedTicks: clock.ticks(),
    signal,
    answer: {
      begun: false,
      begin: () => {},
      write: () => true,
      drained: (then) => then(),
      hold: () => {},
      end: () => {},
    },
    letGo: () => {},
  };
}

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
    else row.status = run.fails(signal.aborted ? signal.reason : error)?.status ?? null;
    throw error;
  } finally {
    run.end();
  }
}
