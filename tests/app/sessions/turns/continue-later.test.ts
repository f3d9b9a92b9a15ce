import { expect, it } from 'vitest';
import { ContinueLater } from '../../../../app/sessions/turns/continue-later.ts';
import { fakeClock } from '../../history/surroundings.ts';

const hour = 60 * 60_000;

function laid(limitEndsIn: number | null = 2 * hour) {
  const clock = fakeClock();
  const facts = limitEndsIn === null ? {} : { limitEndsAt: clock.now() + limitEndsIn };
  const problem = { code: 'refused', text: 'A limit.', remedy: '', requestId: null, stderr: null, facts };
  const given = { standing: 'as it was' as unknown, sent: [] as unknown[], changes: 0 };
  const later = new ContinueLater({
    ...{ clock, problem: () => problem, standing: () => given.standing },
    send: (prompt) => given.sent.push(prompt),
    changed: () => {
      given.changes += 1;
    },
  });
  return { ...{ clock, later, given, at: clock.now() + (limitEndsIn ?? 0) } };
}

it('goes on once when the limit is over, and not before', async () => {
  const { clock, later, given, at } = laid();
  later.start();
  later.start();
  expect([later.at, given.changes]).toEqual([at, 1]);
  for (let passed = 0; passed < 2 * hour - 10_000; passed += 10_000) await clock.advance(10_000);
  await clock.advance(9_999);
  expect(given.sent).toEqual([]);
  await clock.advance(1);
  expect(given.sent).toEqual([[{ type: 'text', text: 'Go on where you stopped.' }]]);
  await clock.advance(5 * hour);
  expect([later.at, given.sent.length]).toEqual([null, 1]);
});

it('goes on after the machine has slept over the end of the limit', async () => {
  const { clock, later, given } = laid();
  later.start();
  await clock.advance(9 * hour);
  expect(given.sent).toHaveLength(1);
});

it('is taken back by a person, and by whatever changes in the session', async () => {
  const stopped = laid();
  stopped.later.start();
  stopped.later.stop();
  const changed = laid();
  changed.later.start();
  changed.given.standing = 'another model';
  expect(changed.later.at).toBeNull();
  const unseen = laid();
  unseen.later.start();
  unseen.given.standing = 'a message waits';
  for (const { clock, given } of [stopped, changed, unseen]) {
    await clock.advance(3 * hour);
    expect(given.sent).toEqual([]);
  }
});

it('is refused where no end of a limit is known, or only one that is far', () => {
  for (const endsIn of [null, 8 * 24 * hour]) {
    const { later } = laid(endsIn);
    expect(() => later.start()).toThrow('The last turn didn’t end at a limit that ends within a week.');
    expect(later.at).toBeNull();
  }
});
