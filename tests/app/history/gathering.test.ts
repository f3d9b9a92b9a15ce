import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { openHistory } from '../../../app/history/history.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, nextTurn, temporaryFolder } from './surroundings.ts';

/** How an owner of the folder that serves writes its rows. */

function serving(path = join(temporaryFolder(), 'history.db')) {
  const clock = fakeClock();
  const log = collectingLog();
  const opened = openHistory(path, { clock, log });
  opened.takeOver();
  return { path, clock, log, ...opened };
}

/** What another process sees. */
function counts(path: string): { rows: number; unfinished: number } {
  const reader = new DatabaseSync(path, { readOnly: true });
  const count = (table: string): number => Number(reader.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  const found = { rows: count('exchanges'), unfinished: count('unfinished') };
  reader.close();
  return found;
}

const waiting = (path: string): string => readFileSync(`${path}-waiting`, 'utf8');
const running = (id: string): Exchange =>
  exampleExchange({ id, outcome: 'running', status: null, failure: null, startedAt: 1 });

describe('an owner that serves', () => {
  it('writes the rows of half a second at once, and knows them before', async () => {
    const { path, clock, history } = serving();
    history.record(exampleExchange({ id: 'ex-1' }));
    await clock.advance(300);
    history.record(exampleExchange({ id: 'ex-2' }));
    await nextTurn();
    expect(counts(path).rows).toBe(0);
    expect(history.find('ex-1')?.id).toBe('ex-1');
    await clock.advance(200);
    expect(counts(path).rows).toBe(2);
    history.record(exampleExchange({ id: 'ex-3' }));
    expect(history.recent({ limit: 10 })).toHaveLength(3);
    expect(counts(path).rows).toBe(3);
    history.close();
  });

  it('waits no longer where many come', async () => {
    const { path, history } = serving();
    for (let count = 0; count < 59; count++) history.record(exampleExchange({ id: `ex-${count}` }));
    await nextTurn();
    expect(counts(path).rows).toBe(0);
    history.record(exampleExchange({ id: 'ex-59' }));
    await nextTurn();
    expect(counts(path).rows).toBe(60);
    history.close();
  });

  it('writes a request that ended within that time once, and one that did not as under way', async () => {
    const { path, clock, history } = serving();
    history.sends(running('short'));
    history.sends(running('long'));
    history.record(exampleExchange({ id: 'short' }));
    await clock.advance(500);
    expect(counts(path)).toEqual({ rows: 1, unfinished: 1 });
    history.record(exampleExchange({ id: 'long' }));
    await clock.advance(500);
    expect(counts(path)).toEqual({ rows: 2, unfinished: 0 });
    history.close();
  });

  it('that is killed leaves what it sent and which prompts were accepted, each once', async () => {
    const { path, history, ledger } = serving();
    history.sends(running('ex-1'));
    history.sends(running('ex-2'));
    history.sends(running('ex-2'));
    ledger.accept('key-a', 'ex-1');
    ledger.accept('key-b', 'ex-2');
    ledger.settle('key-b', 'whole');
    await nextTurn();
    // Nobody closes it: what is seen now is what a killed process leaves.
    expect(counts(path)).toEqual({ rows: 0, unfinished: 0 });
    const next = serving(path);
    expect(next.history.recent({ limit: 10 })).toMatchObject([
      { id: 'ex-1', outcome: 'cut', failure: { code: 'killed' }, charge: { kind: 'unknown' } },
      { id: 'ex-2', outcome: 'cut', failure: { code: 'killed' } },
    ]);
    expect(next.ledger.accepted('key-a')).toEqual({ ending: 'cut' });
    expect(next.ledger.accepted('key-b')).toEqual({ ending: 'whole' });
    expect(next.log.lines.map(({ event }) => event)).toEqual(['history-taken-over']);
    expect(waiting(path)).toBe('');
    next.history.close();
    const third = serving(path);
    expect(third.history.count()).toBe(2);
    expect(third.log.lines).toEqual([]);
    third.history.close();
  });

  it('that fails writes its rows before it ends', () => {
    const path = join(temporaryFolder(), 'history.db');
    const child = spawnSync(process.execPath, [join(import.meta.dirname, 'fixtures/record-and-throw.ts'), path], {
      encoding: 'utf8',
    });
    expect([child.status, child.stderr]).toEqual([1, expect.stringContaining('nobody catches it')]);
    expect(counts(path).rows).toBe(1);
  });

  it('leaves a request before it is sent, not a turn later', () => {
    const { path, history } = serving();
    history.sends(running('ex-1'));
    expect(waiting(path)).toContain('"ex-1"');
    history.close();
  });

  it('has nothing waiting where its rows are written, and no file when it serves no more', async () => {
    const { path, clock, history, letGo } = serving();
    history.sends(running('ex-1'));
    history.record(exampleExchange({ id: 'ex-1' }));
    await clock.advance(500);
    expect(waiting(path)).toBe('');
    history.record(exampleExchange({ id: 'ex-2' }));
    letGo();
    expect(counts(path).rows).toBe(2);
    expect(existsSync(`${path}-waiting`)).toBe(false);
    // From now on as one that does not serve.
    history.record(exampleExchange({ id: 'ex-3' }));
    await nextTurn();
    expect(counts(path).rows).toBe(3);
    history.close();
  });

  it('reads on behind a line that was cut off', () => {
    const first = serving();
    first.history.sends(running('ex-1'));
    const text = waiting(first.path);
    writeFileSync(`${first.path}-waiting`, `${text.slice(0, 40)}\n{"sent":{"id":1}}\n5\n${text}`);
    const next = serving(first.path);
    expect(next.history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['ex-1']);
    next.history.close();
  });

  it('lets nothing wait where that file can’t be had', async () => {
    const path = join(temporaryFolder(), 'history.db');
    mkdirSync(`${path}-waiting`);
    const { history } = serving(path);
    history.sends(running('ex-1'));
    expect(counts(path)).toEqual({ rows: 0, unfinished: 1 });
    history.record(exampleExchange({ id: 'ex-1' }));
    await nextTurn();
    expect(counts(path)).toEqual({ rows: 1, unfinished: 0 });
    history.close();
    rmSync(`${path}-waiting`, { recursive: true });
  });
});
