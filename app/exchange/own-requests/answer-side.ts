import type { AnswerTarget } from '../answering/relay.ts';
import type { Run } from '../run/run.ts';
import type { WebSearch } from '../web-search/port.ts';
import { searchNote } from '../web-search/search-note.ts';
import { SideAnswer } from '../web-search/side-answer.ts';
import type { SideSearch } from '../web-search/side-search.ts';
import { causeOf } from './cause-of.ts';

/** Results that are asked for: as many as Anthropic's own tool gives. */
export const usualCount = 10;

/**
 * Answers a request that is one search, without a model of the client's: no request of this row goes to Copilot. The
 * call is told at once, so that the client's stream runs while the search does.
 */
export async function answerSideSearch(
  run: Run,
  { query, tool }: SideSearch,
  search: WebSearch,
  target: AnswerTarget,
): Promise<void> {
  const { call, row, facts } = run;
  const { allowed, blocked, location } = tool;
  const answer = new SideAnswer(facts, row.id.replace(/\W/g, ''));
  target.write(answer.begin(row.id, row.askedModel ?? '', query));
  row.times.firstEvent = run.since();
  const cause = causeOf(run, row.initiator === 'agent');
  const outcome = await search.search(
    { query, allowed, blocked, location, count: usualCount },
    { signal: call.signal, cause, original: { body: call.body, headers: call.headers } },
  );
  call.signal.throwIfAborted();
  row.fits.push(searchNote(outcome));
  const rest = answer.end(outcome);
  target.last?.();
  target.write(rest);
}
