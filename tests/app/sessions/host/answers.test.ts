import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentStates } from '../../../../app/sessions/host/agent-states.ts';
import { surroundingAnswers } from '../../../../app/sessions/host/answers.ts';
import { Hosted, text } from './hosted.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-asked-')));
  writeFileSync(join(folder, 'a.ts'), 'one\n');
  writeFileSync(join(folder, 'b.ts'), 'other\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a file that a question names as its plan is the session’s own only among its agent’s plans', async () => {
  const hosted = new Hosted();
  const states = new AgentStates({
    ...{ agents: [], clock: hosted.clock, keepChoice: async () => undefined, tell: () => undefined },
  });
  const plans = join(folder, 'plans');
  mkdirSync(plans);
  const agents = [Object.assign(Object.create(hosted.agent), { plans })];
  const answers = surroundingAnswers(
    async () => ({ host: hosted.host, store: hosted.store, agents, states, delete: async () => undefined }),
    { environment: { PATH: process.env.PATH }, userHome: folder },
  );
  const session = hosted.create('s');
  const paths = [join(plans, 'p.md'), join(folder, 'diary.md')];
  for (const path of paths) writeFileSync(path, '# A');
  hosted.agent.script = async (turn) => {
    for (const planFilePath of paths) {
      await turn.ask({
        ...{ toolCallId: planFilePath, name: 'ExitPlanMode', kind: 'switch_mode' },
        rawInput: { plan: 'x', planFilePath },
      });
    }
    return 'end_turn';
  };
  const { turnId } = await session.send(text('plan it'));
  const { pathInSession } = answers;
  expect(await pathInSession('s', join(plans, 'p.md'))).toMatchObject({ isOutside: true });
  const reported: unknown[] = [];
  for (const [nth, path] of paths.entries()) {
    const { id: question } = await hosted.question(nth);
    const shown = await answers.askedFiles({ session: 's', question, version: null });
    reported.push([(await pathInSession('s', path)).isOutside, shown?.files[0]?.text]);
    await session.answer(question, { answer: 'deny' });
  }
  expect(reported).toEqual([
    [false, '# A'],
    [true, null],
  ]);
  await hosted.ended(turnId);
});

it('a command that waits for an answer, or that a person denies, is none that ran', async () => {
  const hosted = new Hosted();
  const session = hosted.create('s');
  hosted.agent.script = async (turn) => {
    for (const toolCallId of ['allowed', 'denied']) {
      const _meta = { claudeCode: { toolName: 'Bash' } };
      await turn.update({ sessionUpdate: 'tool_call', toolCallId, title: 'rm', _meta });
      await turn.ask({ toolCallId, name: 'Bash', rawInput: { command: 'rm x' } });
    }
    return 'end_turn';
  };
  const { turnId } = await session.send(text('clean up'));
  const commands = (): number => session.edits.changes(null).commands;
  const first = await hosted.question(0);
  expect(commands()).toBe(0);
  await session.answer(first.id, { answer: 'allow' });
  const second = await hosted.question(1);
  expect(commands()).toBe(1);
  await session.answer(second.id, { answer: 'deny' });
  await hosted.ended(turnId);
  expect(commands()).toBe(1);
});

describe('the files of a question', () => {
  it('are told by its id, while it is open, to who asks for its own session', async () => {
    const hosted = new Hosted();
    const states = new AgentStates({
      ...{ agents: [], clock: hosted.clock, keepChoice: async () => undefined, tell: () => undefined },
    });
    const answers = surroundingAnswers(
      async () => ({ host: hosted.host, store: hosted.store, agents: [], states, delete: async () => undefined }),
      { environment: { PATH: process.env.PATH }, userHome: folder },
    );
    const session = hosted.create('s');
    hosted.create('other');
    hosted.agent.script = async (turn) => {
      await turn.ask({
        ...{ toolCallId: 'tool-1', name: 'Edit', kind: 'edit' },
        rawInput: { file_path: join(folder, 'a.ts'), old_string: 'one', new_string: 'two' },
      });
      return 'end_turn';
    };
    const { turnId } = await session.send(text('edit it'));
    const { id: question } = await hosted.question();
    const asked = { session: 's', question, version: null };
    const found = await answers.askedFiles(asked);
    expect(found?.files).toMatchObject([{ path: join(folder, 'a.ts'), text: 'one\n', isOutside: expect.any(Boolean) }]);
    expect(await answers.askedFiles({ ...asked, version: found?.version ?? null })).toBeNull();
    expect(await answers.askedFiles({ ...asked, session: 'other' })).toBeNull();
    expect(await answers.askedFiles({ ...asked, question: 'none' })).toBeNull();
    await session.answer(question, { answer: 'deny' });
    expect(await answers.askedFiles(asked)).toBeNull();
    await hosted.ended(turnId);
  });
});
