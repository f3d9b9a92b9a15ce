import { expect, it } from 'vitest';
import { OneAtATime } from '../../../../app/sessions/turns/turns.ts';

it('work is done in the order in which it was asked for, one piece at a time, also after one that failed', async () => {
  const work = new OneAtATime();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = work.run(async () => {
    await gate.promise;
    done.push('first');
    throw new Error('no');
  });
  const second = work.run(async () => done.push('second'));
  expect(work.isAtRest).toBe(false);
  const over = work.done();
  gate.resolve();
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe(2);
  await over;
  expect([done, work.isAtRest]).toEqual([['first', 'second'], true]);
});
