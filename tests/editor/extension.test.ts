import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClaude } from '../clients/claude.ts';
import { codexHome } from '../clients/codex.ts';
import { soon } from '../soon.ts';
import { type EditorWindow, type RealEditor, startEditor } from './editor.ts';

/**
 * The packed extension in a real VS Code. One start for all: a person enables it, refuses, allows, works with it in two
 * windows, and switches it off. Each test goes on where the one before ended.
 */
let editor: RealEditor;
let first: EditorWindow;

beforeAll(async () => {
  editor = await startEditor();
  first = await editor.window('first');
});
afterAll(() => editor?.stop());

const base = () => `http://127.0.0.1:${editor.served().port}`;
const health = async () => (await fetch(`${base()}/healthz`)).json();
const post = (path: string, body: object, init: RequestInit = {}) =>
  fetch(`${base()}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editor.served().key}.test`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });
const hello = { model: 'sonnet', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
const saying = (content: string) => ({ ...hello, messages: [{ role: 'user', content }] });
const reached = () => ({
  baseUrl: base(),
  key: editor.served().key,
  home: join(editor.home, 'person'),
  settled: async () => null,
});

it('F1 runs without proposed APIs: this VS Code refuses them to an extension that doesn’t name them', async () => {
  await first.page.waitForSelector('.monaco-workbench');
  await soon(() => expect(editor.refusedProposal()).toMatch(/CANNOT use API proposal: timeline/));
});

describe('the consent', () => {
  it('F2 is asked for by Enable; refused, every request gets 403 and no second dialog', async () => {
    await first.command('Jumpseat: Enable');
    expect(await first.consentDialog()).toContain("The extension 'Jumpseat' wants to access the language models");
    await first.picture('consent', { x: 150, y: 150, width: 700, height: 300 });
    expect(await health()).toEqual({ ok: true, copilot: 'unavailable', reason: 'consent_required', version: '0.1.0' });
    await first.press('Cancel');
    await soon(async () => expect(await first.notifications()).toContain('Jumpseat may not use Copilot'));
    expect(await first.status()).toBe('Jumpseat: waits for consent');
    const answer = await post('/v1/chat/completions', hello);
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'consent_required' } }]);
    expect(await first.page.locator('.monaco-dialog-box').count()).toBe(0);
  });

  it('F2 is given by Allow, and costs no request to Copilot', async () => {
    await first.clearNotifications();
    await first.command('Jumpseat: Enable');
    await first.consentDialog();
    await first.press('Allow');
    await soon(async () => expect(await first.status()).toBe('Jumpseat'));
    expect(await health()).toMatchObject({ copilot: 'ok' });
    expect(editor.asked()).toEqual([]);
    await soon(async () => expect(await first.notifications()).toContain(`Jumpseat serves at ${base()}.`));
  });
});

