import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { claudeBinary } from './claude.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** What a person does with a session of their own Claude Code, which Jumpseat did not lead. */
const id = '5d0c3a41-6c0a-4a52-9d35-6a7a1d0e9b11';
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  await says('count to 3', '--session-id', id);
  await says('count to 4', '--resume', id);
  await says('count to 5', '--resume', id);
});
afterEach(() => front.close());

async function says(words: string, ...session: string[]): Promise<void> {
  const { home, project, stack } = front;
  const started = promisify(execFile)(claudeBinary, ['-p', words, ...session], {
    cwd: project,
    env: {
      ...{ HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', DISABLE_AUTOUPDATER: '1' },
      ...{ ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${stack.key}.terminal` },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  });
  started.child.stdin?.end();
  await started;
}

/** The prompts of a session, as its transcript has them. */
async function prompts(session: string): Promise<{ id: string; words: unknown }[]> {
  const read = await front.app.transcript({ id: session, agentId: null, before: null, limit: 50 });
  return (read?.turns ?? []).map((turn) => ({ id: turn.id, words: turn.prompt?.[0]?.text }));
}
const wordsOf = async (session: string) => (await prompts(session)).map(({ words }) => words);
/** The last request of a turn: Claude Code asks for a title beside it, without tools. */
function asked(): string {
  const bodies = front.stack.simulator.requests.map(({ body }) => JSON.stringify(body) ?? '');
  return bodies.findLast((body) => body.includes('"tools":[{')) ?? '';
}

describe.runIf(claudeBinary !== '')('a session that the person’s own Claude Code led', () => {
  it('is forked at a turn, and the fork is in the list with that turn before anything was sent', async () => {
    const { app } = front;
    const [first] = await prompts(id);
    const fork = await app.forkSession({ session: id, turn: first?.id ?? '' });
    expect(await wordsOf(fork.id)).toEqual(['count to 3']);
    const { sessions } = await app.sessionList();
    expect(sessions.find((one) => one.id === fork.id)).toMatchObject({ hosted: true, title: expect.any(String) });
    const { turnId } = await app.sendMessage({ session: fork.id, prompt: text('count to 6') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect([asked().includes('count to 3'), asked().includes('count to 4')]).toEqual([true, false]);
    await until(async () => (await wordsOf(fork.id)).length === 2);
    // The first turn of the copy has another name now; the one that a window still has is good as well.
    for (const turn of [first?.id ?? '', (await prompts(fork.id))[0]?.id ?? '']) {
      const again = await app.forkSession({ session: fork.id, turn });
      expect(await wordsOf(again.id)).toEqual(['count to 3']);
    }
  });

  it.each(['auto', 'acceptEdits'])('left in %s asks as shown, gone on with here and forked', async (mode) => {
    const { app, project } = front;
    await says('count to 6', '--resume', id, '--permission-mode', mode);
    const fork = await app.forkSession({ session: id, turn: null });
    for (const [nth, session] of [fork.id, id].entries()) {
      expect((await app.session(session))?.mode).toEqual({ wanted: 'default', applied: null });
      const { turnId } = await app.sendMessage({ session, prompt: text('run: touch zz') });
      const question = await front.question(nth);
      expect([existsSync(join(project, 'zz')), (await app.session(session))?.mode.applied]).toEqual([false, 'default']);
      await app.answerQuestion({ session, question: question.id, answer: { answer: 'deny' } });
      await front.ended(turnId);
    }
    expect(existsSync(join(project, 'zz'))).toBe(false);
  });

  it('keeps its title and its start where a message goes on with it here', async () => {
    const { app } = front;
    const before = (await app.sessionList()).sessions.find((one) => one.id === id);
    expect(before).toMatchObject({ firstPrompt: 'count to 3', createdAt: expect.any(Number) });
    const named = { title: 'count to 3', createdAt: before?.createdAt };
    expect(await app.session(id)).toMatchObject({ createdAt: named.createdAt });
    const { turnId } = await app.sendMessage({ session: id, prompt: text('say: other words') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect(await app.session(id)).toMatchObject(named);
    expect((await app.sessionList()).sessions.find((one) => one.id === id)).toMatchObject({
      ...{ firstPrompt: 'count to 3', createdAt: named.createdAt },
    });
  });

  it('goes back behind a turn, brings it back, and goes on from there with the next message', async () => {
    const { app } = front;
    const turn = (await prompts(id))[1]?.id ?? '';
    const back = { session: id, turn, withFiles: false };
    const { prompt, copy } = await app.goBack(back);
    expect([prompt[0]?.text, await wordsOf(id)]).toEqual(['count to 4', ['count to 3']]);
    expect(await wordsOf(copy)).toHaveLength(3);
    expect(await app.session(id)).toMatchObject({ cutTurns: 2 });
    await app.undoGoBack(id);
    expect(await wordsOf(id)).toHaveLength(3);
    await app.goBack(back);
    const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 7') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect([asked().includes('count to 3'), asked().includes('count to 4')]).toEqual([true, false]);
    await until(async () => (await wordsOf(id)).join() === 'count to 3,count to 7');
  });
});
