import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentError } from '../../app/sessions/agents/agent.ts';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import type { Stack } from '../app/stack.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { wordsInSight } from '../renderer/sessions/cards/cards-page.ts';
import { soon, until } from '../soon.ts';
import { type Asked, Chromium } from './chromium-window.ts';

/** Menus of a session, and the keyboard after them: what a person gets who chooses something in one. */
const id = '00000000-0000-4000-8000-000000000003';
let chromium: Chromium;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
afterEach(async () => expect(await chromium.closeWindows()).toEqual([]));
afterAll(() => chromium?.close());

/** A session whose last turn has ended, or goes on until it is stopped. */
async function open({
  isRunning = false,
  as = 'tray' as 'tray' | 'dashboard',
} = {}): Promise<{ page: Page; stack: Stack; agent: FakeAgent; asked: Asked; home: string }> {
  const agent = new FakeAgent();
  if (isRunning) {
    agent.script = async (turn) => {
      await turn.say('Words that go on');
      await turn.stopped;
      return 'cancelled';
    };
  }
  let folder = '';
  const { page, stack, asked } = await chromium.window({
    as,
    ...{ secrets: desktopSecrets(), app: { agents: [agent] } },
    settings: { version: 1, welcomedAt: 1, sessions: { openFilesWith: 'zed' } },
    at: `#/sessions/${id}`,
    before: async ({ app, home }) => {
      folder = home;
      await app.trustFolder(home);
      await app.newSession({ id, cwd: home, agent: 'claude', title: 'Retries', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Go' }] });
    },
  });
  await page
    .getByTestId('transcript')
    .getByText(isRunning ? 'Words that go on' : 'You said: Go')
    .waitFor();
  return { page, stack, agent, asked, home: folder };
}

const choose = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: label }).click();
};
const row = (page: Page): Locator => page.getByTestId(`session-row-${id}`);
const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);
/** Types what a person types, wherever the focus is. */
const writeName = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Name of the session' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
};
const stateOf = async ({ app }: Stack): Promise<string> => (await app.session(id)).state;

describe('Rename', () => {
  it('in the menu of the open session names it', async () => {
    const { page } = await open();
    await choose(page, 'Rename…');
    await writeName(page, 'From its own menu');
    await row(page).getByText('From its own menu').waitFor();
    expect(await page.getByRole('heading', { name: 'From its own menu' }).count()).toBe(1);
    expect(await hasFocus(page.getByRole('button', { name: 'Session actions' }))).toBe(true);
  });

  it('in the menu that the right button of the mouse opens over its row names it', async () => {
    const { page } = await open();
    await row(page).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await writeName(page, 'By the right button');
    await row(page).getByText('By the right button').waitFor();
    expect(await hasFocus(page.getByRole('treegrid', { name: 'Sessions' }))).toBe(true);
  });

  it('in the menu of another row leaves the keys of the list to that row', async () => {
    const { page, stack } = await open();
    const { id: other } = await stack.app.newSession({
      ...{ cwd: (await stack.app.session(id)).cwd, agent: 'claude', title: 'Other', choices: {} },
    });
    await stack.app.sendMessage({ session: other, prompt: [{ type: 'text', text: 'Go' }] });
    await row(page).click();
    await page.getByTestId(`session-row-${other}`).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await writeName(page, 'The other one');
    await page.getByTestId(`session-row-${other}`).getByText('The other one').waitFor();
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'Name of the session' });
    await name.waitFor();
    expect(await name.inputValue()).toBe('The other one');
    await page.keyboard.press('Escape');
  });

  it('leaves the keyboard to the field that a person clicked meanwhile', async () => {
    const { page } = await open();
    for (const start of [() => choose(page, 'Rename…'), () => row(page).click({ button: 'right' })]) {
      await start();
      const inMenu = page.getByRole('menuitem', { name: 'Rename…' });
      if ((await inMenu.count()) > 0) await inMenu.click();
      await page.getByRole('textbox', { name: 'Name of the session' }).waitFor();
      await page.getByRole('textbox', { name: 'Message' }).click();
      await page.keyboard.type('a');
    }
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('aa');
  });
});