describe('clients', () => {
  it('F4 of OpenAI’s official SDK: models, whole, streamed, a function, an image', async () => {
    const client = new OpenAI({ baseURL: `${base()}/v1`, apiKey: `${editor.served().key}.sdk`, maxRetries: 0 });
    const models = (await client.models.list()).data.map(({ id }) => id);
    expect(models).toEqual(['claude-sonnet-4.6', 'claude-haiku-4.5', 'gpt-4.1', 'gpt-5.4']);
    const messages = [{ role: 'user' as const, content: 'Hi there' }];
    const whole = await client.chat.completions.create({ model: 'gpt-5.4', messages });
    expect(whole.choices[0]?.message.content).toBe('You said: Hi there');
    expect(whole.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 10 });
    let text = '';
    for await (const chunk of await client.chat.completions.create({ model: 'gpt-5.4', messages, stream: true }))
      text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('You said: Hi there');
    const answer = await client.responses.create({
      model: 'gpt-5.4',
      store: false,
      input: 'call look with {"at":"it"}',
      tools: [{ type: 'function', name: 'look', strict: false, parameters: { type: 'object', properties: {} } }],
    });
    expect(answer.output.at(-1)).toMatchObject({ type: 'function_call', name: 'look', arguments: '{"at":"it"}' });
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } };
    await client.chat.completions.create({ model: 'gpt-5.4', messages: [{ role: 'user', content: [image] }] });
    expect(editor.asked().at(-1)?.messages).toMatchObject([{ content: [{ data: 'image/png' }] }]);
  });

  it('F4 of Anthropic’s official SDK: a tool call with its result, tokens and credits', async () => {
    const client = new Anthropic({
      baseURL: base(),
      authToken: `${editor.served().key}.sdk`,
      apiKey: null,
      maxRetries: 0,
    });
    const tools = [{ name: 'read', description: 'Reads', input_schema: { type: 'object' as const } }];
    const ask = { model: 'claude-sonnet-4-6', max_tokens: 500, system: 'Be brief.', tools };
    const asked = { role: 'user' as const, content: 'call read with {"path":"a"}' };
    const called = await client.messages.stream({ ...ask, messages: [asked] }).finalMessage();
    expect([called.stop_reason, called.usage]).toMatchObject([
      'tool_use',
      { input_tokens: 160, cache_read_input_tokens: 40, output_tokens: 20 },
    ]);
    expect(called.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    const result = { type: 'tool_result' as const, tool_use_id: 'call_1', content: 'AAA' };
    const done = await client.messages
      .stream({
        ...ask,
        messages: [asked, { role: 'assistant', content: called.content }, { role: 'user', content: [result] }],
      })
      .finalMessage();
    expect(done.content).toEqual([{ type: 'text', text: 'It gave: [{"text":"AAA"}]' }]);
    expect(editor.asked().at(-1)?.messages).toEqual([
      { role: 1, content: [{ text: 'Be brief.' }] },
      { role: 1, content: [{ text: asked.content }] },
      { role: 2, content: [{ text: 'I look.' }, { call: 'read', input: { path: 'a' } }] },
      { role: 1, content: [{ result: [{ text: 'AAA' }] }] },
    ]);
  });

  it('F5 Claude Code runs a tool and gets to its end', async () => {
    const run = await runClaude(reached(), 'call Bash with {"command":"echo made-by-claude","description":"says it"}', {
      model: 'sonnet',
    });
    expect([run.code, run.text]).toEqual([0, expect.stringContaining('made-by-claude')]);
    const texts = JSON.stringify(editor.asked());
    expect(texts).not.toContain('x-anthropic-billing-header');
  });

  it('F5 Codex runs a tool and gets to its end', async () => {
    const codex = codexHome(reached(), 'gpt-5.4');
    const run = await codex.run('call exec_command with {"cmd":"echo made-by-codex | tee made.txt"}');
    expect(run.code).toBe(0);
    expect(run.text).toContain('made-by-codex');
    expect(readFileSync(join(codex.project, 'made.txt'), 'utf8')).toBe('made-by-codex\n');
  });

  it('F6 that leave end the request in VS Code', async () => {
    const leaving = new AbortController();
    const stream = { ...saying('tick until cancelled'), stream: true };
    const answer = await post('/v1/messages', stream, { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await soon(() => expect(editor.asked().at(-1)).toEqual({ cancelled: true }));
  });
});

describe('an answer', () => {
  it.each([
    ['NotFound', 404, 'not_found_error', /no Copilot model “claude-sonnet-4.6”/],
    ['Blocked', 429, 'rate_limit_error', /Try again in 5 minutes/],
    ['ChatRateLimited', 429, 'rate_limit_error', /you have been rate-limited/],
    ['ChatQuotaExceeded', 402, 'billing_error', /exceeded your premium request allowance/],
    ['400', 400, 'invalid_request_error', /^prompt is too long: 9 tokens > 8 maximum$/],
    ['length', 400, 'invalid_request_error', /prompt_too_long/],
    ['cut', 502, 'api_error', /ended early/],
  ])('F9 that fails with %s is told as %i', async (failure, status, type, message) => {
    const answer = await post('/v1/messages', saying(`fail: ${failure}`));
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect([answer.status, error.type]).toEqual([status, type]);
    expect(answer.headers.get('retry-after')).toBe(failure === 'Blocked' ? '300' : null);
    expect(error.message).toMatch(message);
  });

  it('to an image that VS Code can’t decode is 400', async () => {
    const [data, media_type] = [Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(64)]), 'image/jpeg'];
    const image = { type: 'image', source: { type: 'base64', media_type, data: data.toString('base64') } };
    const answer = await post('/v1/messages', { ...hello, messages: [{ role: 'user', content: [image] }] });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('messages[0].content[0]: VS Code can’t decode this image'),
    ]);
  });

  it('F8 that is cut at max_tokens is not called finished', async () => {
    expect(await (await post('/v1/messages', saying('be cut'))).json()).toMatchObject({ stop_reason: 'max_tokens' });
  });

  it('F7 to a prompt that is too long is ours: VS Code is not asked', async () => {
    const before = editor.asked().length;
    const long = { ...saying('word '.repeat(2000)), model: 'gpt-4.1' };
    const answer = await post('/v1/messages', long);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/prompt is too long: \d+ tokens > 1940/),
    ]);
    expect(editor.asked().length).toBe(before);
  });
});

