import { existsSync, globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../app/api/app.ts';
import type { SideQuestion } from '../../app/api/sessions.ts';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import { until } from '../soon.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** Questions beside the conversation of a session of the real Claude Code. */
let front: HostedFront;
let app: App;
let id: string;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf, {}, { trash: (path) => rm(path, { recursive: true }) });
  ({ app } = front);
  ({ id } = await app.newSession({ cwd: front.project, agent: 'claude', title: null, choices: {} }));
});
afterEach(() => front.close());

const rows = () => [...front.rows.values()].filter(({ client }) => client === id);
const beside = () => rows().filter(({ reason }) => reason?.code === 'side-question');
const answered = (question: SideQuestion): Promise<SideQuestion> =>
  until(async () => {
    const found = (await app.sideQuestions(id)).find((one) => one.id === question.id);
    return found !== undefined && found.state !== 'running' ? found : null;
  });
const turn = async (words: string): Promise<string> => {
  const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
  await front.ended(turnId);
  return turnId;
};

const isBeside = ({ body }: RecordedRequest): boolean => JSON.stringify(body).includes('This is a side question');
/** What was said, as Claude Code keeps it. */
const transcript = (): string[] => {
  const [file] = globSync(join(front.home, '.claude/projects/*', `${id}.jsonl`));
  const lines = file === undefined ? [] : readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => /"type":"(user|assistant)"/.test(line));
};
/** A command that asks first, so that the turn waits as long as it has to. */
const slow = 'run: touch made && echo done';
const ask = (question: string) => app.askSideQuestion({ session: id, question });

