import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppState } from '../../app/api/state.ts';
import { trayIcon } from '../../main/tray/tray-icon.ts';
import { type Answer, prompt, type Stack, startStack } from '../app/stack.ts';
import { soon } from '../soon.ts';
import { type EditorWindow, type RealEditor, startEditor } from './editor.ts';

/**
 * The app and the packed extension in a real VS Code, one behind the other. Each test goes on where the one before
 * ended: no window yet, the consent, work, a sign-out in VS Code, a window that closes, one that takes over, none.
 */
let editor: RealEditor;
let stack: Stack;
let first: EditorWindow;
/** So many requests GitHub and Copilot had before the choice. */
let before = 0;

beforeAll(async () => {
  editor = await startEditor();
  stack = await startStack({ home: editor.home });
  await stack.app.changePreferences({ reach: 'through-vscode' });
  before = stack.simulator.requests.length;
});
afterAll(async () => {
  await stack?.close();
  await editor?.stop();
});

const ask = (words: string): Promise<Answer> =>
  stack.messages(prompt(words, { model: 'claude-sonnet-4-6', stream: false }));
const messageOf = ({ text }: Answer): string => JSON.parse(text).error.message;

/** What the app says everywhere, once it has seen that its window is so. */
async function appSays(window: 'absent' | 'no-copilot' | 'no-consent' | 'serving'): Promise<AppState> {
  const state = await soon(() => {
    const now = stack.app.state();
    expect(now.reach).toMatchObject({ kind: 'through-vscode', window: { kind: window } });
    return now;
  });
  const isReady = window === 'serving';
  expect([state.status, state.health.ready]).toEqual([isReady ? 'on' : 'no-window', isReady]);
  expect(trayIcon(state, 0).name).toBe(isReady ? 'tray-on' : 'tray-error');
  expect(await stack.app.check('account.vscode')).toMatchObject({ verdict: isReady ? 'passed' : 'failed' });
  expect((await stack.send({ path: '/readyz' })).status).toBe(isReady ? 200 : 503);
  return state;
}

/** A refusal, and its row. */
async function refused(status: number, words: RegExp): Promise<void> {
  const rows = (await stack.rows(0)).length;
  const answer = await ask('Hello');
  expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringMatching(words)]);
  expect((await stack.rows(rows + 1)).at(-1)).toMatchObject({ outcome: 'failed', failure: { status } });
}

it('F13 says that no window serves while the extension is off', async () => {
  first = await editor.window('first');
  await first.page.waitForSelector('.monaco-workbench');
  const { health } = await appSays('absent');
  expect(health.problem).toMatchObject({ code: 'no-window', remedy: expect.stringContaining('“Jumpseat: Enable”') });
  await refused(503, /no window of VS Code serves them.*“Jumpseat: Enable”/);
});

it('F13 waits for the consent with the person, and then answers', async () => {
  await first.command('Jumpseat: Enable');
  await first.consentDialog();
  await appSays('no-consent');
  const waiting = ask('Hello');
  await first.press('Allow');
  const answer = await waiting;
  expect([answer.status, JSON.parse(answer.text).content]).toEqual([200, [{ type: 'text', text: 'You said: Hello' }]]);
  await appSays('serving');
  expect((await stack.rows(2)).at(-1)).toMatchObject({
    outcome: 'done',
    initiator: 'user',
    servedModel: 'claude-sonnet-4.6',
    tokens: { input: 60, cacheRead: 40, output: 10 },
    charge: { kind: 'billed', nanoAiu: 250_000_000 },
    attempts: [{ sentAs: 'VS Code; always counted as user', status: 200 }],
  });
});

it('F13 says that Copilot was signed out in VS Code, and sees it signed in again', async () => {
  editor.signOut(true);
  await first.command('Provider: Changed');
  await appSays('no-copilot');
  await refused(503, /Sign in to GitHub Copilot/);
  editor.signOut(false);
  await first.command('Provider: Changed');
  await appSays('serving');
  expect((await ask('Again')).status).toBe(200);
});

it('F13 goes on with the window that takes over when one closes while it answers', async () => {
  const second = await editor.window('second');
  await soon(async () => expect(await second.status()).toBe('Jumpseat: other window'));
  const { pid } = editor.served();
  const cut = stack.messages(prompt('tick until cancelled', { model: 'claude-sonnet-4-6' }));
  await soon(() => expect(editor.asked().at(-1)?.messages.at(-1)?.content).toEqual([{ text: 'tick until cancelled' }]));
  await first.page.goto('about:blank');
  expect((await cut).text).not.toContain('message_stop');
  await soon(() => expect(editor.served().pid).not.toBe(pid));
  await appSays('serving');
  expect((await ask('Still there?')).status).toBe(200);
  first = second;
});

it('F13 says that none is left when the last one closes, and asks GitHub nothing all the while', async () => {
  await first.page.goto('about:blank');
  await appSays('absent');
  await refused(503, /no window of VS Code serves them/);
  expect(stack.simulator.requests.slice(before)).toEqual([]);
});