it('the two menus of a session offer the same in one order, and the palette too, but for what looks into the open conversation', async () => {
  const { page } = await open();
  const names = async (): Promise<string[]> => {
    await page.getByRole('menuitem').first().waitFor();
    const all = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return all.map((one) => one.split('\n')[0] ?? '');
  };
  await page.getByRole('button', { name: 'Session actions' }).click();
  const ofHead = await names();
  await row(page).click({ button: 'right' });
  const ofRow = await names();
  const inside = ['Copy conversation as Markdown', 'Find in conversation'];
  expect(ofHead.filter((name) => !inside.includes(name))).toEqual(ofRow);
  expect(ofRow).toContain('Copy id');
  // What can be done with the open session is found by its name, too.
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search sessions, commands and settings' });
  for (const words of ['fork', 'customiz', 'find in', 'delete']) {
    await field.fill(words);
    await page.getByRole('group', { name: 'Commands' }).getByRole('option').first().waitFor();
  }
  await field.fill('rename');
  await page.keyboard.press('Enter');
  await writeName(page, 'From the palette');
  await row(page).getByText('From the palette').waitFor();
});

it('one key in the list copies what goes on with a session in a terminal', async () => {
  const { page, home } = await open();
  await page.evaluate(() => {
    const keep = async (text: string): Promise<void> => void Reflect.set(globalThis, 'copied', text);
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: keep } });
  });
  await page.getByRole('treegrid', { name: 'Sessions' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('t');
  await page.getByText('Line copied').waitFor();
  // A new terminal doesn’t know of Jumpseat.
  const first = 'Claude Code isn’t set up for Jumpseat. Paste the lines for Claude Code into the terminal first.';
  await page.getByText(first).waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'copied'))).toBe(`cd ${home} && claude --resume ${id}`);
});

