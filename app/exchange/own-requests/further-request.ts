import type { AnswerReader } from '../../formats/answer/answer.ts';
import type { Clock } from '../../ports.ts';
import { ClientLeft } from '../answering/client-call.ts';
import type { AnswerTarget, RelayEnd } from '../answering/relay.ts';
import type { Verdict } from '../initiator/verdict.ts';
import type { Plan } from '../plan.ts';
import { recoverBrokenAnswer } from '../recover/broken-answer.ts';
import { recoverFailure } from '../recover/recover-failure.ts';
import { Stopped } from '../recover/stopped.ts';
import type { InteractionIds } from '../run/interactions.ts';
import type { Run } from '../run/run.ts';
import type { Runs } from '../run/runs.ts';
import { causeOf } from './cause-of.ts';
import { ownCall } from './own-request.ts';

/**
 * One more request to Copilot for the answer of `first`, with a row, a charge and times of its own. It goes on with a
 * prompt that Copilot has counted. Rejects with `Stopped` where it fails, which its row says, too.
 */
export async function relayFurther(
  { runs, clock, first, ids }: { runs: Runs; clock: Clock; first: Run; ids: InteractionIds },
  plan: Plan,
  reader: AnswerReader,
  target: AnswerTarget,
): Promise<RelayEnd> {
  const cause = causeOf(first, true);
  const { signal } = first.call;
  const run = runs.begin(ownCall({ cause, signal }, plan.body, clock), first.row.api);
  try {
    return await lead(run, { first, ids }, plan, reader, target);
  } catch (error) {
    if (signal.reason instanceof ClientLeft) run.left(signal.reason);
    else {
      const { failure, status } = run.clientError(error);
      run.row.outcome = run.facts.failure?.kind === 'cut' ? 'cut' : 'failed';
      run.row.status ??= status;
      run.row.failure = { ...failure, told: null };
    }
    throw error;
  } finally {
    run.end();
  }
}

async function lead(
  run: Run,
  { first, ids }: { first: Run; ids: InteractionIds },
  plan: Plan,
  reader: AnswerReader,
  target: AnswerTarget,
): Promise<RelayEnd> {
  const { row, call } = run;
  const { row: before } = first;
  const verdict = run.decideFor(before, verdictAfter(first));
  if (first.model !== null) run.take(first.model, first.auto);
  row.askedModel = before.askedModel;
  row.requestClass = before.requestClass;
  row.agentId = before.agentId;
  row.agentType = before.agentType;
  row.streamed = before.streamed;
  row.path = plan.path;
  row.fits = plan.notes;
  run.reading = first.reading;
  run.budget = first.budget;
  await run.admit(verdict.initiator);
  row.times.sent = run.since();
  const sent = await run.send(plan, verdict, ids);
  row.attempts = sent.attempts;
  row.upstreamRequestIds = sent.ok ? sent.requestIds : sent.failure.requestIds;
  run.headed();
  if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, run.recoverContext()));
  run.facts = reader.facts;
  const end = await run.relay(sent.response, reader, target);
  if (call.signal.aborted) throw call.signal.reason;
  if (reader.facts.failure !== null)
    throw new Stopped(recoverBrokenAnswer(reader.facts.failure, end.cause, run.recoverContext()));
  row.status = 200;
  return end;
}

function verdictAfter({ verdict }: Run): Verdict {
  return {
    initiator: 'agent',
    code: 'tool-results',
    rule: 'search-results',
    sentence: 'went on with what a search found',
    interactionType: verdict?.interactionType ?? 'conversation-agent',
    intent: verdict?.intent ?? 'conversation-agent',
    interactionId: verdict?.interactionId ?? null,
    ledgerKey: null,
  };
}
