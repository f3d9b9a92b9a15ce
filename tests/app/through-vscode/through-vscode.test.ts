import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { Jumpseat } from '../../../vscode/jumpseat.ts';
import { startImpostor } from '../../impostor.ts';
import { soon } from '../../soon.ts';
import { FakeEditor, NoPermissions } from '../../vscode/fake-editor.ts';
import { TextPart } from '../formats/chat-via-lm/fake-classes.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/** The app, and the extension's own server in the place of a window of VS Code. */

let stack: Stack;
/** So many requests the simulator had before the choice. */
let before = 0;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.refresh();
  await stack.app.changePreferences({ reach: 'through-vscode' });
  before = stack.simulator.requests.length;
});
afterEach(() => stack.close());

async function openWindow(change: (editor: FakeEditor) => unknown = () => undefined, pid = process.pid) {
  const editor = new FakeEditor();
  editor.values.enabled = true;
  editor.allowed = true;
  change(editor);
  // It would write its file anew where a test changes it.
  const lookEveryMs = 600_000;
  const window = new Jumpseat({ editor, folder: stack.home, clock: nodeClock(), pid, lookEveryMs });
  onTestFinished(() => window.deactivate());
  await window.activate();
  return { editor, window };
}

const toSimulator = () => stack.simulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
const file = () => join(stack.home, 'vscode.json');
const ask = (more: object = {}) => stack.messages(prompt('hi', { model: 'claude-sonnet-4-6', stream: false, ...more }));
const chat = (more: object = {}) =>
  stack.send({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }], ...more }),
  });

describe('a request while a window serves', () => {
  it('goes to it, in every client API, streamed and whole, and nowhere else', async () => {
    const { editor } = await openWindow();
    const said = [
      await ask(),
      await ask({ stream: true }),
      await chat(),
      await chat({ stream: true }),
      await stack.send({
        method: 'POST',
        path: '/v1/responses',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4.1', input: 'hi' }),
      }),
    ];
    for (const { status, text } of said) expect([status, text]).toEqual([200, expect.stringContaining('You said: hi')]);
    expect(editor.sent).toHaveLength(5);
    expect(toSimulator()).toEqual([]);
    const listed = await stack.send({ path: '/v1/models' });
    expect(JSON.parse(listed.text).data.map(({ id }: { id: string }) => id)).toEqual(['claude-sonnet-4.6', 'gpt-4.1']);
  });

  it('F13 leaves a row that says so, with tokens and credits of its usage part', async () => {
    await openWindow();
    await ask();
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      outcome: 'done',
      initiator: 'user',
      askedModel: 'claude-sonnet-4-6',
      servedModel: 'claude-sonnet-4.6',
      tokens: { input: 100, output: 10 },
      charge: { kind: 'billed', nanoAiu: 2_000_000_000 },
      attempts: [{ sentAs: 'VS Code; always counted as user', status: 200 }],
    });
    expect(row?.account).toBeUndefined();
  });

  it('is counted as user where it would be an agent’s, and the row says both', async () => {
    await openWindow();
    const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
    const first = await ask({ tools });
    const { content } = JSON.parse(first.text);
    const [call] = content;
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'text' };
    await stack.messages({
      ...prompt('hi', { model: 'claude-sonnet-4-6', stream: false, tools }),
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
        { role: 'user', content: [result] },
      ],
    });
    const rows = await stack.rows(2);
    expect(rows.map(({ initiator }) => initiator)).toEqual(['user', 'user']);
    expect(rows[1]?.reason).toMatchObject({
      code: 'tool-results',
      sentence: expect.stringContaining('as VS Code counts every request'),
    });
  });

  it('knows neither tokens nor credits where there is no usage part', async () => {
    await openWindow((editor) => {
      editor.answer = async function* () {
        yield new TextPart('Fine.');
      };
    });
    expect((await ask()).status).toBe(200);
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({ tokens: { input: null, output: null }, charge: { kind: 'unknown', nanoAiu: null } });
  });

  it('counts tokens as the extension does, and estimates where it can’t', async () => {
    const { window } = await openWindow();
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'word '.repeat(40) }] });
    const count = () =>
      stack.send({
        method: 'POST',
        path: '/v1/messages/count_tokens',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const { key, port } = JSON.parse(readFileSync(file(), 'utf8'));
    const theirs = await fetch(`http://127.0.0.1:${port}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}.test`, 'content-type': 'application/json' },
      body,
    });
    const ours = await count();
    expect([ours.status, JSON.parse(ours.text)]).toEqual([200, await theirs.json()]);
    await window.deactivate();
    expect((await count()).status).toBe(200);
    const rows = await stack.rows(2);
    expect(rows.map(({ fits }) => fits.map(({ text }) => text))).toEqual([[], ['estimated: VS Code answered 503']]);
    expect(toSimulator()).toEqual([]);
  });

  it('F6 ends VS Code’s request when the client leaves', async () => {
    let ended = false;
    let began = () => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    await openWindow((editor) => {
      editor.answer = async function* (_request, signal) {
        yield new TextPart('One moment.');
        began();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        ended = true;
      };
    });
    const leaving = new AbortController();
    const answer = await fetch(`${stack.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}.test`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...prompt('hi', { model: 'claude-sonnet-4-6' }), stream: true }),
      signal: leaving.signal,
    });
    await begun;
    expect(answer.status).toBe(200);
    leaving.abort();
    await soon(() => expect(ended).toBe(true));
    expect((await stack.rows(1))[0]?.outcome).toBe('cancelled');
  });
});