describe('the window', () => {
  it('says what it does, and copies the lines', async () => {
    await first.clearNotifications();
    await first.command('Jumpseat: Status');
    await soon(async () => expect(await first.notifications()).toMatch(/serves at .* requests so far\. 4 models/));
    await first.clearNotifications();
    expect(await first.hover()).toMatch(/serves at .*\d+ requests so far\..*4 models of Copilot’s\./s);
    await first.picture('status', { x: 600, y: 440, width: 400, height: 160 });
    await first.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await first.command('Jumpseat: Copy Environment');
    await first.page.getByText('OpenAI clients').waitFor();
    await first.picture('copy', { x: 195, y: 0, width: 610, height: 240 });
    await first.choose('Claude Code, settings.json');
    const copied = await soon(async () => {
      const text = await first.page.evaluate(() => navigator.clipboard.readText());
      return JSON.parse(text) as { env: Record<string, string> };
    });
    expect(copied.env).toMatchObject({ ANTHROPIC_BASE_URL: base(), ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4.5' });
  });

  it('copies what the real Codex reaches it with', async () => {
    const copy = async (label: string) => {
      await first.page.evaluate(() => navigator.clipboard.writeText(''));
      await first.command('Jumpseat: Copy Environment');
      await first.choose(label);
      return soon(async () => {
        const text = await first.page.evaluate(() => navigator.clipboard.readText());
        expect(text).not.toBe('');
        return text;
      });
    };
    expect(await copy('Codex, key')).toContain(`JUMPSEAT_CODEX_KEY=${editor.served().key}.codex`);
    const codex = codexHome(reached(), 'copied', '', await copy('Codex, config.toml'));
    const run = await codex.run('call exec_command with {"cmd":"echo made-by-codex | tee made.txt"}');
    expect([run.code, run.text], run.errors).toEqual([0, expect.stringContaining('made-by-codex')]);
  });

  it('leads through its steps with pictures of its own', async () => {
    await first.command('Welcome: Open Walkthrough');
    await first.choose('Claude Code on this VS Code’s Copilot');
    const { page } = first;
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    for (const [step, picture] of [
      ['Start Claude Code', 'copy'],
      ['See how it stands', 'status'],
      ['Allow it to use Copilot', 'consent'],
    ] as const) {
      await page.locator('.getting-started-step', { hasText: step }).click();
      const shown = page.locator(`.getting-started-media img[srcset*="${picture}.png"]`);
      await soon(async () => {
        const widths = await shown.evaluateAll((all) => all.map((image) => Reflect.get(image, 'naturalWidth')));
        expect(widths).toEqual([expect.toSatisfy((width: number) => width > 200)]);
      });
    }
    await first.command('View: Close All Editors');
  });

  it('gives its terminals Claude Code’s variables where that was chosen', async () => {
    const seen = join(first.folder, 'seen');
    await first.command('Terminal: Create New Terminal');
    await first.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
    await first.page.keyboard.type(`echo "$ANTHROPIC_BASE_URL" > ${seen}\n`);
    await soon(() => expect(readFileSync(seen, 'utf8')).toBe(`${base()}\n`));
  });

  it('says that Copilot is gone, and sees it come back', async () => {
    editor.signOut(true);
    await first.command('Provider: Changed');
    await soon(async () => expect(await first.status()).toBe('Jumpseat: no Copilot'));
    const answer = await post('/v1/chat/completions', hello);
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'copilot_unavailable' } }]);
    editor.signOut(false);
    await first.command('Provider: Changed');
    await soon(async () => expect(await first.status()).toBe('Jumpseat'));
  });

  it('F11 is one of two: the other one takes over at the same address when it closes', async () => {
    const second = await editor.window('second');
    await soon(async () => expect(await second.status()).toBe('Jumpseat: other window'));
    const before = editor.served();
    await first.page.goto('about:blank');
    await soon(async () => expect(await second.status()).toBe('Jumpseat'));
    const { pid, ...where } = editor.served();
    expect(where).toEqual({ port: before.port, key: before.key });
    expect(pid).not.toBe(before.pid);
    expect((await post('/v1/messages', hello)).status).toBe(200);
    first = second;
  });

  it('is switched off by Disable', async () => {
    const at = base();
    await first.command('Jumpseat: Disable');
    await soon(async () => expect(await first.status()).toBe(''));
    await expect(fetch(`${at}/healthz`)).rejects.toThrow();
    expect(existsSync(join(editor.home, 'vscode.json'))).toBe(false);
  });
});
