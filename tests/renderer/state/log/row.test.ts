import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { openHistory } from '../../../../app/history/history.ts';
import { keptRow, rowOf } from '../../../../renderer/state/log/row.ts';
import { bareExchange, exampleExchange } from '../../../app/history/example.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-rows-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const images = { bytes: 9, messages: {}, tools: 0, images: 1, thinking: null };

const { shape: _shape, ...withoutShape } = exampleExchange();

it.each([
  ['all there is to know', exampleExchange(), { size: 241_882, contents: 'tools thinking' }],
  [
    'nothing but images',
    exampleExchange({ shape: { request: images, answer: null, toolsBefore: [] } }),
    { contents: 'images' },
  ],
  [
    'a body that was not read',
    exampleExchange({ shape: { request: null, answer: null, toolsBefore: [] } }),
    { size: null },
  ],
  ['what an earlier version kept', withoutShape, { size: null, contents: null }],
  ['next to nothing', bareExchange(), { size: null, contents: null }],
])('a request is the same row from the history as it was when it ended: %s', (name, exchange, shown) => {
  const path = join(home, `${name.replaceAll(' ', '-')}.db`);
  const { history } = openHistory(path, { clock: nodeClock(), log: { write: () => undefined } });
  history.record({ ...exchange, startedAt: 1 });
  history.record(bareExchange({ id: 'later', startedAt: 2 }));
  const [kept] = history.list({ limit: 1, before: 'later' });
  if (kept === undefined) throw new Error('The history has no such row.');
  expect(keptRow(kept, 0)).toEqual(rowOf({ ...exchange, startedAt: 1 }, 0));
  expect(keptRow(kept, 0)).toMatchObject(shown);
  history.close();
});
