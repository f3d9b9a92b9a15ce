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
  expect(second.lessons.of('one', '/v1/messages')).toEqual([{ ...lesson, learnedAt }]);
  expect(second.lessons.of('one', '/chat/completions')).toEqual([]);
  clock.advance(lessonLifeMs - 1);
  second.lessons.learn(lesson);
  clock.advance(1);
  expect(second.lessons.all()).toEqual([{ ...lesson, learnedAt: learnedAt + lessonLifeMs - 1 }]);
  second.history.close();

  const third = open(path, clock);
  expect(third.lessons.all()).toHaveLength(1);
  clock.jump(-lessonLifeMs * 2);
  expect(third.lessons.all()).toEqual([]);
  third.history.close();
});
