import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { samplePath } from '../app/sessions/transcripts/samples.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { until } from '../soon.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';

/** The field of the next message, with all that goes along with it and waits before it. */
const id = '00000000-0000-4000-8000-000000000001';
let chromium: Chromium;
let person: string;
let project: string;
let agent: FakeAgent;
let page: Page;
let window: ChromiumWindow;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  agent = new FakeAgent();
  agent.conversations.add(id);
  person = mkdtempSync(join(tmpdir(), 'jumpseat-composer-'));
  project = join(person, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src', 'a.ts'), 'one\n');
  const kept = join(person, '.claude', 'projects', 'project');
  mkdirSync(kept, { recursive: true });
  const cwd = `"cwd":${JSON.stringify(project)}`;
  writeFileSync(
    join(kept, `${id}.jsonl`),
    readFileSync(samplePath('steered'), 'utf8').replaceAll(/"cwd":"[^"]*"/g, cwd),
  );
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

async function open(options: WindowOptions = {}): Promise<void> {
  const settings = { version: 1, welcomedAt: 1 };
  const home = join(person, 'jumpseat');
  mkdirSync(home, { recursive: true });
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings, person, home, at: `#/sessions/${id}`, app: { agents: [agent] } },
    ...options,
  });
  ({ page } = window);
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const hasFocus = (): Promise<boolean> => field().evaluate((shown) => shown === document.activeElement);
/** Sends a message to which the agent does not answer yet. */
async function go(): Promise<void> {
  await field().fill('Go');
  await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
  await field().press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
}
const prompts = () =>
  agent.asked.filter(({ method }) => method === 'session/prompt').map(({ params }) => params.prompt);
const queued = () => page.getByTestId(/^queue-/);
const words = async () => (await queued().locator('.composer_line-words').allTextContents()).join(' · ');

