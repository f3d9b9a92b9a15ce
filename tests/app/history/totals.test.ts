import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../../app/history/history.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const day = 24 * 60 * 60_000;

it('searches are counted by day and engine, over a restart, until requests of that time are forgotten', () => {
  const path = join(temporaryFolder(), 'history.db');
  const clock = fakeClock();
  const begin = Date.UTC(2026, 10, 20, 23, 50);
  const first = openHistory(path, { clock, log: collectingLog() });
  first.searches.record({ at: begin, engine: 'copilot', failed: false });
  first.searches.record({ at: begin + 1000, engine: 'copilot', failed: true });
  first.searches.record({ at: begin + 2000, engine: 'github', failed: false });
  first.searches.record({ at: begin + day, engine: 'copilot', failed: false });
  first.history.close();

  const second = openHistory(path, { clock, log: collectingLog() });
  expect(second.searches.totals(0, 'utc')).toEqual([
    { day: '2026-11-20', engine: 'copilot', searches: 2, failed: 1 },
    { day: '2026-11-20', engine: 'github', searches: 1, failed: 0 },
    { day: '2026-11-21', engine: 'copilot', searches: 1, failed: 0 },
  ]);
  expect(second.searches.totals(begin + day, 'utc')).toHaveLength(1);
  second.history.prune(begin + day);
  expect(second.searches.totals(0, 'utc')).toHaveLength(1);
  second.history.close();
});