describe('what the extension refuses', () => {
  const refusing = (error: Error) => (editor: FakeEditor) => {
    editor.answer = () => {
      throw error;
    };
  };

  it('too long a prompt in the very words by which Claude Code compacts', async () => {
    await openWindow((editor) => {
      editor.most = 50;
    });
    const answer = await ask({ system: 'word '.repeat(400) });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.message).toMatch(/^prompt is too long: \d+ tokens > \d+ maximum$/);
    const said = await chat({ messages: [{ role: 'user', content: 'word '.repeat(400) }] });
    expect([said.status, JSON.parse(said.text).error.code]).toEqual([400, 'context_length_exceeded']);
  });

  it('a consent that was refused is 403 with the window to look at, once', async () => {
    await openWindow((editor) => {
      editor.allowed = false;
      editor.consent = () => Promise.reject(new NoPermissions('no'));
    });
    const answer = await ask();
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([403, 'false']);
    expect(JSON.parse(answer.text).error.message).toMatch(/^Jumpseat: .*“Jumpseat: Enable” in the window “test”/);
    const said = await chat();
    expect([said.status, JSON.parse(said.text).error.code]).toEqual([403, 'consent_required']);
    expect((await stack.rows(2)).map(({ failure }) => failure)).toMatchObject([
      { source: 'vscode', status: 403, code: 'consent_required', clientMessage: null },
      { source: 'vscode' },
    ]);
  });

  it('a limit of Copilot’s is 429', async () => {
    await openWindow(refusing(Object.assign(new Error('Slow down.'), { name: 'ChatRateLimited' })));
    const answer = await ask();
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([
      429,
      { type: 'rate_limit_error', message: 'Jumpseat: Copilot’s limit. Slow down.' },
    ]);
  });

  it('teaches nothing about Copilot’s own endpoints', async () => {
    const said = { error: { message: 'stop: Extra inputs are not permitted', code: 'invalid_request_body' } };
    await openWindow(refusing(new Error(`Request Failed: 400 ${JSON.stringify(said)}`)));
    expect((await ask({ stop_sequences: ['x'] })).status).toBe(400);
    expect(await stack.app.learned()).toEqual([]);
    expect((await stack.rows(1))[0]?.attempts).toHaveLength(1);
  });
});

describe('while no window serves', () => {
  const noWindow = expect.stringMatching(
    /^Jumpseat: Requests go through VS Code, .* Open VS Code .*“Jumpseat: Enable”/,
  );

  it('F14 a request gets 503 with the remedy, at once, and nothing is sent directly', async () => {
    for (const answer of [await ask(), await chat(), await stack.send({ path: '/v1/models' })]) {
      expect([answer.status, answer.headers['x-should-retry'] ?? 'false']).toEqual([503, 'false']);
      expect(JSON.parse(answer.text).error.message).toEqual(noWindow);
    }
    expect(stack.app.state()).toMatchObject({
      status: 'no-window',
      reach: { kind: 'through-vscode', window: { kind: 'absent' } },
      health: { ready: false, problem: { code: 'no-window' } },
      quota: null,
    });
    await stack.app.refresh();
    await stack.app.refreshAccounts();
    await stack.app.checks();
    await stack.send({ path: '/readyz' });
    expect(toSimulator()).toEqual([]);
  });

  it('a look at the models says what to do', async () => {
    await expect(stack.app.models({ refresh: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^Requests go through VS Code, .* Open VS Code .*“Jumpseat: Enable”/),
      remedy: '',
    });
  });

  it('a search says that it needs another engine, and nothing is sent directly', async () => {
    const failed = {
      text: 'GitHub can’t search while requests go through VS Code.',
      remedy: expect.stringMatching(/^Add another engine in Settings → Web search .*DuckDuckGo/),
    };
    expect(await stack.app.search('node lts')).toMatchObject({
      kind: 'failed',
      reason: failed.text,
      remedy: failed.remedy,
    });
    expect(await stack.app.check('server.search')).toMatchObject({ verdict: 'warning', remedy: failed.remedy });
    expect(toSimulator()).toEqual([]);
  });

  it('/readyz says so, and 200 once one is opened', async () => {
    const before = await stack.send({ path: '/readyz' });
    expect([before.status, JSON.parse(before.text)]).toEqual([503, expect.objectContaining({ code: 'no-window' })]);
    await openWindow();
    expect((await stack.send({ path: '/readyz' })).status).toBe(200);
    expect(stack.app.state()).toMatchObject({ status: 'on', reach: { window: { kind: 'serving' } } });
    expect(await stack.app.check('account.vscode')).toMatchObject({ verdict: 'passed' });
    expect(toSimulator()).toEqual([]);
  });

  it('the next request after a window closed is refused, and after another took over it works', async () => {
    const { window } = await openWindow();
    expect((await ask()).status).toBe(200);
    await window.deactivate();
    expect((await ask()).status).toBe(503);
    const { editor } = await openWindow((next) => {
      next.ids = ['claude-opus-4.6'];
    });
    const answer = await ask({ model: 'opus' });
    expect([answer.status, editor.sent.length]).toEqual([200, 1]);
  });

  it('a window that was killed is not waited for, and its successor is found within the same request', async () => {
    const first = await openWindow();
    expect((await ask()).status).toBe(200);
    // Its server is gone and its file stays, as after a kill.
    const left = readFileSync(file(), 'utf8');
    await first.window.deactivate();
    writeFileSync(file(), left, { mode: 0o600 });
    expect((await ask()).status).toBe(503);
    await openWindow();
    expect((await ask()).status).toBe(200);
  });
});

