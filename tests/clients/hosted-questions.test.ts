import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallArguments } from '../../app/api/calls.ts';
import type { SessionQuestion } from '../../app/api/sessions.ts';
import { modeWordsOf } from '../../app/words/agents.ts';
import { readPermission } from '../../renderer/sessions/questions/asked.ts';
import { approvalOf } from '../../renderer/sessions/questions/plan.tsx';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** What a person says to questions of the real Claude Code, and what the model learns of it. */
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  // All tools are in the first request then, where no model would look for them.
  front.write('.claude/settings.json', JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } }));
});
afterEach(() => front.close());

type Answer = CallArguments<'answerQuestion'>[0]['answer'];

/** What the model was last asked, without the marks before quotes in it. */
function reported(): string {
  return JSON.stringify(front.stack.simulator.requests.at(-1)?.body ?? null).replaceAll('\\', '');
}

/** Sends words, and answers the one question of their turn. */
async function asked(session: string, words: string, answer: Answer | ((question: never) => Promise<Answer>)) {
  const { app } = front;
  const count = front.ofKind('question').length;
  const { turnId } = await app.sendMessage({ session, prompt: text(words) });
  const question = await front.question(count);
  const given = typeof answer === 'function' ? await answer(question as never) : answer;
  expect(await app.answerQuestion({ session, question: question.id, answer: given })).toBe(true);
  expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
  const costs = (await app.sessionTurns({ session, before: null, limit: 1 })).at(-1)?.cost;
  return { question, reported: reported(), user: costs?.user };
}

