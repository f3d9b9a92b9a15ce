import { beforeEach, describe, expect, it } from 'vitest';
import { beginsWithinMs, WebRuns } from '../../../../../app/exchange/features/web-search/codex.ts';

interface Answer {
  row: { client: string };
  facts: { blocks: { name: string | null }[] };
}

let now: number;
let running: Answer[];
let runs: WebRuns;
beforeEach(() => {
  now = 0;
  running = [];
  runs = new WebRuns(() => running, { ticks: () => now });
});

function answer(calls: number, client = 'codex'): Answer {
  return { row: { client }, facts: { blocks: [{ name: null }, ...Array(calls).fill({ name: 'web__run' })] } };
}
const takes = (times: number, client = 'codex') => Array.from({ length: times }, () => runs.take(client));

describe('searches that a model called for', () => {
  it('stand for one request each, of the same client', () => {
    runs.ended(answer(2));
    expect(takes(1, 'another')).toEqual([false]);
    expect(takes(3)).toEqual([true, true, false]);
  });

  it('may begin while the answer runs, and are not counted again when it ends', () => {
    running = [answer(2)];
    expect(takes(1)).toEqual([true]);
    runs.ended(running.pop() as Answer);
    expect(takes(2)).toEqual([true, false]);
  });

  it('are the model’s no more where none came soon', () => {
    runs.ended(answer(1));
    now = beginsWithinMs;
    expect(takes(1)).toEqual([false]);
  });

  it('may be made one after the other', () => {
    runs.ended(answer(3));
    for (now = 50_000; now <= 150_000; now += 50_000) expect(takes(1)).toEqual([true]);
    expect(takes(1)).toEqual([false]);
  });

  it('that never came are not kept by those of later answers', () => {
    runs.ended(answer(1));
    now = 40_000;
    runs.ended(answer(2));
    expect(takes(1)).toEqual([true]);
    now = 80_000;
    expect(takes(2)).toEqual([true, false]);
  });
});
