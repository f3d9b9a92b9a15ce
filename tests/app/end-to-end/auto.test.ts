import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import type { PlanName } from '../../../app/simulator/options.ts';
import { fakeGithubToken } from '../../../app/simulator/stage.ts';
import { FakeInstalledRuntime } from '../account/runtime-way.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/** Plans that have no model to choose, on the way through GitHub's runtime: GitHub chooses one per conversation. */

let stack: Stack;
afterEach(() => stack.close());

async function start(plan: PlanName = 'student'): Promise<void> {
  const runtime = new FakeInstalledRuntime();
  const secrets = memorySecrets({ 'github-token': fakeGithubToken });
  stack = await startStack({ simulator: { plan }, secrets, app: { runtime } });
  runtime.simulator = stack.simulator;
  await stack.app.signInWith({ kind: 'token', token: stack.simulator.ownToken });
  await stack.app.refresh();
}

/** One request of a conversation, as Claude Code labels it. */
function ask(conversation: string, text = 'hi', more: { class?: string; messages?: unknown[] } = {}) {
  const headers = {
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
    'x-claude-code-session-id': conversation,
    'x-claude-code-request-class': more.class ?? 'main',
  };
  const asked = { model: 'auto', ...(more.messages === undefined ? {} : { messages: more.messages }) };
  return stack.messages(prompt(text, asked), headers);
}
const [one, other] = [randomUUID(), randomUUID()];
const sent = () => stack.simulator.requests.filter(({ path }) => path === '/v1/messages');
const routed = () => stack.simulator.requests.filter(({ path }) => path === '/models/session');
const modelsSent = () =>
  sent().map(({ body, headers }) => [(body as { model: string }).model, headers['copilot-session-token'] ?? null]);

describe.each(['student', 'free'] as const)('%s', (plan) => {
  it('a conversation runs on the model that GitHub chose, once for each, and that is said', async () => {
    await start(plan);
    stack.simulator.script.setAuto(['claude-sonnet-4.6', 'claude-haiku-4.5']);
    for (const conversation of [one, other, one]) expect((await ask(conversation)).status).toBe(200);
    expect(modelsSent()).toEqual([
      ['claude-sonnet-4.6', '<auto-session-1>'],
      ['claude-haiku-4.5', '<auto-session-2>'],
      ['claude-sonnet-4.6', '<auto-session-1>'],
    ]);
    const notes = (await stack.rows(3)).map(({ askedModel, servedModel, fits }) => [
      askedModel,
      servedModel,
      fits.find(({ code }) => code === 'model-auto')?.text,
    ]);
    const before = 'GitHub chose it for this conversation (Auto).';
    const now =
      'GitHub has just chosen it for this conversation (Auto). No word of the conversation was sent for that.';
    expect(notes).toEqual([
      ['auto', 'claude-sonnet-4.6', now],
      ['auto', 'claude-haiku-4.5', now],
      ['auto', 'claude-sonnet-4.6', before],
    ]);
    expect(routed().map(({ body }) => body)).toEqual(Array(2).fill({ auto_mode: { model_hints: ['auto'] } }));
    expect(stack.simulator.script.violations).toEqual([]);
  });

  it('the state is on, and the models, the lines, doctor and the 404 say how to ask', async () => {
    await start(plan);
    expect(stack.app.state()).toMatchObject({ status: 'on', health: { ready: true, autoOnly: false } });
    const { names } = await stack.app.models();
    expect(names[0]).toMatchObject({ asked: 'auto', because: 'auto', model: null, absence: null });
    expect(names.find(({ asked }) => asked === 'opus')?.absence).toMatchObject({
      kind: 'auto-only',
      remedy: expect.stringContaining('“auto”'),
    });
    const { variables, notes } = await stack.app.claudeCodeLines('test');
    expect(variables).toMatchObject({ ANTHROPIC_DEFAULT_OPUS_MODEL: 'auto', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'auto' });
    expect(notes.join(' ')).toContain('the lines name auto');
    expect(await stack.app.check('copilot.models')).toMatchObject({
      verdict: 'passed',
      finding: expect.stringContaining('ask for “auto”'),
    });
    const answer = await stack.messages(prompt('hi', { model: 'opus' }));
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Ask for the model “auto”')]);
    const list = await stack.send({ path: '/v1/models', headers: { 'anthropic-version': '2023-06-01' } });
    expect(list.json()).toMatchObject({ data: [{ id: 'auto' }] });
    const named = await stack.send({ path: '/v1/models/auto', headers: { 'anthropic-version': '2023-06-01' } });
    expect(named.json()).toMatchObject({ id: 'auto', display_name: 'Auto' });
    expect(await stack.app.lines('bash', 'codex-config')).toContain('model = "auto"');
    expect(await stack.app.lines('bash', 'vscode')).toContain('"id": "auto"');
    expect(routed()).toEqual([]);
  });
});

