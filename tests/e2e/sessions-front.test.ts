import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { SessionStore } from '../../app/sessions/store/session-store.ts';
import { sessionLines } from '../../main/sessions/session-lines.ts';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';
import { asksToRun, edit } from './sessions-stage/steps.ts';

/** What the tray app's window and a browser do differently in a session, and what can be moved and switched in both. */
const id = '00000000-0000-4000-8000-00000000000f';
let chromium: Chromium;
let person: string;
let project: string;
let agent: FakeAgent;
let window: ChromiumWindow;
let page: Page;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  agent = new FakeAgent();
  person = mkdtempSync(join(tmpdir(), 'jumpseat-front-'));
  project = join(person, 'parcel-api');
  mkdirSync(project);
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

async function open(as: NonNullable<WindowOptions['as']>, options: WindowOptions = {}): Promise<void> {
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, as, at: `#/sessions/${id}` },
    ...options,
    app: { agents: [agent] },
    before: async ({ app }) => {
      await app.trustFolder(project);
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Begin.' }] });
      await until(async () => (await app.session(id)).state === 'idle');
    },
  });
  ({ page } = window);
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const files = (): Locator => page.getByRole('list', { name: 'Attachments' });

/** As the browser tells of files that are dragged over an element and let go there. */
async function drop(given: readonly { name: string; type: string; bytes: number[] }[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of all) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return transfer;
  }, given);
  await field().dispatchEvent('dragenter', { dataTransfer });
  await page.getByText('Drop to attach').waitFor();
  await field().dispatchEvent('dragover', { dataTransfer });
  await field().dispatchEvent('drop', { dataTransfer });
  await page.getByText('Drop to attach').waitFor({ state: 'detached' });
}

const hasFocus = (): Promise<boolean> => field().evaluate((shown) => shown === document.activeElement);
const fieldHasFocus = (): Promise<unknown> => soon(async () => expect(await hasFocus()).toBe(true));

describe('files that are dropped on the field', () => {
  it('go along with what is in them where a browser doesn’t say where they lie', async () => {
    await open('dashboard');
    await drop([
      { name: 'notes.txt', type: 'text/plain', bytes: [...Buffer.from('note\n')] },
      { name: 'core.bin', type: 'application/octet-stream', bytes: [1, 0, 2] },
    ]);
    await files().getByText('notes.txt').waitFor();
    await page.getByText('core.bin can’t be attached here: it is no text, or too long.').waitFor();
    expect(await files().getByRole('listitem').count()).toBe(1);
    await field().fill('Read it.');
    await field().press('Enter');
    const sent = await until(() => agent.asked.filter(({ method }) => method === 'session/prompt')[1]);
    expect(sent.params.prompt).toMatchObject([
      { type: 'text', text: 'Read it.' },
      { type: 'resource', resource: { text: 'note\n' } },
    ]);
  });
});

describe('the keys of a browser', () => {
  it('begin a session with Alt+N and go to one with Alt+P, which leave Ctrl+N and Ctrl+P to it', async () => {
    await open('dashboard');
    await page.getByRole('region', { name: 'Session', exact: true }).getByText('You said: Begin.').waitFor();
    await page.keyboard.press('Control+p');
    await page.keyboard.press('Alt+p');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The one').first().waitFor();
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+n');
    await until(() => page.url().endsWith('#/sessions/new'));
    // Another session, then the one that is open: both are gone to to be written in.
    for (const typed of ['a', 'aa']) {
      await page.getByRole('button', { name: 'New session', exact: true }).focus();
      await page.keyboard.press('Alt+p');
      await dialog.getByText('The one').first().waitFor();
      await page.keyboard.press('Enter');
      await until(() => page.url().endsWith(`#/sessions/${id}`));
      await dialog.waitFor({ state: 'detached' });
      await fieldHasFocus();
      await page.keyboard.type('a');
      expect(await field().inputValue()).toBe(typed);
    }
  });
});

