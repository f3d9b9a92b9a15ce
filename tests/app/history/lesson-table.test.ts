import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../../app/history/history.ts';
import { lessonLifeMs } from '../../../app/history/lesson-table.ts';
import { HandClock } from '../account/hand-clock.ts';
import { collectingLog, temporaryFolder } from './surroundings.ts';

function open(path: string, clock: HandClock) {
  clock.held = true;
  return openHistory(path, { clock, log: collectingLog() });
}
const lesson = { model: 'one', path: '/v1/messages', subject: 'field:service_tier', value: '' };

it('lessons outlive a restart and end after a day; the same one learned again begins anew', () => {
  const path = join(temporaryFolder(), 'history.db');
  const clock = new HandClock();
  const first = open(path, clock);
  first.lessons.learn(lesson);
  const learnedAt = clock.now();
  first.lessons.learn({ ...lesson, model: 'other' });
  first.history.close();

  const second = open(path, clock);
  expect(second.lessons.of('one', '/v1/messages')).toEqual([{ ...lesson, id: expect.any(String), learnedAt }]);
  expect(second.lessons.of('one', '/chat/completions')).toEqual([]);
  clock.advance(lessonLifeMs - 1);
  second.lessons.learn(lesson);
  clock.advance(1);
  expect(second.lessons.all()).toEqual([
    { ...lesson, id: expect.any(String), learnedAt: learnedAt + lessonLifeMs - 1 },
  ]);
  second.history.close();

  const third = open(path, clock);
  expect(third.lessons.all()).toHaveLength(1);
  clock.jump(-lessonLifeMs * 2);
  expect(third.lessons.all()).toEqual([]);
  third.history.close();
});

it(
  'what was learned before a moment is taken back, what came after stays, and a moment that is yet to come ' +
    'means nothing',
  () => {
    const path = join(temporaryFolder(), 'history.db');
    const clock = new HandClock();
    const first = open(path, clock);
    first.lessons.learn(lesson);
    clock.advance(10);
    first.lessons.learn({ ...lesson, model: 'other' });
    expect(first.lessons.forgetBefore(clock.now() + 1)).toBe(0);
    expect(first.lessons.forgetBefore(clock.now())).toBe(1);
    expect(first.lessons.all().map(({ model }) => model)).toEqual(['other']);
    first.history.close();
    const second = open(path, clock);
    expect(second.lessons.all().map(({ model }) => model)).toEqual(['other']);
    second.history.close();
  },
);

it('what is forgotten does not come back with a restart; another lesson stays, and has the same id for ever', () => {
  const path = join(temporaryFolder(), 'history.db');
  const clock = new HandClock();
  const first = open(path, clock);
  first.lessons.learn(lesson);
  first.lessons.learn({ ...lesson, model: 'other' });
  first.history.close();

  const second = open(path, clock);
  const [one, other] = second.lessons.all();
  expect(second.lessons.forget(one?.id)).toBe(1);
  expect(second.lessons.forget(one?.id)).toBe(0);
  expect(second.lessons.all()).toEqual([other]);
  second.history.close();

  const third = open(path, clock);
  expect(third.lessons.all()).toEqual([other]);
  third.lessons.learn(lesson);
  expect(third.lessons.all().map(({ id }) => id)).toEqual([other?.id, one?.id]);
  expect(third.lessons.forget()).toBe(2);
  third.history.close();

  const last = open(path, clock);
  expect(last.lessons.all()).toEqual([]);
  last.history.close();
});

it('holds 500 lessons, also over a restart; the oldest go first', () => {
  const path = join(temporaryFolder(), 'history.db');
  const clock = new HandClock();
  const first = open(path, clock);
  for (let at = 0; at < 502; at++) {
    first.lessons.learn({ ...lesson, subject: `tool:${at}` });
    clock.advance(1);
  }
  first.lessons.learn({ ...lesson, subject: 'tool:2' });
  const kept = first.lessons.all().map(({ subject }) => subject);
  expect(kept).toHaveLength(500);
  expect(kept.slice(0, 1)).toEqual(['tool:3']);
  expect(kept.at(-1)).toBe('tool:2');
  first.history.close();

  const second = open(path, clock);
  expect(second.lessons.all().map(({ subject }) => subject)).toEqual(kept);
  second.history.close();
});