it('requests of one conversation at once are one question to the router', async () => {
  await start();
  await Promise.all(Array.from({ length: 5 }, () => ask(one)));
  expect(routed()).toHaveLength(1);
  expect(new Set(modelsSent().map(([, token]) => token))).toEqual(new Set(['<auto-session-1>']));
});

it('a client that says no conversation has one of its own, counts among it', async () => {
  await start();
  await stack.messages(prompt('hi', { model: 'auto' }));
  await stack.send({
    ...{ method: 'POST', path: '/v1/chat/completions', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(prompt('hi', { model: 'auto' })),
  });
  const counted = await stack.send({
    ...{ method: 'POST', path: '/v1/messages/count_tokens', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(counted.status).toBe(200);
  expect(routed()).toHaveLength(1);
  const tokens = stack.simulator.requests
    .filter(({ method, path }) => method === 'POST' && path !== '/models/session')
    .map(({ path, headers }) => [path, headers['copilot-session-token']]);
  expect(tokens).toEqual([
    ['/v1/messages', '<auto-session-1>'],
    ['/chat/completions', '<auto-session-1>'],
    ['/v1/messages/count_tokens', '<auto-session-1>'],
  ]);
});

it('after a compaction, at the end of a choice and after a refusal GitHub is asked anew', async () => {
  await start();
  stack.simulator.script.setAuto(['claude-sonnet-4.6', 'claude-haiku-4.5', 'claude-sonnet-4.6']);
  await ask(one);
  const compaction = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
    { role: 'user', content: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.' },
  ];
  expect((await ask(one, '', { class: 'compaction', messages: compaction })).status).toBe(200);
  await ask(one, 'go on');
  expect(modelsSent().map(([, token]) => token)).toEqual(['<auto-session-1>', '<auto-session-1>', '<auto-session-2>']);
  const unsupported = { error: { message: 'The requested model is not supported.', code: 'model_not_supported' } };
  stack.simulator.script.next({ kind: 'answer', status: 400, body: unsupported });
  const refused = await ask(one, 'refused');
  expect([refused.status, refused.json()]).toMatchObject([
    404,
    {
      error: {
        message:
          'Jumpseat: Copilot no longer serves claude-haiku-4.5, which GitHub chose for this conversation (Auto). Send ' +
          'the request again: GitHub chooses anew.',
      },
    },
  ]);
  stack.simulator.script.setAuto(['claude-sonnet-4.6'], 30);
  await ask(one, 'again');
  await ask(one, 'once more');
  expect(
    modelsSent()
      .slice(4)
      .map(([, token]) => token),
  ).toEqual(['<auto-session-3>', '<auto-session-4>']);
});

it('where GitHub chooses none, that is said and not asked again at once', async () => {
  await start();
  stack.simulator.script.setAuto(null);
  for (let time = 0; time < 2; time += 1) {
    const answer = await ask(one);
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([503, 'false']);
    expect(answer.text).toContain('Jumpseat: GitHub chose no model (Auto)');
  }
  expect(routed()).toHaveLength(1);
  expect(sent()).toEqual([]);
});

it('a model that is not in the catalog is not sent to', async () => {
  await start();
  stack.simulator.script.setAuto(['claude-of-tomorrow', 'claude-sonnet-4.6']);
  const answer = await ask(one);
  expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('claude-of-tomorrow')]);
  expect((await ask(one)).status).toBe(200);
});

it('another account has choices of its own, and the VS Code way none', async () => {
  await start();
  await ask(one);
  await stack.app.signOut();
  await stack.app.signInWith({ kind: 'token', token: stack.simulator.ownToken });
  await ask(one);
  expect(modelsSent().map(([, token]) => token)).toEqual(['<auto-session-1>', '<auto-session-2>']);
  expect(await stack.app.chooseCredential('vscode')).toBe(true);
  const answer = await ask(one);
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Copilot SDK')]);
  expect(routed()).toHaveLength(2);
  expect(stack.simulator.script.violations).toEqual([]);
});

it('the token of a choice stands in no file, no recording and no line', async () => {
  await start();
  await stack.app.record(true);
  await ask(one);
  const [row] = await stack.rows(1);
  const said = JSON.stringify([stack.log, row, await stack.app.recorded(row?.id ?? ''), stack.app.state()]);
  expect(said).toContain('opilot-');
  expect(said).not.toContain('auto-session-simulated');
});