describe('a session that never asks', () => {
  it('is chosen behind a warning, and says so as long as it lasts', async () => {
    await open('tray');
    const permissions = page.getByRole('button', { name: /^Permissions/ });
    const head = page.locator('.panes_pane-head').getByText('Never asks', { exact: true });
    await permissions.click();
    await page.getByRole('menuitemradio', { name: /^Never ask…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Let Claude do anything without asking?' });
    await dialog.getByText('It ends with the session, and when Jumpseat restarts.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await window.stack.app.session(id)).toMatchObject({ mode: { wanted: 'default' } });
    expect(await head.count()).toBe(0);

    await permissions.click();
    await page.getByRole('menuitemradio', { name: /^Never ask…/ }).click();
    await dialog.getByRole('button', { name: 'Never ask in this session' }).click();
    await head.waitFor();
    await permissions.getByText('Never asks').waitFor();
    await permissions.click();
    await page.getByRole('menuitemradio', { name: /^Ask first/ }).click();
    await head.waitFor({ state: 'detached' });
  });

  it('is none that a browser may begin', async () => {
    await open('dashboard');
    await page.getByRole('button', { name: /^Permissions/ }).click();
    await page.getByRole('menuitemradio', { name: /^Accept edits/ }).waitFor();
    expect(await page.getByRole('menuitemradio', { name: /^Never ask/ }).count()).toBe(0);
  });
});

it('a lost connection says so in the foot, keeps what is written and sends nothing', async () => {
  await open('dashboard');
  await field().fill('Not yet.');
  await window.stack.app.stopProxy({ graceMs: 0 });
  await page.getByTestId('process').getByText('Connection lost').waitFor();
  expect(await field().inputValue()).toBe('Not yet.');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await field().press('Enter');
  expect(await field().inputValue()).toBe('Not yet.');
  // The browser tells the page off for each try.
  window.complaints.length = 0;
});

it('a plugin is switched off for this session from its next message on', async () => {
  agent.extras.add('inventory');
  const none = { models: [], agents: [], skills: [], commands: [], hooks: [], servers: [], memory: [] };
  agent.inventory = { ...none, context: null };
  agent.script = async (turn) => {
    const plugin = { name: 'demo', path: '/plug', source: 'demo@inline', version: '1.0.0' };
    await turn.raw({ type: 'system', subtype: 'init', permissionMode: 'default', plugins: [plugin] });
    return 'end_turn';
  };
  await open('tray');
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'In force…' }).click();
  const plugins = page.getByRole('dialog', { name: 'In force' }).getByRole('region', { name: 'Plugins' });
  await plugins.getByText('Applies to your next message.').waitFor();
  const demo = plugins.getByRole('switch', { name: 'demo' });
  await demo.click();
  await soon(async () => expect(await demo.getAttribute('aria-checked')).toBe('false'));
  await page.keyboard.press('Escape');
  await field().fill('Go on.');
  await field().press('Enter');
  const resumed = await until(() => agent.asked.findLast(({ method }) => method === 'session/resume'));
  expect(resumed.params._meta).toMatchObject({ jumpseat: { pluginsOff: ['demo@inline'] } });
});

it('what was allowed for the session is named, and asks again once it is taken back', async () => {
  let ended = 0;
  agent.script = async (turn) => {
    if (turn.text !== 'Begin.') await asksToRun(turn, 'npm test', 'Run the tests once');
    ended += 1;
    return 'end_turn';
  };
  await open('tray');
  const { app } = window.stack;
  const prompt = async (): Promise<void> => {
    await field().fill('Test it.');
    await field().press('Enter');
  };
  await prompt();
  const asked = await until(async () => (await app.sessionQuestions(id))[0]);
  const rule = { tool: 'Bash', input: 'npm', isExact: false };
  await app.answerQuestion({ session: id, question: asked.id, answer: { answer: 'allow', rule } });
  await until(async () => ended === 2 && (await app.session(id)).state === 'idle');
  await prompt();
  await until(async () => ended === 3 && (await app.session(id)).state === 'idle');
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'In force…' }).click();
  const allowed = page.getByRole('dialog', { name: 'In force' }).getByRole('region', { name: /^Allowed/ });
  await allowed.getByText('Bash(npm:*)', { exact: true }).waitFor();
  await allowed.getByRole('button', { name: 'Take back Bash(npm:*)' }).click();
  await allowed.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await prompt();
  await page.getByText('Run this command?').waitFor();
});

