import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../app/api/app.ts';
import { until } from '../soon.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** Words for a running turn of the real Claude Code. */
let front: HostedFront;
let app: App;
let id: string;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  ({ app } = front);
  ({ id } = await app.newSession({ cwd: front.project, agent: 'claude', title: null, choices: {} }));
});
afterEach(() => front.close());

const steer = (words: string) => app.steerSession({ session: id, prompt: text(words) });
const steered = (nth: number) => (front.ofKind('steered')[nth]?.event as { id: string } | undefined)?.id ?? '';
const byPerson = () =>
  [...front.rows.values()].filter(({ client, initiator }) => client === id && initiator === 'user');
/** A command that asks first, so that the turn waits as long as it has to. */
const slow = 'run: touch made && echo done';
const allow = async (nth: number): Promise<void> => {
  const question = (await front.question(nth)).id;
  expect(await app.answerQuestion({ session: id, question, answer: { answer: 'allow' } })).toBe(true);
};

describe('words that are said into a running turn', () => {
  it('E16 are read at its next step, and can be taken back until then', async () => {
    const { turnId } = await app.sendMessage({ session: id, prompt: text(slow) });
    await front.question(0);
    await steer('mind the commas');
    await steer('never mind');
    const [kept, taken] = [steered(0), steered(1)];
    expect(await app.takeBackSteering({ session: id, message: taken })).toEqual(text('never mind'));
    expect(front.ofKind('steering-read')).toEqual([]);
    await allow(0);
    expect(await front.ended(turnId)).toMatchObject({ state: 'done', problem: null });
    expect(front.ofKind('steering-read').map(({ event }) => event)).toEqual([{ id: kept }]);
    expect(await app.takeBackSteering({ session: id, message: kept })).toBeNull();
    const kinds = front.events.filter(({ turnId: of }) => of === turnId).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('update')).toBeGreaterThan(kinds.indexOf('steering-read'));
    await until(() => [...front.rows.values()].every(({ outcome }) => outcome !== 'running'));
    expect(byPerson()).toHaveLength(2);
    const turns = await app.sessionTurns({ session: id, before: null, limit: 10 });
    expect(turns).toMatchObject([{ id: turnId, state: 'done', cost: { user: 2 } }]);
    const asked = JSON.stringify(front.stack.simulator.requests.map(({ body }) => body));
    expect(asked).toContain('mind the commas');
    expect(asked).not.toContain('never mind');
    const after = await app.sendMessage({ session: id, prompt: text('count to 3') });
    expect(await front.ended(after.turnId)).toMatchObject({ state: 'done' });
  });

  it('let the turn end where all were taken back, and wait in the queue where it is stopped', async () => {
    const first = await app.sendMessage({ session: id, prompt: text(slow) });
    await front.question(0);
    await steer('one');
    expect(await app.takeBackSteering({ session: id, message: steered(0) })).toEqual(text('one'));
    await allow(0);
    expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });

    const second = await app.sendMessage({ session: id, prompt: text(slow) });
    await front.question(1);
    await steer('two');
    const asked = (): number => [...front.rows.values()].filter(({ client }) => client === id).length;
    const before = asked();
    await app.stopSession(id);
    expect(await front.ended(second.turnId)).toMatchObject({ state: 'cancelled' });
    await until(async () => (await app.session(id)).isQueuePaused);
    expect(front.ofKind('steering-read')).toEqual([]);
    expect(await app.session(id)).toMatchObject({ isQueuePaused: true, queue: [{ prompt: text('two') }] });
    expect(byPerson()).toHaveLength(2);
    // A stopped turn asks for nothing more.
    expect(asked()).toBe(before);
    await app.sendQueued(id);
    const [, , third] = await until(async () => {
      const turns = await app.sessionTurns({ session: id, before: null, limit: 10 });
      return turns[2]?.state === 'done' ? turns : null;
    });
    expect(third).toMatchObject({ prompt: text('two'), cost: { user: 1 } });
  });
});

it('what is sent without a connection to Copilot waits, and goes out once there is one again', async () => {
  const { script } = front.stack.simulator;
  const isOffline = async () => (await app.state()).health.offline !== null;
  const back = script.always({ kind: 'reset' }, () => true);
  await until(async () => {
    await app.refresh();
    return isOffline();
  });
  const first = await app.sendMessage({ session: id, prompt: text('count to 3') });
  expect(await app.session(id)).toMatchObject({ state: 'idle', isQueuePaused: false, queue: [{ id: first.turnId }] });
  back();
  await app.refresh();
  expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });
  expect(await isOffline()).toBe(false);
  expect(byPerson()).toHaveLength(1);
});
