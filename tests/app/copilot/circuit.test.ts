import { beforeEach, describe, expect, it } from 'vitest';
import { Circuit, probeEveryMs } from '../../../app/copilot/circuit.ts';
import type { CopilotFailure } from '../../../app/copilot/failures.ts';
import { HandClock } from '../account/hand-clock.ts';
import { failure } from './failure.ts';

const limited = (seconds: number | null, change: Partial<CopilotFailure> = {}): CopilotFailure =>
  failure({
    status: 429,
    code: 'user_model_rate_limited',
    message: 'Slow down',
    requestIds: ['up-1'],
    retryAfterSeconds: seconds,
    host: 'api.example',
    ...change,
  });

let clock: HandClock;
let circuit: Circuit;
beforeEach(() => {
  clock = new HandClock();
  circuit = new Circuit(clock);
});

/** Sends one; true: it went through. */
function send(failure: CopilotFailure | null, model = 'one'): boolean {
  const goes = asks(model);
  if (goes) circuit.ended(model, failure, clock.now());
  return goes;
}
const asks = (model = 'one'): boolean => circuit.enter(model) === null;

describe('C19.2 a limit that was said twice', () => {
  it(
    'holds back with the code and the time that is left, and none of the words, which another request was ' + 'told',
    () => {
      expect([send(limited(40)), send(limited(40))]).toEqual([true, true]);
      clock.advance(10_500);
      expect(circuit.enter('one')).toEqual({
        ...limited(30),
        source: 'jumpseat',
        message: '',
        requestIds: [],
      });
    },
  );

  it('lets all through when its time has come, and holds again at the first refusal', () => {
    send(limited(40));
    send(limited(40));
    clock.advance(39_999);
    expect(asks()).toBe(false);
    clock.advance(1);
    expect([asks(), asks()]).toEqual([true, true]);
    expect([send(limited(40)), send(limited(40))]).toEqual([true, false]);
  });

  it('is over with the first good answer', () => {
    send(limited(40));
    send(limited(40));
    clock.advance(40_000);
    expect([send(null), send(limited(40)), send(limited(40)), send(limited(40))]).toEqual([true, true, true, false]);
  });

  it('one request a minute goes through, and heals it', () => {
    send(limited(465_000));
    send(limited(465_000));
    clock.advance(probeEveryMs - 1);
    expect(asks()).toBe(false);
    clock.advance(1);
    expect([send(limited(464_000)), asks()]).toEqual([true, false]);
    clock.advance(probeEveryMs);
    // No other one meanwhile.
    expect([asks(), asks()]).toEqual([true, false]);
    circuit.ended('one', null, clock.now());
    expect([asks(), asks()]).toEqual([true, true]);
  });

  it('a probe that was given up is followed by the next one', () => {
    send(limited(600));
    send(limited(600));
    clock.advance(probeEveryMs);
    expect([asks(), asks()]).toEqual([true, false]);
    clock.advance(probeEveryMs);
    expect(asks()).toBe(true);
  });

  it('an answer to something that was sent before it does not end it', () => {
    expect(asks()).toBe(true);
    const before = clock.now();
    clock.advance(1000);
    send(limited(40));
    send(limited(40));
    circuit.ended('one', null, before);
    expect(asks()).toBe(false);
  });

  it('a clock that was put back holds nothing', () => {
    send(limited(40));
    send(limited(40));
    clock.jump(-3_600_000);
    expect(asks()).toBe(true);
  });

  it('another account is not affected', () => {
    send(limited(40));
    send(limited(40));
    circuit.forget();
    expect(asks()).toBe(true);
  });
});

describe('whose limit it is', () => {
  it.each([
    ['user_model_rate_limited', true],
    ['user_weekly_rate_limited', true],
    ['rate_limited', true],
    [null, true],
    ['user_global_rate_limited', false],
    ['integration_rate_limited', false],
    ['extension_blocked', false],
  ])('%s: another model goes through: %s', (code, through) => {
    send(limited(40, { code }));
    send(limited(40, { code }));
    expect([asks('one'), asks('other')]).toEqual([false, through]);
  });

  it('a good answer of another model ends what held for all, and nothing of this one', () => {
    const all = limited(600, { code: 'user_global_rate_limited' });
    for (const [failure, model] of [
      [limited(600), 'one'],
      [limited(600), 'one'],
      [all, 'other'],
      [all, 'other'],
    ] as const)
      send(failure, model);
    expect(asks('third')).toBe(false);
    clock.advance(probeEveryMs);
    send(null, 'third');
    expect([asks('other'), asks('other'), asks('one'), asks('one')]).toEqual([true, true, true, false]);
  });
});

describe('what opens nothing', () => {
  it.each<[string, CopilotFailure]>([
    ['no time named', limited(null)],
    ['a time of nothing', limited(0)],
    ['another status', limited(40, { status: 503 })],
    ['GitHub’s own limit for tokens', limited(40, { source: 'github' })],
  ])('%s', (_, failure) => {
    expect([send(failure), send(failure), send(failure), send(failure)]).toEqual([true, true, true, true]);
  });

  it('one refusal alone, and refusals with good answers between', () => {
    for (let turn = 0; turn < 5; turn++) expect([send(limited(40)), send(null)]).toEqual([true, true]);
  });

  it('failures between do not take it back', () => {
    send(limited(40));
    send(limited(null, { status: 500 }));
    send(limited(40));
    expect(asks()).toBe(false);
  });
});