it('a row that failed is red until it is dismissed, also after a reload', async () => {
  await open('tray');
  agent.script = async (turn) => {
    await turn.say('I begin.', 'begun');
    throw new Error('The model could not be reached.');
  };
  await field().fill('Break it.');
  await field().press('Enter');
  const row = page.getByTestId(`session-row-${id}`);
  const failed = page.locator(`.session-list_sign-failed[data-testid="session-row-${id}"]`);
  const dismiss = page.getByRole('menuitem', { name: 'Dismiss' });
  const menu = async (): Promise<void> => {
    await row.hover();
    await row.getByRole('button', { name: 'Actions of The one' }).click();
    await page.getByRole('menuitem', { name: /^Rename/ }).waitFor();
  };
  await failed.getByText('Failed').waitFor();
  await menu();
  await dismiss.click();
  await failed.waitFor({ state: 'detached' });
  await row.getByText('Failed').waitFor();
  await menu();
  expect(await dismiss.count()).toBe(0);
  await page.reload();
  await row.getByText('Failed').waitFor();
  expect(await failed.count()).toBe(0);
  const sessions = [{ session: await window.stack.app.session(id), questions: [], turn: null }];
  expect(sessionLines({ sessions, terminals: [], titlesOutside: true, now: 0 })).toEqual([]);
});

describe('a list of 2 000 sessions', () => {
  const named = (number: number): string => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`;
  const rows = (): Locator => page.getByRole('treegrid', { name: 'Sessions' });
  const top = (): Promise<number> => rows().evaluate(({ scrollTop }) => scrollTop);
  const session = (number: number): Locator => page.getByTestId(`session-row-${named(number)}`);
  const isInSight = async (number: number): Promise<boolean> => {
    const [row, all] = [await session(number).boundingBox(), await rows().boundingBox()];
    if (row === null || all === null) return false;
    return row.y >= all.y && row.y + row.height <= all.y + all.height;
  };
  const go = async (number: number): Promise<void> => {
    await window.go(`#/sessions/${named(number)}`);
    await page.locator('.panes_pane-title').getByText(`Session ${number}`, { exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`project-${Math.floor(number / 10)} – Jumpseat`);
  };

  /** Of a folder with ten sessions, the five newest have a row. */
  async function openAt(number: number): Promise<void> {
    const past = (home: string): void => {
      const store = new SessionStore(join(home, 'sessions.db'), { clock: nodeClock(), log: { write: () => {} } });
      store.atOnce(() => {
        for (let each = 0; each < 2_000; each += 1) {
          const cwd = join(person, `project-${Math.floor(each / 10)}`);
          store.sessions.decorate(named(each), { hosted: true, cwd, title: `Session ${each}`, sentAt: 2_000 - each });
        }
      });
      store.close();
    };
    window = await chromium.window({
      ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, as: 'tray' },
      ...{ prepare: past, at: `#/sessions/${named(number)}`, app: { agents: [agent] } },
    });
    ({ page } = window);
  }

  it('has the row of the open one in sight, by whatever address, and else stays where the person moved it', async () => {
    // The ninth of its folder has a row because it is open.
    await openAt(1_508);
    await until(() => isInSight(1_508));
    await go(21);
    await until(() => isInSight(21));

    // A click on what can be seen of a row leaves the list where it is.
    const cut = (await top()) + 24;
    await rows().evaluate((list, to) => list.scrollTo({ top: to }), cut);
    const { x, y } = (await rows().boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(x + 60, y + 4);
    await page.locator('.panes_pane-title').getByText('Session 21', { exact: true }).waitFor({ state: 'detached' });
    expect(await top()).toBe(cut);

    // So does another address while the person holds the scroll bar.
    await rows().dispatchEvent('pointerdown');
    await go(1_200);
    expect(await top()).toBe(cut);
    await page.evaluate(() => globalThis.dispatchEvent(new PointerEvent('pointerup')));

    // A group that was closed opens for the session that is opened in it.
    await go(0);
    await until(() => isInSight(0));
    await page.getByTestId(`session-group-${join(person, 'project-0')}`).click();
    await session(1).waitFor({ state: 'detached' });
    await go(1_200);
    await until(() => isInSight(1_200));
    await go(1);
    await until(() => isInSight(1));
    await page.reload();
    await until(() => isInSight(1));
  });
});

