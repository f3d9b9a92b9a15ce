import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { patienceMs, soon } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { hostilePlays } from './sessions-stage/hostile-plays.ts';
import { Stage } from './sessions-stage/stage.ts';

/** Conversations that were written to do harm, in the whole window: led by Jumpseat, and restored from the disk. */
let chromium: Chromium;
let window: ChromiumWindow;
let page: Page;
let person: string;
let stage: Stage;
/** What left the page or took its place, or tried to. */
const left: string[] = [];

const isOurs = (url: string): boolean => /^(?:https:\/\/jumpseat\.test\/|http:\/\/127\.0\.0\.1:)/.test(url);

function watch(watched: Page): void {
  watched.on('request', (request) => {
    if (!isOurs(request.url())) left.push(`request ${request.url()}`);
  });
  watched.on('framenavigated', (frame) => {
    if (frame !== watched.mainFrame() || !isOurs(frame.url())) left.push(`frame ${frame.url()}`);
  });
  watched.on('popup', (popup) => left.push(`window ${popup.url()}`));
  watched.on('dialog', (dialog) => {
    left.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  watched.on('download', (download) => left.push(`download ${download.url()}`));
}

beforeAll(async () => {
  person = mkdtempSync(join(tmpdir(), 'jumpseat-hostile-'));
  stage = new Stage(person, hostilePlays);
  chromium = await Chromium.launch();
  window = await chromium.window({
    person,
    at: '#/sessions',
    secrets: desktopSecrets(),
    settings: { version: 1, welcomedAt: 1, sessions: { atOnce: 16 } },
    ...stage.options(),
    beforePage: watch,
  });
  ({ page } = window);
}, 180_000);
afterAll(async () => {
  stage.end();
  // Nothing had to be refused by the page's policy: it was never set as markup.
  const complaints = await chromium?.closeWindows();
  await chromium?.close();
  rmSync(person, { recursive: true, force: true, maxRetries: 3 });
  expect(complaints).toEqual([]);
});
afterEach(async () => {
  expect(left).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
  expect(page.context().pages()).toHaveLength(1);
  expect(window.asked.opened).toEqual([]);
});

const session = (): Locator => page.getByRole('region', { name: 'Session', exact: true });
const feed = (): Locator => session().getByRole('feed', { name: 'Conversation' });

async function open(name: string): Promise<void> {
  await page.evaluate((id) => {
    location.hash = `#/sessions/${id}`;
  }, stage.id(name));
  await session().locator('h2').waitFor();
  await feed().waitFor();
}

/** Opens those in the page. */
async function openSteps(): Promise<void> {
  const closed = feed().locator('.steps_tool-line[aria-expanded="false"]');
  for (let most = 30; most > 0 && (await closed.count()) > 0; most--) await closed.first().click();
}

/** Elements that words of others must never become. */
function strangeElements(): Promise<string[]> {
  return page.evaluate(() => {
    const never = 'script, iframe, form, style, base, link, meta, use, object, embed, video, audio, a[href], [onload]';
    const drawn = [...document.querySelectorAll('#main *')];
    return [
      ...drawn.filter((element) => element.matches(`${never}, [onerror], [srcdoc], [ping], [formaction]`)),
      ...drawn.filter(
        (element) => element.matches('svg:not(.octicon, .ring, :has(use))') && element.closest('.panes_session'),
      ),
      ...drawn.filter((element) => element instanceof HTMLImageElement && !/^(?:blob|data):/.test(element.src)),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
}

/** Names in lines of ours, as they are seen, heard and hovered, that hide something or turn something around. */
function unclean(): Promise<string[]> {
  return page.evaluate(() => {
    const hides = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    const lines =
      '.shell_sidebar, .panes_list, .panes_pane-head, .transcript_stuck, .steps_tool-line, .transcript_turn-foot, .panes_session-foot, [aria-live]';
    return [...document.querySelectorAll(`:is(${lines}), :is(${lines}) *`)].flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const texts = [
        ...own.map(({ textContent }) => textContent ?? ''),
        ...['title', 'aria-label'].map((name) => element.getAttribute(name) ?? ''),
      ];
      return texts
        .filter((text) => hides.test(text) || text.length > 600)
        .map((text) => JSON.stringify(text.slice(0, 200)));
    });
  });
}

/** Lines that are wider or higher than their place. */
function overfull(): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.session-list_session-group, .session-list_session-row, .steps_tool-line, .transcript_stuck, .panes_pane-head, .panes_session-foot',
      ),
    ]
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map(({ className, textContent }) => `${className}: ${textContent?.slice(0, 80)}`),
  );
}

