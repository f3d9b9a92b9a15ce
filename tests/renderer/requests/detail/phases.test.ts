import { expect, it } from 'vitest';
import { phases, speed } from '../../../../renderer/requests/detail/phases.ts';
import { exchange } from '../../example-exchanges.ts';

const lines = (change: Parameters<typeof exchange>[0], now = 0) =>
  phases(exchange(change), now).map(({ name, start, end, took }) => [name, start, end, took]);

it('the time of a whole answer', () => {
  expect(lines({})).toEqual([
    ['Prepare for Copilot', 0, 17, '17 ms'],
    ['Wait for headers', 17, 942, '925 ms'],
    ['Wait for first token', 942, 1240, '298 ms'],
    ['Stream', 1240, 18_620, '17.4 s'],
  ]);
});

it('attempts stand one below the other', () => {
  const attempts = [
    { at: 17, status: 401, retriedBecause: 'token', upstreamRequestId: null },
    { at: 300, status: 200, retriedBecause: null, upstreamRequestId: null },
  ];
  expect(lines({ attempts }).slice(1, 3)).toEqual([
    ['Attempt 1', 17, 300, '283 ms'],
    ['Attempt 2', 300, 942, '642 ms'],
  ]);
});

it('what runs reaches until now', () => {
  const times = { sent: 17, headers: 942, firstEvent: 1240, lastEvent: null };
  expect(lines({ outcome: 'running', times }, 5000).at(-1)).toEqual(['Stream', 1240, 5000, '3.76 s']);
});

it('a refusal has no stream', () => {
  const times = { sent: 17, headers: 188, firstEvent: null, lastEvent: null };
  expect(lines({ outcome: 'failed', times }).map(([name]) => name)).toEqual([
    'Prepare for Copilot',
    'Wait for headers',
  ]);
  expect(speed(exchange({ times }))).toBeNull();
});

it('speed in words', () => {
  expect(speed(exchange())).toBe('68.3 tokens per second');
});