describe('a new session', () => {
  const begin = async (): Promise<string> => {
    const old = join(person, 'old-site');
    mkdirSync(old);
    await open('tray');
    const { app } = window.stack;
    const { id: other } = await app.newSession({ cwd: old, agent: 'claude', title: 'The old one', choices: {} });
    await app.sendMessage({ session: other, prompt: [{ type: 'text', text: 'Begin.' }] });
    await until(async () => (await app.session(other)).state === 'idle');
    await page.getByText('The old one').first().click();
    await page.locator('.panes_pane-head').getByText('The old one').waitFor();
    return old;
  };
  const folder = (): Locator => page.getByRole('button', { name: /^Folder: / });
  const sentences = (): Locator => page.getByText(/old-site is no folder/);

  it.each([
    ['was gone when the sessions were listed', true],
    ['has gone since', false],
  ])('begins in the latest folder that is there: the last one %s', async (_, isListedAgain) => {
    rmSync(await begin(), { recursive: true });
    if (isListedAgain) await page.reload();
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByRole('button', { name: /^Folder: .*parcel-api$/ }).waitFor();
    await field().waitFor();
    const recent = page.getByRole('region', { name: 'Recent folders' });
    await soon(async () => expect(await recent.getByRole('button').count()).toBe(1));
    expect(await sentences().count()).toBe(0);
    window.complaints.length = 0;
  });

  it('says once that the folder a person chose is gone, and is not begun there', async () => {
    rmSync(await begin(), { recursive: true });
    await page.getByRole('button', { name: 'New session in old-site' }).click();
    await page.locator('.composer_begin').getByRole('alert').filter({ hasText: 'old-site is no folder' }).waitFor();
    expect(await folder().getAttribute('aria-label')).toMatch(/old-site$/);
    expect(await sentences().count()).toBe(1);
    expect(await page.locator('.composer_begin').getByRole('textbox').count()).toBe(0);
  });
});

describe('the keyboard', () => {
  it('is in the field after a file was attached, so that Enter sends', async () => {
    await open('tray');
    await field().fill('Look at this.');
    await page.getByRole('button', { name: 'Attach files' }).focus();
    window.asked.chosen.push(join(project, 'notes.txt'));
    await page.keyboard.press('Enter');
    await files().getByText('notes.txt', { exact: true }).waitFor();
    expect(window.asked.folders).toEqual([project]);
    expect(await hasFocus()).toBe(true);
    await page.keyboard.press('Enter');
    await until(() => JSON.stringify(agent.asked).includes('Look at this.'));
  });

  it('goes on behind what was written, after the changes covered the field', async () => {
    await open('tray');
    await page.setViewportSize({ width: 720, height: 800 });
    await field().fill('1');
    await page.keyboard.press('Control+d');
    await page.getByTestId('changes').waitFor();
    await page.keyboard.press('Control+d');
    await field().waitFor();
    await fieldHasFocus();
    await page.keyboard.type('2');
    expect(await field().inputValue()).toBe('12');
  });

  it('chooses a folder first where there is none to begin in, and is in the field that comes by it', async () => {
    window = await chromium.window({
      ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, as: 'dashboard' },
      ...{ at: '#/sessions', app: { agents: [agent] } },
    });
    ({ page } = window);
    await page.getByRole('button', { name: 'New session', exact: true }).first().waitFor();
    await page.keyboard.press('Alt+n');
    const folder = page.getByRole('button', { name: 'Choose folder', exact: true });
    await folder.waitFor();
    await soon(async () => expect(await folder.evaluate((shown) => shown === document.activeElement)).toBe(true));
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Path of the folder' }).fill(person);
    await page.keyboard.press('Enter');
    await field().waitFor();
    await fieldHasFocus();
  });

  it('writes no digit that was meant for a question which was answered elsewhere', async () => {
    agent.script = async (turn) => {
      if (turn.text === 'Ask.') await asksToRun(turn, 'make all', 'Build it');
      return 'end_turn';
    };
    await open('tray');
    const { app } = window.stack;
    await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Ask.' }] });
    const card = page.getByTestId('question');
    await card.waitFor();
    await page.keyboard.press('Control+.');
    await card.getByText('Answer with').waitFor({ state: 'detached' });
    // In the frame in which the field gets the keyboard.
    const pressed = page.evaluate(
      () =>
        new Promise<boolean>((done) => {
          const look = (): void => {
            const at = document.activeElement;
            if (!(at instanceof HTMLTextAreaElement)) return void requestAnimationFrame(look);
            done(at.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true })));
          };
          look();
        }),
    );
    const [question] = await app.sessionQuestions(id);
    await app.answerQuestion({ session: id, question: question?.id ?? '', answer: { answer: 'deny' } });
    expect(await pressed).toBe(false);
    // Typed later, it is a word.
    await soon(async () => {
      await page.keyboard.press('2');
      expect(await field().inputValue()).toMatch(/^2/);
    });
  });
});