/** A key in the composer arrives, and words in the conversation are found. */
async function isUsable(words: string): Promise<void> {
  const composer = session().getByRole('textbox', { name: 'Message' });
  await composer.focus();
  await page.keyboard.type('ab');
  await soon(async () => expect(await composer.inputValue()).toBe('ab'));
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+f');
  const find = page.getByRole('search');
  await find.getByRole('textbox').fill(words);
  await soon(async () => expect(await find.getByRole('status').innerText()).toMatch(/^\d[\d,]* of [1-9]/));
  await page.keyboard.press('Escape');
}

describe('a conversation that means harm', () => {
  it.each(['restored', 'done', 'failed', 'at work', 'permission', 'choices', 'plan'])(
    'stays words: %s',
    async (name) => {
      await open(name);
      await openSteps();
      expect(await strangeElements()).toEqual([]);
      expect(await unclean()).toEqual([]);
      expect(await overfull()).toEqual([]);
    },
  );

  it('is searched, listed and gone to by name without its names doing harm', async () => {
    await page.getByRole('textbox', { name: 'Search sessions' }).fill('onerror');
    await page
      .getByTestId('session-list')
      .getByText(/^Conversations/)
      .waitFor();
    expect(await unclean()).toEqual([]);
    expect(await overfull()).toEqual([]);
    await page.getByRole('textbox', { name: 'Search sessions' }).fill('');
    await page.keyboard.press('Control+p');
    await page
      .getByRole('dialog')
      .getByText(/img src=x/)
      .first()
      .waitFor();
    expect(await strangeElements()).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('leads nowhere that a person did not see and confirm', async () => {
    await open('restored');
    const dialog = page.getByRole('dialog', { name: 'Open this address?' });
    for (const [words, host] of [
      ['bank', /^xn--/],
      ['user', /^evil\.test$/],
    ] as const) {
      await feed().getByRole('button', { name: words, exact: true }).first().press('Enter');
      expect(await dialog.locator('b').innerText()).toMatch(host);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
    for (const words of ['script', 'data', 'vb', 'bundle', 'file', 'share', 'code']) {
      expect(await feed().getByText(words, { exact: true }).first().count(), words).toBe(1);
      expect(await feed().getByRole('button', { name: words, exact: true }).count(), words).toBe(0);
    }
  });

  it('can’t ask in Jumpseat’s place', async () => {
    await open('done');
    await feed().getByText('Allow for this session…').waitFor();
    expect(await session().getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    expect(await session().getByTestId('question').count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Run this command?' }).count()).toBe(0);
  });
});

/** As the proxy serves it, with a policy of its own. */
describe('too much of it, in a browser', () => {
  let tray: Page;
  beforeAll(async () => {
    const context = await chromium.browser.newContext({ viewport: { width: 1200, height: 800 } });
    context.setDefaultTimeout(patienceMs);
    tray = page;
    page = await context.newPage();
    watch(page);
    page.on('console', (message) => message.type() === 'error' && left.push(message.text()));
    page.on('pageerror', ({ message }) => left.push(message));
    await page.goto((await stage.stack.app.startProxy()).dashboardUrl);
  });
  afterAll(async () => {
    await page.context().close();
    page = tray;
  });

  it.each(['restored', 'done'])('is the same there: %s', async (name) => {
    await open(name);
    await openSteps();
    expect(await strangeElements()).toEqual([]);
    expect(await unclean()).toEqual([]);
  });

  it.each([
    ['too much', 'The end of too much'],
    ['ten thousand', 'run 77'],
  ])('leaves the window to its person: %s', async (name, words) => {
    await open(name);
    await isUsable(words);
    expect(await page.locator('#main *').count()).toBeLessThan(20_000);
    await feed().focus();
    await page.keyboard.press('End');
    await session().locator('.transcript_turn-foot').last().waitFor();
  });
});
