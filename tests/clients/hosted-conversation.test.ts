import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { ConversationReader } from '../../renderer/sessions/state/conversation-reader.ts';
import { emptyConversation, foldEvents } from '../../renderer/sessions/state/fold.ts';
import { until } from '../soon.ts';
import { expectSameBothWays } from './both-ways.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** What the window shows of a session of the real Claude Code: followed live, and read anew. */
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
});
afterEach(() => front.close());

it('shows the same of a session that is followed live and of one that is read', async () => {
  const { app, project, stack } = front;
  front.write('project/a.txt', 'one\ntwo\nthree\n');
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const file = join(project, 'a.txt');
  app.listen((event) => {
    if (event.event !== 'session-event' || event.entry.kind !== 'question') return;
    const { id: question, request } = event.entry.event as { id: string; request: unknown };
    const answer = JSON.stringify(request).includes('refused') ? 'deny' : 'allow';
    void app.answerQuestion({ session: id, question, answer: { answer } });
  });
  const say = async (words: string): Promise<void> => {
    const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
    await front.ended(turnId);
  };
  await say('count to 5');
  await say(`use: Read ${JSON.stringify({ file_path: file })}`);
  await say(`use: Edit ${JSON.stringify({ file_path: file, old_string: 'two', new_string: 'TWO' })}`);
  await say(`use: Write ${JSON.stringify({ file_path: join(project, 'b.txt'), content: 'new\n' })}`);
  await say('run: echo done; touch made');
  await say('run: exit 3');
  await say('run: touch refused');
  await say(`use: Grep ${JSON.stringify({ pattern: 'TWO', path: project })}`);
  await say(`use: TaskCreate ${JSON.stringify({ subject: 'First', description: 'the first' })}`);
  const agent = {
    description: 'Look',
    prompt: 'count to 3',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  await say(`use: Agent ${JSON.stringify(agent)}`);
  // Cut amid a block it comes again whole; after one, the rest of it.
  stack.simulator.script.next({ kind: 'usual', cutAfter: 6 });
  await say('count to 30');
  stack.simulator.script.next({ kind: 'usual', cutAfter: 5 });
  await say('count to 6');

  const { files, commands, untracked } = await app.sessionChanges({ session: id, turn: null });
  const name = (path: string): string => path.slice(project.length + 1);
  expect(files.map(({ path, byCommand, added }) => [name(path), byCommand, added])).toEqual([
    ['a.txt', false, 1],
    ['b.txt', false, 1],
    ['made', true, 0],
  ]);
  // The third was refused.
  expect([commands, untracked]).toEqual([2, 0]);

  const live = foldEvents(emptyConversation(id), front.events);
  await expectSameBothWays(app, front.events);
  const counted = Array.from({ length: 30 }, (_, index) => index + 1).join(', ');
  const goesOn = ' … and here the simulated answer goes on to its end.';
  expect(live.turns.slice(-2).map(({ blocks }) => blocks.map((block) => block.kind === 'text' && block.text))).toEqual([
    [counted],
    ['1, 2, 3, 4, 5, 6', goesOn],
  ]);
  const again = await new ConversationReader(id, app).read();
  expect(again.turns.map(({ blocks }) => blocks)).toEqual(live.turns.map(({ blocks }) => blocks));
  expect(again.turns.map(({ number }) => number)).toEqual(live.turns.map((_, index) => index + 1));
});

it('tells the model once of a file that the words name, and of one that is attached or lies elsewhere', async () => {
  const { app, project, stack } = front;
  front.write('project/src/weather.ts', 'export {};\n');
  front.write('project/src/rain.ts', 'export {};\n');
  front.write('project/src/snow.ts', 'export {};\n');
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const link = (name: string) => ({ type: 'resource_link' as const, name, uri: `file://${join(project, name)}` });
  // An editor calls a file by its name alone.
  const elsewhere = { ...link('src/snow.ts'), name: 'snow.ts' };
  const words = text('read @src/weather.ts, then this and @snow.ts');
  const prompt = [...words, link('src/weather.ts'), link('src/rain.ts'), elsewhere];
  const { turnId } = await app.sendMessage({ session: id, prompt });
  await front.ended(turnId);
  const bodies = stack.simulator.requests.map(({ body }) => JSON.stringify(body) ?? '');
  const asked = bodies.findLast((body) => body.includes('"tools":[{')) ?? '';
  expect(asked).toContain('read @src/weather.ts, then this and @snow.ts');
  const links = ['weather.ts', 'rain.ts', 'snow.ts'].filter((name) => asked.includes(`[@${name}]`));
  expect(links).toEqual(['rain.ts', 'snow.ts']);
});

it('goes on by itself after a limit whose end Copilot told, once a person said so', async () => {
  await front.close();
  let ahead = 0;
  const clock = { ...nodeClock(), now: () => Date.now() + ahead };
  front = await HostedFront.start(claudeOf, { clock });
  const { app, project, stack } = front;
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const say = async (words: string) =>
    front.ended((await app.sendMessage({ session: id, prompt: text(words) })).turnId);
  await say('count to 3');
  const body = { error: { code: 'user_weekly_rate_limited', message: 'weekly' } };
  stack.simulator.script.next({ kind: 'answer', status: 429, headers: { 'retry-after': '7200' }, body });
  expect(await say('count to 4')).toMatchObject({
    state: 'failed',
    problem: { code: 'refused', facts: { limit: 'weekly', limitEndsAt: expect.any(Number) } },
  });
  await app.continueLater(id);
  const { continuesAt = 0 } = await app.session(id);
  expect(Math.round((continuesAt - Date.now()) / 60_000)).toBeGreaterThan(115);
  const before = front.rows.size;
  ahead = 7_200_000;
  const goesOn = await until(() =>
    front.ofKind('turn-started').find(({ event }) => JSON.stringify(event).includes('Go on where you stopped.')),
  );
  expect(await front.ended(goesOn.turnId ?? '')).toMatchObject({ state: 'done' });
  const rows = [...front.rows.values()].slice(before);
  expect(rows.filter(({ requestClass }) => requestClass === 'main').map(({ initiator }) => initiator)).toEqual([
    'user',
  ]);
  expect(await app.session(id)).not.toHaveProperty('continuesAt');
});

it('says that an answer reached its token limit', async () => {
  front.write('.claude/settings.json', JSON.stringify({ env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '20' } }));
  const { app, project } = front;
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 400') });
  expect(await front.ended(turnId)).toMatchObject({
    ...{ state: 'failed', problem: { code: 'token-limit', facts: { most: 20 } } },
  });
});