async function boxOf(shown: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await shown.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

/** A picture with noise in it, so that it is large. */
const bigPicture = (side: number) =>
  page.evaluate(async (side) => {
    const canvas = new OffscreenCanvas(side, side);
    const context = canvas.getContext('2d');
    const noise = new ImageData(side, side);
    for (let at = 0; at < noise.data.length; at += 65_536) {
      crypto.getRandomValues(noise.data.subarray(at, Math.min(at + 65_536, noise.data.length)));
    }
    for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255;
    context?.putImageData(noise, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return btoa(text);
  }, side);

describe('what goes along with a message', () => {
  it('is kept over a restart, said to be gone, made smaller, and sent', async () => {
    await open({
      before: ({ app }) =>
        app.keepDraft({
          key: id,
          window: 'closed',
          draft: {
            text: 'Look at @src/a.ts:12-88',
            attachments: [
              { kind: 'path', id: '1', path: 'src', lines: null },
              { kind: 'path', id: '2', path: 'gone.ts', lines: { from: 3, to: 4 } },
              { kind: 'path', id: '3', path: person, lines: null },
            ],
          },
        }),
    });
    const files = (): Locator => page.getByRole('list', { name: 'Attachments' });
    await expect.poll(() => field().inputValue()).toBe('Look at @src/a.ts:12-88');
    await files().getByText('src/', { exact: true }).waitFor();
    const gone = files().getByRole('listitem').filter({ hasText: 'gone.ts:3-4' });
    await gone.getByText('It no longer exists.').waitFor();
    await files().getByText('It’s outside of this session’s folder. Claude will ask to read it.').waitFor();
    await gone.getByRole('button', { name: /^Remove/ }).click();

    const picture = join(person, 'big.png');
    writeFileSync(picture, Buffer.from(await bigPicture(1_000), 'base64'));
    const notes = join(project, 'notes.txt');
    writeFileSync(notes, 'note\n');
    window.asked.chosen.push(picture, notes);
    await page.getByRole('button', { name: 'Attach files' }).click();
    await files()
      .getByText(/^This image is \d\.\d MB; Copilot accepts 3 MB\./)
      .waitFor();
    await field().evaluate((shown) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'line\n'.repeat(214));
      shown.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByRole('button', { name: 'Pasted text, 214 lines', exact: true }).click();
    await page.getByRole('dialog', { name: 'Pasted text, 214 lines' }).getByRole('button', { name: 'Close' }).click();
    expect(await window.axe()).toEqual([]);

    await page.getByRole('button', { name: /^Permissions/ }).click();
    await page.getByRole('menuitemradio', { name: /^Accept edits/ }).click();
    await page.locator('textarea:focus').and(field()).waitFor();
    const kept = () => window.stack.app.draft({ key: id, window: null, living: [] });
    await until(async () => JSON.stringify(await kept()).includes('214') || null);
    expect(await chromium.closeWindows()).toEqual([]);
    await open();
    await files().getByText('big.png').waitFor();
    await files().getByRole('button', { name: 'Make it smaller' }).click();
    await files()
      .getByText(/^This image is/)
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await until(() => prompts().length === 1);
    expect(prompts()[0]).toMatchObject([
      { type: 'text', text: 'Look at @src/a.ts:12-88' },
      { type: 'resource_link', name: 'src/a.ts:12-88', uri: expect.stringMatching(/\/src\/a\.ts#L12-88$/) },
      { type: 'resource_link', uri: expect.stringMatching(/\/project\/src$/) },
      { type: 'resource_link' },
      { type: 'image', mimeType: 'image/jpeg' },
      { type: 'resource_link', uri: pathToFileURL(notes).href },
      { type: 'resource', resource: { text: 'line\n'.repeat(214) } },
    ]);
    expect(await field().inputValue()).toBe('');
    // The picture is seen where it was sent, too.
    const said = page.getByTestId('transcript').locator('.transcript_prompt').last();
    await said.getByRole('img', { name: 'Attached image' }).waitFor();
    await said.getByRole('button', { name: /^Open big/ }).click();
    const opened = page.getByRole('dialog', { name: /^big/ });
    await opened.getByRole('img').waitFor();
    await opened.getByRole('button', { name: 'Close' }).click();
    await said.hover();
    const acts = await boxOf(said.locator('.transcript_prompt-acts'));
    for (const part of ['.transcript_prompt-text', '.transcript_time']) {
      expect(acts.y + acts.height).toBeLessThanOrEqual((await boxOf(said.locator(part))).y);
    }
    await field().press('ArrowUp');
    expect(await field().inputValue()).toContain('Look at @src/a.ts:12-88');
    await field().press('ArrowDown');
    expect(await field().inputValue()).toBe('');
  });
});

describe('what waits before the next message', () => {
  it('is ordered with the keyboard, changed, removed, steered, taken back, and sent by itself', async () => {
    const first = Promise.withResolvers<void>();
    agent.extras.add('take-back');
    agent.script = async ({ stopped }) => {
      await Promise.race([first.promise, stopped]);
      return 'end_turn';
    };
    await open();
    const say = async (text: string, key = 'Enter'): Promise<void> => {
      await field().fill(text);
      await field().press(key);
    };
    await go();
    for (const text of ['one', 'two', 'three']) {
      await say(text);
      await queued().filter({ hasText: text }).waitFor();
    }
    await queued().filter({ hasText: 'three' }).getByRole('button', { name: 'Change' }).press('Alt+ArrowUp');
    await until(async () => (await words()) === 'one · three · two');
    await queued()
      .filter({ hasText: 'two' })
      .dragTo(queued().filter({ hasText: 'one' }));
    await until(async () => (await words()) === 'two · one · three');
    await queued().filter({ hasText: 'one' }).getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Change the queued message' }).fill('ONE');
    await page.keyboard.press('Enter');
    await until(async () => (await words()) === 'two · ONE · three');
    await queued().filter({ hasText: 'three' }).getByRole('button', { name: 'Remove' }).click();
    await until(async () => (await words()) === 'two · ONE');
    // What is gone leaves it to the field.
    await expect.poll(hasFocus).toBe(true);
    await queued().filter({ hasText: 'two' }).getByRole('button', { name: 'Steer' }).click();
    const steering = page.getByTestId(/^steer-/);
    await steering.getByText('Claude reads it at its next step').waitFor();
    expect(await words()).toBe('ONE');
    expect(await window.axe()).toEqual([]);
    await steering.getByRole('button', { name: 'Take back' }).click();
    await steering.waitFor({ state: 'detached' });
    await expect.poll(() => field().inputValue()).toBe('two');

    // By its name, too.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('stop');
    await page.getByRole('option', { name: /^Stop\s*This session/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(hasFocus).toBe(true);
    await page.getByText('1 message is queued and waits.').waitFor();
    first.resolve();
    await page.getByRole('button', { name: 'Send now' }).click();
    await until(() => prompts().length === 2);
    expect(prompts()[1]).toEqual([{ type: 'text', text: 'ONE' }]);
    await queued().waitFor({ state: 'detached' });
    await expect.poll(hasFocus).toBe(true);
  });

  it('that is sent while it is being changed gives the field what was written', async () => {
    const first = Promise.withResolvers<void>();
    agent.script = async ({ stopped }) => {
      await Promise.race([first.promise, stopped]);
      return 'end_turn';
    };
    await open();
    await go();
    await field().fill('one');
    await field().press('Enter');
    await queued().getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Change the queued message' }).fill('one, and what it costs');
    first.resolve();
    await page.getByText('This message was sent already.').waitFor();
    await until(async () => (await field().inputValue()) === 'one, and what it costs');
    expect(prompts()[1]).toEqual([{ type: 'text', text: 'one' }]);
  });

  it('goes with Enter into the turn where a person wants that, and the other way with Ctrl', async () => {
    agent.extras.add('take-back');
    agent.script = async ({ stopped }) => {
      await stopped;
      return 'cancelled';
    };
    await open({ settings: { version: 1, welcomedAt: 1, sessions: { enterWhileRunning: 'steer' } } });
    await go();
    await field().fill('into it');
    const bar = page.locator('.composer_composer-bar');
    expect(await bar.locator('.composer_push button').allTextContents()).toEqual(['Stop', 'Queue', 'Steer']);
    expect(await bar.getByRole('button', { name: 'Steer' }).getAttribute('title')).toContain('(Enter)');
    await field().press('Enter');
    await page.getByTestId(/^steer-/).waitFor();
    await field().fill('behind it');
    await field().press('Control+Enter');
    await queued().waitFor();
    // What was not read when the turn is stopped waits as well.
    await field().press('Escape');
    await page.getByText('2 messages are queued and wait.').waitFor();
    expect(await words()).toBe('into it · behind it');
    // One leads to the other.
    await page.getByRole('button', { name: 'Send all 2 now' }).waitFor();
  });
});

describe('a message that is on its way', () => {
  it('is in the field again after a window that was closed before its files were looked at', async () => {
    await open({ onCall: (name) => (name === 'namedPaths' ? new Promise(() => undefined) : undefined) });
    await field().fill('Look at @src/a.ts');
    await field().press('Enter');
    await until(async () => (await field().inputValue()) === '');
    expect(await chromium.closeWindows()).toEqual([]);
    await open();
    await until(async () => (await field().inputValue()) === 'Look at @src/a.ts');
    expect(prompts()).toEqual([]);
  });

  it('chooses by the words behind a command, and keeps those that are none of it', async () => {
    await open();
    const say = async (text: string): Promise<void> => {
      await field().fill(text);
      await field().press('Enter');
    };
    await say('/permissions Plan only');
    await until(async () => (await window.stack.app.session(id)).mode.wanted === 'plan');
    expect(await field().inputValue()).toBe('');
    await say('/model of a locomotive, drawn in SVG');
    await page.getByRole('menu', { name: 'Model' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await field().inputValue()).toBe('of a locomotive, drawn in SVG');
    expect(await field().evaluate((shown) => shown === document.activeElement)).toBe(true);
    expect(prompts()).toEqual([]);
  });
});

describe('a command that is sent before it is known what there is to choose from', () => {
  it('chooses once that is known', async () => {
    const known = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await open({
      onCall: (name) => {
        if (name !== 'sessionOffers') return undefined;
        asked.resolve();
        return known.promise;
      },
    });
    await asked.promise;
    await field().fill('/permissions Plan only');
    await field().press('Enter');
    known.resolve();
    await until(async () => (await window.stack.app.session(id)).mode.wanted === 'plan');
    await expect.poll(() => field().inputValue()).toBe('');
    expect(await page.getByRole('menu').count()).toBe(0);
  });
});

describe('another way to Copilot', () => {
  it('has its own models in the menu', async () => {
    const models = (id: string) => [{ id, model: id, efforts: [] }];
    agent.offered = models('model-of-vscode');
    await open({ settings: { version: 1, welcomedAt: 1, reach: 'through-vscode' } });
    const menu = page.getByRole('menu', { name: 'Model' });
    const opened = async (): Promise<string> => {
      await page.getByRole('button', { name: /^Model/ }).click();
      const words = (await menu.getByRole('menuitemradio').allTextContents()).join(' ');
      await page.keyboard.press('Escape');
      return words;
    };
    await expect.poll(opened).toContain('model-of-vscode');
    agent.offered = models('model-of-copilot');
    await window.stack.app.changePreferences({ reach: 'directly' });
    await expect.poll(opened).toContain('model-of-copilot');
    expect(await opened()).not.toContain('model-of-vscode');
  });
});

describe('a session of Codex', () => {
  it('speaks of Codex wherever it speaks of who leads it', async () => {
    agent = new FakeAgent('codex');
    agent.script = async (turn) => {
      const rawInput = { command: 'npm test', description: 'Runs the tests' };
      await turn.ask({ toolCallId: 'c', name: 'Bash', rawInput });
      return 'end_turn';
    };
    const other = '00000000-0000-4000-8000-000000000002';
    await open({
      at: `#/sessions/${other}`,
      before: async ({ app }) => {
        await app.trustFolder(project);
        await app.newSession({ id: other, cwd: project, agent: 'codex', title: 'Retries', choices: {} });
      },
    });
    const pane = page.getByRole('region', { name: 'Session', exact: true });
    const said = (): Promise<string> =>
      page.evaluate(() => {
        const names = ['title', 'placeholder', 'aria-label'];
        const all = [
          ...document.querySelectorAll<HTMLElement>(
            '.panes_pane.panes_session, .panes_pane.panes_session *, dialog, dialog *',
          ),
        ];
        const held = all.flatMap((one) => names.map((name) => one.getAttribute(name) ?? ''));
        return [...all.map(({ innerText }) => innerText), ...held].join('\n');
      });
    expect(await field().getAttribute('placeholder')).toMatch(/^Tell Codex what to do\./);
    expect(await said()).not.toContain('Claude');
    for (const name of [/^Model/, /^Permissions/]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').waitFor();
      expect(await said()).not.toContain('Claude');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: /^Permissions/ }).click();
    await page.getByRole('menuitemradio', { name: /^Never ask/ }).click();
    await page.getByRole('dialog', { name: 'Let Codex do anything without asking?' }).waitFor();
    expect(await said()).not.toContain('Claude');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await field().fill('Go');
    await field().press('Enter');
    await pane.getByText('Codex says').waitFor();
    await page.getByText('Codex asks to run a command.', { exact: false }).first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Deny and say why/ }).click();
    await pane
      .getByText('What should Codex do instead?')
      .or(pane.getByLabel('What should Codex do instead?'))
      .first()
      .waitFor();
    expect(await said()).not.toContain('Claude');
  });
});

describe('in a narrow window', () => {
  it('the effort is in the menu of the model, and the field has one line', async () => {
    await open({ context: { viewport: { width: 720, height: 480 } } });
    expect(await page.getByRole('button', { name: /^Effort/ }).count()).toBe(0);
    const model = page.getByRole('button', { name: /^Model/ });
    await model.getByText('· High').waitFor();
    await model.click();
    await page.getByRole('menuitemradio', { name: 'Low' }).click();
    await model.getByText('· Low').waitFor();
    await until(async () => (await window.stack.app.session(id)).effort.wanted === 'low');
    expect((await field().boundingBox())?.height).toBeLessThan(40);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.getByRole('button', { name: 'Effort: Low' }).waitFor();
    expect((await field().boundingBox())?.height).toBeGreaterThan(50);
  });
});