describe('a menu', () => {
  it('of the right button stays when that is released, and closes with a press beside it', async () => {
    const { page } = await open();
    const box = await row(page).boundingBox();
    if (box === null) throw new Error('The row is not drawn.');
    await page.mouse.move(box.x + 40, box.y + 10);
    await page.mouse.down({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions of Retries' });
    await menu.waitFor();
    // A hand is never quite still.
    await page.mouse.move(box.x + 37, box.y + 8);
    await page.mouse.up({ button: 'right' });
    expect(await menu.isVisible()).toBe(true);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.click();
    await menu.waitFor({ state: 'detached' });
    expect(await hasFocus(field)).toBe(true);
  });

  it('closes with another click on its button, and with Escape', async () => {
    const { page } = await open();
    const button = page.getByRole('button', { name: 'Session actions' });
    const menu = page.getByRole('menu', { name: 'Session actions' });
    await button.click();
    await menu.waitFor();
    await button.click();
    await menu.waitFor({ state: 'detached' });
    await button.click();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await hasFocus(button)).toBe(true);
    const more = row(page).getByRole('button', { name: 'Actions of Retries' });
    const ofRow = page.getByRole('menu', { name: 'Actions of Retries' });
    await row(page).hover();
    await more.click();
    await ofRow.waitFor();
    await more.click();
    await ofRow.waitFor({ state: 'detached' });
  });

  it('gives the keyboard back to its button after the dialog that it opened', async () => {
    const { page } = await open();
    for (const [label, leave] of [
      ['In force…', 'Close'],
      ['Delete…', 'Cancel'],
    ] as const) {
      await choose(page, label);
      await page.getByRole('dialog').getByRole('button', { name: leave }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect([label, await hasFocus(page.getByRole('button', { name: 'Session actions' }))]).toEqual([label, true]);
    }
    const mode = page.getByTestId('mode');
    await mode.click();
    await page.getByRole('menuitemradio', { name: 'Never ask' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await hasFocus(mode)).toBe(true);
  });
});

it('the folder of a new session is chosen by its menu, and the message field has the keyboard afterwards', async () => {
  const { page, home } = await open({ as: 'dashboard' });
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  const button = page.getByRole('button', { name: /^Folder: / });
  await button.click();
  await page.getByRole('menuitem', { name: 'Choose folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await hasFocus(button)).toBe(true);

  // Written as in a terminal; where there is none, the dialog says so.
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Choose folder…' }).click();
  const path = dialog.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill('~/there-is/none');
  await page.keyboard.press('Enter');
  await dialog.getByText(/none is no folder\./).waitFor();
  await path.fill('~');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await until(async () => (await button.getAttribute('title')) === homedir());
  const field = page.getByRole('textbox', { name: 'Message' });
  await until(() => hasFocus(field));

  // A folder of the menu, the same one again, and one of the list below.
  const other = page.getByRole('menuitemcheckbox', { name: home });
  for (const _ of ['another', 'the same']) {
    await button.click();
    await other.click();
    await until(() => hasFocus(field));
    expect(await button.getAttribute('title')).toBe(home);
  }
  await page.getByRole('region', { name: 'Recent folders' }).getByRole('button').first().click();
  await until(() => hasFocus(field));
});

it('gives the message field the keyboard for each new session that is asked for', async () => {
  const { page } = await open();
  const field = page.getByRole('textbox', { name: 'Message' });
  for (const name of ['New session', 'New session', /^New session in /]) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('heading', { name: 'New session' }).waitFor();
    await until(() => hasFocus(field));
  }
});

it('a new session that was open is taken up again after a reload, in its folder', async () => {
  const { page, stack, home } = await open({ as: 'dashboard' });
  const begun = async (): Promise<string[]> =>
    (await stack.app.heldSessions()).flatMap(({ id, state }) => (state === 'provisional' ? [id] : []));
  const folder = join(home, 'other');
  mkdirSync(folder);
  await stack.app.trustFolder(folder);
  await stack.app.newSession({ id: crypto.randomUUID(), cwd: folder, agent: 'claude', title: 'There', choices: {} });
  const others = await begun();
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  const usual = await begun();
  await page.getByRole('button', { name: /^Folder: / }).click();
  await page.getByRole('menuitem', { name: 'Choose folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
  await dialog.getByRole('textbox', { name: 'Path of the folder' }).fill(folder);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await until(async () => (await begun()).length === others.length + 2);
  await field.fill('Not sent yet');
  const before = await begun();
  expect(before.filter((one) => !usual.includes(one))).toHaveLength(1);
  await page.reload();
  await page.getByRole('button', { name: `Folder: ${folder}` }).waitFor();
  await soon(async () => expect(await field.inputValue()).toBe('Not sent yet'));
  // One that another program began there is left to it.
  expect(await begun()).toEqual(before);
});

it.each([
  [1200, 800],
  [720, 480],
])('the menus of the composer leave what is written in sight, at %i × %i', async (width, height) => {
  const { page } = await open();
  await page.setViewportSize({ width, height });
  const field = page.getByRole('textbox', { name: 'Message' });
  const goTo = (part: string) => page.evaluate((part) => location.assign(`#/sessions/${part}`), part);
  for (const part of [id, 'new']) {
    await goTo(part);
    await page.getByRole('heading', { name: part === id ? 'Retries' : 'New session' }).waitFor();
    await field.fill('Three\nlines\nof words');
    for (const name of [/^Templates/, /^Model/, /^Permissions/, ...(part === 'new' ? [/^Folder: /] : [])]) {
      const button = page.getByRole('button', { name });
      await button.click();
      const [shown, written, at] = await Promise.all(
        [page.locator('.menu:popover-open'), field, button].map((one) => one.boundingBox()),
      );
      if (shown == null || written == null || at == null) throw new Error(`${name} is not drawn.`);
      expect(shown.y).toBeGreaterThanOrEqual(0);
      expect(shown.x).toBeGreaterThanOrEqual(0);
      expect(shown.x + shown.width).toBeLessThanOrEqual(width);
      expect(shown.y + shown.height).toBeLessThanOrEqual(Math.min(written.y, at.y));
      // It begins where its button does, or ends with the composer.
      expect(shown.x).toBeLessThanOrEqual(at.x + 1);
      expect(shown.x + shown.width).toBeGreaterThan(at.x + at.width / 2);
      await page.keyboard.press('Escape');
      await page.locator('.menu:popover-open').waitFor({ state: 'detached' });
      expect(await hasFocus(button)).toBe(true);
    }
    expect(await field.inputValue()).toBe('Three\nlines\nof words');
  }
});

it('in a low window the permissions of a new session fit above the message, and a menu that scrolls shows it', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 720, height: 480 });
  await page.evaluate(() => location.assign('#/sessions/new'));
  const menu = page.locator('.menu:popover-open');
  const show = async (name: RegExp): Promise<boolean> => {
    await page.getByRole('button', { name }).click();
    await menu.waitFor();
    return menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  };
  expect(await show(/^Permissions/)).toBe(false);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await show(/^Model/)).toBe(true);
  // A shade at the edge, until what lies behind it has been scrolled to.
  const edges = await menu.evaluate((shown) => getComputedStyle(shown).backgroundAttachment);
  expect(edges).toBe('local, local, scroll, scroll, scroll');
});

it('a new session shows what was sent, and that it starts, before its process runs', async () => {
  const { page, agent } = await open();
  const held = agent.hold('prepare');
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Look around.');
  await field.press('Enter');
  await held.reached;
  const transcript = page.getByTestId('transcript');
  await transcript.getByText('Look around.', { exact: true }).waitFor();
  await transcript.getByText('Starting Claude Code…').waitFor();
  held.go();
  await transcript.getByText('You said: Look around.').waitFor();

  // One that can't be begun leads back, with the words in the field.
  agent.failures.set('prepare', new AgentError('start', 'It broke.', 'Try again.'));
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  await field.fill('Once more.');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'New session' }).waitFor();
  await until(async () => (await field.inputValue()) === 'Once more.');
});

