import type { IncomingMessage } from 'node:http';
import type { SearchOutcome } from '../../../api/search.ts';
import type { AnswerReader } from '../../../formats/answer/answer.ts';
import { type Block, isBlock } from '../../../formats/messages/request.ts';
import { functionResult, serverToolId } from '../../../formats/messages/search-results.ts';
import type { Clock } from '../../../ports.ts';
import { type AnswerTarget, ClientStream, type RelayEnd } from '../../answer.ts';
import type { Verdict } from '../../initiator/verdict.ts';
import type { Plan } from '../../plan.ts';
import type { Run } from '../../record.ts';
import type { Runs } from '../../running.ts';
import type { InteractionIds } from '../../send.ts';
import { ownCall } from '../own-requests.ts';
import { resultBlock } from './found.ts';
import { causeOf, searchNote, type WebSearch } from './port.ts';
import type { SearchCall } from './searched-answer.ts';
import type { Searching } from './searching.ts';
import { usualCount } from './side-search.ts';

/** Requests to Copilot for one answer, as Anthropic's own loop has it; then the turn is paused. */
const mostRounds = 10;

export interface SearchRounds {
  /** The client's request. Its row is the first round's. */
  run: Run;
  searching: Searching;
  /** Writes the answer in the client's words, behind `searching.answer`. */
  reader: AnswerReader;
  target: AnswerTarget;
  search: WebSearch;
  /** The answer ends with `pause_turn`, behind this search. */
  paused(search: string): void;
  /** Sends one more request, leads its answer through the reader, and leaves a row of it. */
  further(plan: Plan, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd>;
}

/**
 * Leads an answer to the client whose model may search on its way. Each search is made here, what it found goes to the
 * client and, with one more request, to the model, until that is done: or it calls the client's own tools, or it has
 * searched too often, which ends the client's answer. Rejects with what a further request ended with.
 */
export async function relayWithSearches(first: IncomingMessage, rounds: SearchRounds): Promise<RelayEnd> {
  const { run, searching, reader, target, further } = rounds;
  const { answer, cites } = searching;
  if (target instanceof ClientStream) run.received.stream = target;
  const open = { ...unending(target), last: () => (answer.facts.ended ? target.last?.() : undefined) };
  let end = await run.relay(first, thisRound(rounds), open);
  let uses = 0;
  for (let round = 1; ; round++) {
    const said = answer.ended();
    if (said === null || run.call.signal.aborted) return end;
    const outcomes = await Promise.all(said.calls.map((call, at) => searchFor(call, uses + at, rounds)));
    run.call.signal.throwIfAborted();
    uses += said.calls.length;
    const blocks = said.calls.map(({ id }, at) => resultBlock(serverToolId(id), outcomes[at] ?? overUsed));
    answer.results(blocks);
    const isPaused = round >= mostRounds && run.row.api === 'messages';
    if (said.handsOver) answer.finish('tool_use');
    else if (isPaused) {
      answer.finish('pause_turn');
      rounds.paused(serverToolId(said.calls.at(-1)?.id ?? ''));
    }
    await write(reader.push(nothing), target, answer.facts.ended);
    if (answer.facts.ended) return end;
    const results = blocks.flatMap((block, at) => functionResult(block, said.calls[at]?.id ?? '', cites) ?? []);
    const turns = [
      { role: 'assistant', content: said.content.filter(isSent) },
      { role: 'user', content: results },
    ];
    const plan = searching.next(turns, round >= mostRounds - 1 && run.row.api !== 'messages');
    answer.goOn(plan.reader);
    end = await further(plan, thisRound(rounds), open);
  }
}

const nothing = Buffer.alloc(0);

/** What is read is one answer of the upstream's; what is written, the client's. */
function thisRound({ searching: { answer }, reader }: SearchRounds): AnswerReader {
  return { facts: answer.round, push: (chunk) => reader.push(chunk), end: () => reader.end() };
}

function unending(target: AnswerTarget): AnswerTarget {
  return { write: (bytes) => target.write(bytes), drained: (then) => target.drained(then) };
}

/** Empty texts are refused where they come back. */
function isSent(block: Block): boolean {
  return isBlock(block) && !(block.type === 'text' && block.text === '');
}

function write(bytes: Buffer | null, target: AnswerTarget, last: boolean): Promise<void> {
  if (last) target.last?.();
  return new Promise((resolve) => {
    if (bytes === null || target.write(bytes)) resolve();
    else target.drained(resolve);
  });
}

const overUsed: SearchOutcome = {
  kind: 'failed',
  engine: null,
  code: 'max_uses_exceeded',
  reason: 'The request allows no more searches.',
  mend: 'Answer with what was found.',
  retryAfterMs: null,
};

async function searchFor(
  { query }: SearchCall,
  used: number,
  { run, searching: { tool }, search }: SearchRounds,
): Promise<SearchOutcome> {
  const { allowed, blocked, location, maxUses } = tool;
  const asked = { query: query ?? '', allowed, blocked, location, count: usualCount };
  const context = { signal: run.call.signal, cause: causeOf(run, run.accepted) };
  const outcome = used >= maxUses ? overUsed : query === null ? wordless : await search.search(asked, context);
  run.row.fits = [...run.row.fits, searchNote(outcome)];
  return outcome;
}

const wordless: SearchOutcome = { ...overUsed, code: 'invalid_tool_input', reason: 'The search has no words.' };

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
    const failed = run.fails(error);
    if (failed !== null) run.row.status ??= failed.status;
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
  const { row } = run;
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
  // Only a refusal of it concerns them: they end with the client's own request.
  run.parts = first.parts.flatMap(({ refused }) => (refused === undefined ? [] : [{ refused }]));
  run.budget = first.budget;
  await run.admit(verdict.initiator);
  const response = await run.deliver(plan, verdict, ids);
  run.facts = reader.facts;
  run.told = reader.facts;
  const end = await run.relay(response, reader, target);
  run.whole(reader, end.cause);
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