describe('a question beside the conversation', () => {
  it('is answered from it and adds nothing to it; its cost is the session’s and no turn’s', async () => {
    await turn('count to 3');
    const before = transcript();
    const { cost } = await app.session(id);
    const first = await answered(await ask('what did I ask?'));
    expect(first).toMatchObject({ state: 'done', problem: null, answer: expect.stringContaining('what did I ask?') });
    expect(beside()).toMatchObject([{ initiator: 'user', outcome: 'done', requestClass: 'auxiliary' }]);
    // What the conversation sent before was read from the cache.
    expect(first.cost).toMatchObject({ user: 1, agent: 0, nanoAiu: beside()[0]?.charge.nanoAiu });
    expect(first.cost.cached).toBeGreaterThan(1_000);
    const more = await answered(await ask('and then?'));
    const asked = front.stack.simulator.requests.filter(isBeside).map(({ body }) => JSON.stringify(body));
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('count to 3');
    expect(asked[1]).toContain('what did I ask?');
    expect(before.length).toBeGreaterThan(1);
    expect(transcript()).toEqual(before);
    const spent = cost.nanoAiu + first.cost.nanoAiu + more.cost.nanoAiu;
    expect(await app.session(id)).toMatchObject({ sideQuestions: { open: 2 }, cost: { nanoAiu: spent, user: 3 } });
    expect(await app.sessionCosts()).toMatchObject([{ id, cost: { nanoAiu: spent, user: 3 } }]);
    expect(await app.sessionTurns({ session: id, before: null, limit: 9 })).toMatchObject([{ cost: { user: 1 } }]);
    expect((await app.sessionList()).sessions).toMatchObject([{ id }]);

    await app.closeSideQuestions({ session: id, questions: null });
    expect(await app.sideQuestions(id)).toEqual([]);
    await turn('count to 2');
    const last = JSON.stringify(front.stack.simulator.requests.at(-1)?.body);
    expect(last).toContain('count to 3');
    expect(last).not.toContain('what did I ask?');
    const now = await app.session(id);
    expect(now.sideQuestions).toMatchObject({ open: 0, cost: { user: 2 } });
    expect(now.cost.nanoAiu).toBeGreaterThan(spent);
  });

  it('is answered while a turn waits, and a stop of that turn leaves it alone', async () => {
    const { turnId } = await app.sendMessage({ session: id, prompt: text(slow) });
    await front.question(0);
    expect(await answered(await ask('which command?'))).toMatchObject({ state: 'done' });
    expect(await app.session(id)).toMatchObject({ state: 'waiting', questions: 1 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { taken } = front.stack.simulator.script.next({ kind: 'usual', gate }, isBeside);
    const asked = await ask('are you sure?');
    await taken;
    await app.stopSession(id);
    expect(await front.ended(turnId)).toMatchObject({ state: 'cancelled' });
    open();
    expect(await answered(asked)).toMatchObject({ state: 'done' });
    expect(await app.sessionTurns({ session: id, before: null, limit: 9 })).toMatchObject([{ cost: { user: 1 } }]);
    expect(front.ofKind('note')).toEqual([]);
  });

  it('is answered while a turn fails', async () => {
    await turn('count to 3');
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { taken } = front.stack.simulator.script.next({ kind: 'usual', gate }, isBeside);
    const asked = await ask('what did I ask?');
    await taken;
    await turn('step: fail: 402 No credits');
    expect((await app.session(id)).problem).toMatchObject({ code: 'refused' });
    open();
    expect(await answered(asked)).toMatchObject({ state: 'done' });
  });

  it('runs no tool', async () => {
    await turn('count to 3');
    const end = await answered(await ask('run: touch made'));
    expect(end).toMatchObject({ state: 'failed', problem: { code: 'failed', text: expect.stringContaining('tools') } });
    expect(front.ofKind('question')).toEqual([]);
    expect(existsSync(join(front.project, 'made'))).toBe(false);
    expect(beside()).toHaveLength(1);
  });

  it('is stopped, and so is its request; another one may be asked then', async () => {
    await turn('count to 3');
    const { script } = front.stack.simulator;
    const left = script.aborted(isBeside);
    const { taken } = script.next({ kind: 'silence' }, isBeside);
    const asked = await ask('what did I ask?');
    await taken;
    await expect(ask('and then?')).rejects.toThrow('Another side question is being answered.');
    await app.stopSideQuestion(id);
    expect(await answered(asked)).toMatchObject({ state: 'cancelled', answer: null, problem: null });
    await left;
    expect(await answered(await ask('and then?'))).toMatchObject({ state: 'done' });
  });

  it('says why there is no answer', async () => {
    await turn('count to 3');
    const body = { error: { message: 'No credits', code: 'quota_exceeded' } };
    front.stack.simulator.script.next({ kind: 'answer', status: 402, body }, isBeside);
    const end = await answered(await ask('what did I ask?'));
    expect(end).toMatchObject({ state: 'failed', answer: null, problem: { code: 'refused', facts: { status: 402 } } });
    expect(end.problem?.requestId).toBe(beside()[0]?.id);
    expect((await app.session(id)).problem).toBeNull();
  });

  it('is not sent where a limit of the person’s own is reached', async () => {
    await turn('count to 3');
    await app.changePreferences({ limits: { creditsPerDay: 0.01 } });
    const sent = front.stack.simulator.requests.length;
    const end = await answered(await ask('what did I ask?'));
    expect(end).toMatchObject({
      state: 'failed',
      problem: { code: 'held-back', text: expect.stringContaining('credits you allow for a day') },
    });
    expect(front.stack.simulator.requests).toHaveLength(sent);
    expect(end.cost).toMatchObject({ nanoAiu: 0, user: 0 });
  });

  it('starts a session that has no process, and writes nothing into its conversation', async () => {
    await turn('count to 3');
    await app.unloadSession(id);
    const before = transcript();
    const end = await answered(await ask('what did I ask?'));
    expect(end).toMatchObject({ state: 'done' });
    const asked = JSON.stringify(front.stack.simulator.requests.filter(isBeside).at(-1)?.body);
    expect(asked).toContain('count to 3');
    expect(transcript()).toEqual(before);
    expect(await app.session(id)).toMatchObject({ state: 'idle' });
  });

  it('goes with its session, where that is deleted', async () => {
    await turn('count to 3');
    const { taken } = front.stack.simulator.script.next({ kind: 'silence' }, isBeside);
    await ask('what did I ask?');
    await taken;
    const left = front.stack.simulator.script.aborted(isBeside);
    await app.deleteSession(id);
    await left;
    await expect(app.sideQuestions(id)).rejects.toThrow('There is no such session.');
    await until(() => beside().every(({ outcome }) => outcome !== 'running'));
  });
});
