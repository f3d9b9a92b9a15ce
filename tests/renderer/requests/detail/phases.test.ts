import { expect, it } from 'vitest';
import { phases, speed } from '../../../../renderer/requests/detail/phases.ts';
import { exchange } from '../../../exchange.ts';

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

it('each step that was measured has its line', () => {
  const times = { read: 6, sent: 17, headers: 942, firstEvent: 1240, lastEvent: 18_620 };
  const attempt = { at: 30, token: 13, connect: 41, status: 200, retriedBecause: null, upstreamRequestId: null };
  expect(lines({ times, attempts: [attempt] })).toEqual([
    ['Read request', 0, 6, '6 ms'],
    ['Prepare for Copilot', 6, 17, '11 ms'],
    ['Token', 17, 30, '13 ms'],
    ['Connect', 30, 71, '41 ms'],
    ['Wait for headers', 71, 942, '871 ms'],
    ['Wait for first token', 942, 1240, '298 ms'],
    ['Stream', 1240, 18_620, '17.4 s'],
  ]);
  expect(lines({ times, attempts: [{ ...attempt, at: 17, token: 0, connect: 0 }] }).slice(2, 5)).toEqual([
    ['Token', 17, 17, 'cached'],
    ['Connect', 17, 17, 'reused'],
    ['Wait for headers', 17, 942, '925 ms'],
  ]);
});

it('what was held says so, also where it was never let through', () => {
  const held = { from: 9, until: 4009 };
  const passed = { read: 6, held, sent: 4010, headers: 5000, firstEvent: null, lastEvent: null };
  expect(lines({ times: passed, attempts: [] }).slice(0, 3)).toEqual([
    ['Read request', 0, 6, '6 ms'],
    ['Prepare for Copilot', 6, 9, '3 ms'],
    ['Held', 9, 4009, '4.00 s'],
  ]);
  const refused = { read: 6, held, sent: null, headers: null, firstEvent: null, lastEvent: 4010 };
  expect(lines({ outcome: 'failed', times: refused, attempts: [] }).map(([name]) => name)).toEqual([
    'Read request',
    'Prepare for Copilot',
    'Held',
  ]);
});

it('what was never sent was answered here', () => {
  const times = { read: 6, sent: null, headers: null, firstEvent: null, lastEvent: 8 };
  expect(lines({ outcome: 'failed', times, attempts: [] })).toEqual([
    ['Read request', 0, 6, '6 ms'],
    ['Answered by Jumpseat', 6, 8, '2 ms'],
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