it('a new session is called by the words of its first message, not by the lines that it quotes', async () => {
  const { page, agent } = await open();
  agent.script = async (turn) => {
    await turn.say('Done.');
    // So Claude Code calls one that it gave no name.
    const title = turn.text.replaceAll(/\s+/g, ' ');
    await turn.client.notify('session/update', {
      sessionId: turn.sessionId,
      update: { sessionUpdate: 'session_info_update', title },
    });
    return 'end_turn';
  };
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('```diff\n+wait(250);\n```\nUse a constant for this pause.');
  await field.press('Enter');
  await page.getByTestId('transcript').getByText('Done.').waitFor();
  const name = 'Use a constant for this pause.';
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page
    .getByTestId(/^session-row-/)
    .filter({ hasText: name })
    .waitFor();
  expect(
    await page
      .getByTestId(/^session-row-/)
      .filter({ hasText: /`|wait/ })
      .count(),
  ).toBe(0);
});

it.each([
  ['fork', 'Fork'],
  ['before going back', 'Copy'],
])('a copy of a session is told from it in a narrow list: %s', async (copy, mark) => {
  const { page, stack } = await open();
  await stack.app.renameSession({
    session: id,
    title: `Retries of webhooks that ${'time out and '.repeat(12)}, ${copy}`,
  });
  // The end of a long name is cut off, so that which copy it is stands before it.
  const title = row(page).locator('.session-list_title');
  await soon(async () => expect(await wordsInSight(title)).toMatch(new RegExp(`^${mark}\\s*Retries of web`)));
  // It stays told apart under another name.
  await page.getByTestId('transcript').focus();
  await page.keyboard.press('F2');
  const named = page.getByRole('textbox', { name: 'Name of the session' });
  expect(await named.inputValue()).toMatch(/time out and $/);
  await named.fill(`Pauses that ${'time out and '.repeat(12)}`);
  await page.keyboard.press('Enter');
  await soon(async () => expect(await wordsInSight(title)).toMatch(new RegExp(`^${mark}\\s*Pauses that`)));
  await page.setViewportSize({ width: 720, height: 480 });
  // In its head the name that was given stands alone, and beside it that it is a copy.
  const head = page.locator('.panes_pane-title h2');
  expect(await wordsInSight(head)).toMatch(new RegExp(`^Pauses that .*${mark}$`));
  expect(await head.locator('bdi').innerText()).toBe(`Pauses that ${'time out and '.repeat(12)}`.trim());
});

it('a path in an answer opens its file in the editor that was chosen, at its line', async () => {
  const { page, stack, agent, asked, home } = await open();
  writeFileSync(join(home, 'deliver.ts'), 'one\n'.repeat(20));
  agent.script = async (turn) => {
    await turn.say('It stands in `deliver.ts:12`, and all of it in `deliver.ts`.');
    return 'end_turn';
  };
  await stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Where?' }] });
  const transcript = page.getByTestId('transcript');
  await transcript.getByRole('button', { name: 'deliver.ts:12', exact: true }).click();
  await transcript.getByRole('button', { name: 'deliver.ts', exact: true }).click();
  const file = realpathSync(join(home, 'deliver.ts'));
  await soon(() => expect(asked.opened).toEqual([`zed ${file}:12`, `zed ${file}`]));
});

it('an override of a model’s name is begun in its field', async () => {
  const { page } = await open();
  await page.evaluate(() => {
    location.hash = '#/models';
  });
  await page.getByRole('button', { name: 'Override haiku', exact: true }).click();
  const field = page.getByRole('form', { name: 'Override of haiku' }).getByRole('combobox', { name: 'Model' });
  await field.waitFor();
  expect(await hasFocus(field)).toBe(true);
});

describe('Find in conversation', () => {
  it('from the menu has the keyboard', async () => {
    const { page } = await open();
    await choose(page, 'Find in conversation');
    const field = page.getByRole('textbox', { name: 'Find in conversation' });
    await field.waitFor();
    await page.keyboard.type('said');
    expect(await field.inputValue()).toBe('said');
    await page.getByText('1 of 1', { exact: true }).waitFor();
  });

  it('gives the keyboard back where it was, and what is typed then stands there', async () => {
    const { page } = await open();
    const message = page.getByRole('textbox', { name: 'Message' });
    const field = page.getByRole('textbox', { name: 'Find in conversation' });
    await message.click();
    for (const [close, typed] of [
      [() => page.keyboard.press('Escape'), 'abc'],
      [() => page.getByRole('search').getByRole('button', { name: 'Close' }).click(), 'abcabc'],
    ] as const) {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('said');
      await page.getByText('1 of 1', { exact: true }).waitFor();
      // Asked for again, it has the focus already.
      await page.keyboard.press('Control+f');
      await close();
      await field.waitFor({ state: 'detached' });
      await page.keyboard.type('abc');
      expect(await message.inputValue()).toBe(typed);
    }
    // Where nothing had it, words would be lost.
    await message.blur();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('said');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await hasFocus(message)).toBe(true);
  });

  it('is closed by Escape in the transcript, which stops the turn only after that', async () => {
    const { page, stack } = await open({ isRunning: true });
    await page.keyboard.press('Control+f');
    const field = page.getByRole('textbox', { name: 'Find in conversation' });
    await field.waitFor();
    await page.getByTestId('transcript').focus();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await stateOf(stack)).toBe('running');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.keyboard.press('Escape');
    await soon(async () => expect(await stateOf(stack)).toBe('idle'));
    await page
      .getByText(/^Stopped by you/)
      .first()
      .waitFor();
  });
});

it('the list of keys opens at its start', async () => {
  const { page } = await open();
  await page.getByTestId('transcript').focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  const [box, heading] = [await keys.boundingBox(), await keys.getByRole('heading', { name: 'Keys' }).boundingBox()];
  expect(heading?.y).toBeGreaterThanOrEqual(box?.y ?? Infinity);
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await until(() => hasFocus(page.getByTestId('transcript')));
});