describe('a question of the real Claude Code', () => {
  it('E18 that is allowed with another input runs that, and the model is told that the person changed it', async () => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const made = await asked(id, 'run: touch made', { answer: 'allow', input: { command: 'touch other' } });
    expect([existsSync(join(project, 'made')), existsSync(join(project, 'other'))]).toEqual([false, true]);
    expect(made.reported.includes('The user changed it.')).toBe(true);
    expect(made.reported.includes('{"command":"touch other"}')).toBe(true);
    expect(made.user).toBe(1);
    const failed = await asked(id, 'run: touch more', { answer: 'allow', input: { command: 'exit 3' } });
    expect(failed.reported.split('The user changed it.')).toHaveLength(3);
    const plain = await asked(id, 'run: touch last', { answer: 'allow' });
    expect(plain.reported.split('The user changed it.')).toHaveLength(3);
  });

  it('E19 about a plan that was changed in its file tells the model the words of the person', async () => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: { mode: 'plan' } });
    // Where it writes its plan stands in what it is told, and that is not asked.
    const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 3') });
    await front.ended(turnId);
    const [path] = /[^"\s]+\/plans\/[\w-]+\.md/.exec(reported()) ?? [];
    const words = `step: write: ${path} | First this\nstep: use: ExitPlanMode {}`;
    const plan = await asked(id, words, async (question: { id: string; request: object }) => {
      const look = { session: id, question: question.id, version: null };
      const [file] = (await app.askedFiles(look))?.files ?? [];
      expect(file).toMatchObject({ state: 'there', text: expect.stringContaining('First this') });
      writeFileSync(file?.path ?? '', 'Then that');
      expect((await app.askedFiles(look))?.files).toMatchObject([{ text: 'Then that' }]);
      expect(await app.pathInSession(id, file?.path ?? '')).toMatchObject({ isFolder: false, isExecutable: false });
      const { rawInput } = Reflect.get(question.request, 'toolCall');
      return { answer: 'allow', input: { ...rawInput, plan: 'Then that' } };
    });
    expect(plan.reported.includes('Then that')).toBe(true);
    expect(/edited by (the )?user/i.test(plan.reported)).toBe(true);
    expect(plan.reported.includes('The user changed it.')).toBe(false);
  });

  it('E19 about a plan that is approved with its edits accepted asks about no edit after it', async () => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: { mode: 'plan' } });
    // As the window answers, where the model could be in auto mode too.
    await asked(id, 'step: plan: First this', (question: SessionQuestion) => {
      const { options } = readPermission(question);
      expect(options.map((option) => option.id)).toContain('exit-plan-auto');
      return Promise.resolve(approvalOf(options, true));
    });
    expect((await app.session(id))?.mode).toMatchObject({ wanted: 'acceptEdits', applied: 'acceptEdits' });
    const count = front.ofKind('question').length;
    const { turnId } = await app.sendMessage({ session: id, prompt: text('step: write: made.txt | words') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect(front.ofKind('question')).toHaveLength(count);
    expect(existsSync(join(project, 'made.txt'))).toBe(true);
  });

  it('that is denied with words sends them on as the person’s', async () => {
    const { app, project, stack } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const initiator = () => stack.simulator.requests.at(-1)?.headers['x-initiator'];
    const denied = await asked(id, 'run: touch made', { answer: 'deny' });
    expect([denied.user, initiator()]).toEqual([1, 'agent']);
    const words = await asked(id, 'run: touch made', { answer: 'deny', words: 'name it differently' });
    expect(words.reported.includes('name it differently')).toBe(true);
    expect([words.user, initiator()]).toEqual([2, 'user']);
  });

  it.each([
    { mode: 'default', unasked: ['ls', 'echo a', 'sleep 0', 'node -v'], asks: ['mkdir made', 'rm a', 'mv a b'] },
    {
      mode: 'acceptEdits',
      unasked: ['ls', 'sleep 0', 'echo a > a', 'mkdir made', 'mv a b', 'rm b', 'touch c'],
      asks: ['node -e 1', 'git init', 'touch ../outside', 'mkdir more && node -e 1'],
    },
  ])('comes in $mode for the commands that its words name, and for no others', async ({ mode, unasked, asks }) => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: { mode } });
    for (const command of unasked) {
      const { turnId } = await app.sendMessage({ session: id, prompt: text(`run: ${command}`) });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
      expect(front.ofKind('question').map(({ event }) => event)).toEqual([]);
    }
    for (const command of asks) await asked(id, `run: ${command}`, { answer: 'deny' });
    expect([existsSync(join(project, 'made')), existsSync(join(project, 'c'))]).toEqual(
      Array(2).fill(mode === 'acceptEdits'),
    );
    expect(modeWordsOf[mode === 'default' ? 'default' : 'acceptEdits'].text).toContain(
      mode === 'default'
        ? 'Commands that change nothing (ls, echo, sleep …) don’t ask.'
        : 'Edits in the folder don’t ask, nor do commands that only change files there (rm, mv, mkdir …).',
    );
  });

  it('E19 of a server says which one asks, and what it says of its tool', async () => {
    const { app, project } = front;
    const server = { command: process.execPath, args: [join(import.meta.dirname, 'asking-server.mjs')] };
    front.write('project/.mcp.json', JSON.stringify({ mcpServers: { notes: server } }));
    await app.trustFolder(project);
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const looked = await asked(id, 'use: mcp__notes__look {"key":"a"}', { answer: 'allow', input: { key: 'b' } });
    expect(looked.question.request).toMatchObject({ _meta: { jumpseat: { hints: { readOnly: true } } } });
    expect(looked.reported.includes('You gave {"key":"b"}.')).toBe(true);
    const rule = { tool: 'mcp__notes__ask', input: null, isExact: false };
    const { turnId } = await app.sendMessage({ session: id, prompt: text('use: mcp__notes__ask {}') });
    const allow = await front.question(1);
    await app.answerQuestion({ session: id, question: allow.id, answer: { answer: 'allow', rule } });
    const form = await front.question(2);
    expect(form).toMatchObject({
      kind: 'form',
      request: { message: 'Who are you?', _meta: { jumpseat: { server: 'notes' } } },
    });
    const content = { name: 'Ada' };
    await app.answerQuestion({ session: id, question: form.id, answer: { answer: 'form', action: 'accept', content } });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect(reported().includes('You are Ada.')).toBe(true);
  });
});
