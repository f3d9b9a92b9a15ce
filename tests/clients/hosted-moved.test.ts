import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { App } from '../../app/api/app.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** The real Claude Code finds a conversation by its id, wherever its folder is by now. */
let front: HostedFront;
let app: App;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  ({ app } = front);
});
afterEach(() => front.close());

it('a session goes on, and is forked, where its folder was moved to', async () => {
  const { id } = await app.newSession({ cwd: front.project, agent: 'claude', title: null, choices: {} });
  const first = await app.sendMessage({ session: id, prompt: text('count to 3') });
  expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });
  await app.unloadSession(id);
  const folder = join(front.home, 'code', 'project');
  mkdirSync(join(front.home, 'code'));
  renameSync(front.project, folder);
  expect((await app.sessionList()).sessions).toMatchObject([{ id, isFolderGone: true }]);

  await expect(app.moveSession({ session: id, folder: front.project })).rejects.toMatchObject({ code: 'folder-gone' });
  await app.moveSession({ session: id, folder });
  const run = await app.sendMessage({ session: id, prompt: text('run: touch made') });
  await app.answerQuestion({ session: id, question: (await front.question(0)).id, answer: { answer: 'allow' } });
  expect(await front.ended(run.turnId)).toMatchObject({ state: 'done' });
  expect(existsSync(join(folder, 'made'))).toBe(true);
  const { body } = front.stack.simulator.requests.at(-1) ?? {};
  expect(JSON.stringify(body)).toContain('count to 3');
  expect((await app.sessionList()).sessions).toMatchObject([{ id, cwd: folder, isFolderGone: false }]);

  const fork = await app.forkSession({ session: id, turn: run.turnId });
  const inFork = await app.sendMessage({ session: fork.id, prompt: text('count to 4') });
  expect(await front.ended(inFork.turnId)).toMatchObject({ state: 'done' });
});