it('a session that was left for another place is open on the way back, by key and by click', async () => {
  await open('tray');
  const at = (): string => new URL(page.url()).hash;
  await page.keyboard.press('Control+1');
  await field().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+2');
  await field().waitFor();
  expect(at()).toBe(`#/sessions/${id}`);
  await fieldHasFocus();
  // Who is there already stays where they are.
  await page.keyboard.press('Control+2');
  expect(at()).toBe(`#/sessions/${id}`);
  await fieldHasFocus();
  const places = page.getByRole('navigation', { name: 'Places' });
  await places.getByRole('link', { name: /^Usage/ }).click();
  await field().waitFor({ state: 'detached' });
  await places.getByRole('link', { name: /^Sessions/ }).click();
  await field().waitFor();
  expect(at()).toBe(`#/sessions/${id}`);
  // From there the same link leads to none, as before.
  await places.getByRole('link', { name: /^Sessions/ }).click();
  await page.getByText('No session is open').waitFor();
});

it('the changes get wider and narrower with the arrows, within their bounds, and stay so', async () => {
  agent.script = async (turn) => {
    const path = join(project, 'deliver.ts');
    writeFileSync(path, 'new\n');
    await edit(turn, path, 'old\n', ['old', 'new']);
    return 'end_turn';
  };
  await open('tray');
  await page.setViewportSize({ width: 1700, height: 800 });
  await page.getByRole('button', { name: /^1 file/ }).click();
  const edge = page.getByRole('separator', { name: 'Width of the changes' });
  const changes = page.getByTestId('changes');
  const width = async (): Promise<number> => Math.round((await changes.boundingBox())?.width ?? 0);
  await edge.focus();
  const before = await width();
  await page.keyboard.press('ArrowLeft');
  await soon(async () => expect(await width()).toBeGreaterThan(before));
  await page.keyboard.press('Home');
  const least = Number(await edge.getAttribute('aria-valuemin'));
  await soon(async () => expect(await width()).toBe(least));
  await page.keyboard.press('ArrowRight');
  expect(await width()).toBe(least);
  await page.reload();
  await page.getByRole('button', { name: /^1 file/ }).click();
  await soon(async () => expect(await width()).toBe(least));
});

describe('code of a conversation', () => {
  const coloured = (): Locator => page.getByTestId('transcript').locator('pre code span').first();
  beforeEach(() => {
    agent.script = async (turn) => {
      await turn.say('```ts\nconst pauseMs = 250;\n```', 'answer');
      return 'end_turn';
    };
  });

  it.each(['tray', 'dashboard'] as const)('gets its colours beside the window: %s', async (as) => {
    await open(as);
    await coloured().waitFor();
    expect(page.workers()).toHaveLength(1);
  });

  it.each([
    ['can’t be begun', () => Reflect.deleteProperty(globalThis, 'Worker')],
    [
      'comes to nothing',
      () => {
        const { Worker: Real } = globalThis;
        Reflect.set(globalThis, 'Worker', function begin() {
          return new Real(`${location.origin}/not-there.js`, { type: 'module' });
        });
      },
    ],
  ])('gets them in it where a worker %s', async (_, without) => {
    await open('dashboard', { beforePage: (opened) => opened.addInitScript(without) });
    await coloured().waitFor();
    expect(page.workers()).toHaveLength(0);
    // The browser says that a file isn't there.
    window.complaints.length = 0;
  });
});