describe('the file that says where', () => {
  it.each([
    ['others may read it', () => chmodSync(file(), 0o644), 'other users may read or write vscode.json'],
    ['it is something else', () => writeFileSync(file(), '{"port":1}'), 'vscode.json isn’t what the extension writes'],
  ])('is not used where %s', async (_why, change, said) => {
    const { editor } = await openWindow();
    change();
    const answer = await ask();
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining(said)]);
    expect(editor.sent).toEqual([]);
  });

  it('is not used where its process is gone, nor where something else listens', async () => {
    const key = 'k'.repeat(43);
    const port = Number(new URL(stack.simulator.webUrl).port);
    writeFileSync(file(), JSON.stringify({ port, key, pid: process.pid }), { mode: 0o600 });
    expect((await ask()).status).toBe(503);
    expect(stack.simulator.requests.map(({ headers }) => headers.authorization)).not.toContain(`Bearer ${key}`);
    const { window } = await openWindow();
    const { port: own } = JSON.parse(readFileSync(file(), 'utf8'));
    await window.deactivate();
    writeFileSync(file(), JSON.stringify({ port: own, key, pid: 2 ** 22 + 1 }), { mode: 0o600 });
    expect((await ask()).status).toBe(503);
  });
});

describe('a program that took the port of a window that is gone', () => {
  // Its file stays after a crash, and the system gives its pid to another process.
  it.each(['alone', 'beside another window, which it asks'])('%s gets neither the key nor a prompt', async (how) => {
    const key = 'k'.repeat(43);
    await openWindow((editor) => {
      editor.key = key;
    });
    const { port } = JSON.parse(readFileSync(file(), 'utf8'));
    const impostor = await startImpostor(how === 'alone' ? undefined : port);
    writeFileSync(file(), JSON.stringify({ port: impostor.port, key, pid: process.pid }), { mode: 0o600 });
    expect((await ask()).status).toBe(503);
    expect([impostor.asked > 0, impostor.shown]).toEqual([true, []]);
  });
});

describe('the choice', () => {
  it('directly again: requests go to Copilot as before, with what was signed in', async () => {
    await openWindow();
    expect((await ask()).status).toBe(200);
    await stack.app.changePreferences({ reach: 'directly' });
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(toSimulator()).toContain('POST /v1/messages');
    const rows = await stack.rows(2);
    expect(rows.map(({ attempts }) => attempts[0]?.sentAs)).toEqual([
      'VS Code; always counted as user',
      expect.stringContaining('vscode-chat'),
    ]);
    expect(stack.app.state()).toMatchObject({ status: 'on', reach: { kind: 'directly' } });
  });

  it('F14 is not guessed: where the file says something else, nothing is sent either way', async () => {
    const { editor } = await openWindow();
    const path = join(stack.home, 'settings.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"through-vscode"', '"thruogh"'));
    await soon(() => expect(stack.app.state().reach.kind).toBe('directly'));
    const answer = await ask();
    expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('“reach” there can’t be used')]);
    expect([editor.sent, toSimulator()]).toEqual([[], []]);
  });
});
