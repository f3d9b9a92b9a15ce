import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon } from '../soon.ts';
import { axeFindings } from './axe-findings.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff, edgeless, strangeColors } from './page-looks.ts';
import { circumstances } from './sessions-stage/circumstances.ts';
import { covered, crowded, cutWords, outOfReach, unmarked, withSpacedText } from './sessions-stage/looks.ts';
import { file } from './sessions-stage/play.ts';
import { plays } from './sessions-stage/plays.ts';
import { hear } from './sessions-stage/reported.ts';
import { Stage } from './sessions-stage/stage.ts';
import { asksAboutPlan, asksForChoices, asksToEdit, asksToRun } from './sessions-stage/steps.ts';
import { tabbed } from './sessions-stage/tabbed.ts';

/** Sessions in every state: what the window says of each, for everyone who looks at it. */
let chromium: Chromium;
let window: ChromiumWindow;
let page: Page;
let person: string;
let stage: Stage;

beforeAll(async () => {
  person = mkdtempSync(join(tmpdir(), 'jumpseat-states-'));
  stage = new Stage(person);
  chromium = await Chromium.launch();
  window = await chromium.window({
    person,
    at: '#/sessions',
    secrets: desktopSecrets(),
    settings: { version: 1, welcomedAt: 1, sessions: { atOnce: 16 } },
    ...stage.options(),
  });
  ({ page } = window);
});
afterAll(async () => {
  stage.end();
  const complaints = await chromium?.closeWindows();
  await chromium?.close();
  rmSync(person, { recursive: true, force: true, maxRetries: 3 });
  expect(complaints).toEqual([]);
});

/** The list beside it is the same in every state, and looked at once. */
const pane = '.panes_pane.panes_session';
/** What another theme can change. */
const ofColors = ['color-contrast', 'link-in-text-block'];
const session = (): Locator => page.getByRole('region', { name: 'Session', exact: true });

async function open(name: string): Promise<void> {
  await window.go(`#/sessions/${stage.id(name)}`);
  const { process, shows } = plays.find((play) => play.name === name) ?? { process: '', shows: [] };
  await session().getByTestId('process').filter({ hasText: process }).waitFor();
  if (shows[0] !== undefined) await session().getByText(shows[0]).first().waitFor();
}

async function forEachState(look: (name: string) => Promise<unknown>): Promise<void> {
  for (const { name } of plays) {
    await open(name);
    await look(name);
  }
}

describe('each session', () => {
  describe('G1 in its row and beside it', () => {
    // All rows are in sight.
    beforeAll(() => page.setViewportSize({ width: 1200, height: 2400 }));
    afterAll(() => page.setViewportSize({ width: 1200, height: 800 }));

    it.each(plays)('$name', async ({ name, row, shows, offers = [], grey = [], process }) => {
      const line = page.getByTestId(`session-row-${stage.id(name)}`);
      if (row === null) expect(await line.count()).toBe(0);
      else await soon(async () => expect(await line.innerText()).toMatch(row));
      await open(name);
      for (const text of shows) await session().getByText(text).first().waitFor();
      for (const button of offers) await session().getByRole('button', { name: button }).first().waitFor();
      await soon(async () => expect(await session().getByTestId('process').innerText()).toMatch(process));
      if (grey.length === 0) return;
      const field = session().getByRole('textbox', { name: 'Message' });
      await field.fill('Kept.');
      for (const button of grey) {
        expect(await session().getByRole('button', { name: button, exact: true }).isDisabled(), button).toBe(true);
      }
      await field.fill('');
    });
  });

  it('G2 has nothing that axe finds', async () => {
    await forEachState(async (name) => expect(await window.axe({ within: pane }), name).toEqual([]));
    expect(await window.axe({ view: true })).toEqual([]);
  });

  it('G2 has nothing that axe finds in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    try {
      await forEachState(async (name) => expect(await window.axe({ within: pane, rules: ofColors }), name).toEqual([]));
      expect(await window.axe({ view: true, rules: ofColors })).toEqual([]);
    } finally {
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });

  it.each([
    [1200, 800],
    [900, 700],
    [720, 480],
    // What a window of 1200 × 800 has left at 200 %.
    [600, 400],
  ])('G3 is within reach at %i × %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    try {
      await forEachState(async (name) => {
        expect(await outOfReach(page), name).toEqual([]);
        expect(await covered(page), name).toEqual([]);
        expect(await cutOff(page), name).toEqual([]);
        expect(await crowded(page), name).toEqual([]);
      });
    } finally {
      await page.setViewportSize({ width: 1200, height: 800 });
    }
  });

  it.each([
    [1200, 800, plays],
    // With a card more has to fit in it than fits in any other state.
    [600, 400, plays.filter(({ process }) => `${process}`.startsWith('Waiting'))],
  ])('G3 has room for spaced text at %i × %i', async (width, height, states) => {
    await page.setViewportSize({ width, height });
    try {
      await withSpacedText(page, async () => {
        for (const { name } of states) {
          await open(name);
          expect(await outOfReach(page), name).toEqual([]);
          expect(await covered(page), name).toEqual([]);
          expect(await cutOff(page), name).toEqual([]);
          expect(await crowded(page), name).toEqual([]);
          expect(await cutWords(page), name).toEqual([]);
          expect(await crowded(page), name).toEqual([]);
        }
      });
    } finally {
      await page.setViewportSize({ width: 1200, height: 800 });
    }
  });

  it('G3 shows all that is asked above its answers in the smallest window at 200 %', async () => {
    await page.setViewportSize({ width: 360, height: 240 });
    try {
      for (const { name } of plays.filter(({ process }) => `${process}`.startsWith('Waiting'))) {
        await open(name);
        const asked = page.getByTestId('question');
        const top = (await asked.boundingBox())?.y;
        expect(await outOfReach(page), name).toEqual([]);
        // All of it is passed before its answers, which come by scrolling.
        const body = asked.locator('.questions_ask-body');
        expect(await body.evaluate((one) => one.scrollHeight - one.clientHeight), name).toBeLessThanOrEqual(1);
        const foot = asked.locator('footer');
        const above = await body.boundingBox();
        expect((await foot.boundingBox())?.y, name).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0) - 1);
        for (const answer of await foot.getByRole('button').all()) await answer.hover();
        const next = asked.getByRole('button', { name: 'Next question' });
        if ((await next.count()) > 0) {
          await next.click();
          await asked.getByText('2 of ').waitFor();
          expect((await asked.boundingBox())?.y, name).toBe(top);
        }
        const field = session().getByRole('textbox', { name: 'Message' });
        await field.click();
        const box = await field.boundingBox();
        expect((box?.y ?? 240) + (box?.height ?? 0), name).toBeLessThanOrEqual(240);
      }
    } finally {
      await page.setViewportSize({ width: 1200, height: 800 });
    }
  });

  it('G4 keeps its signs and the edges of its controls in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    try {
      await forEachState(async (name) => {
        expect(await unmarked(page), name).toEqual([]);
        expect(await strangeColors(page), name).toEqual([]);
        expect(await edgeless(page), name).toEqual([]);
      });
    } finally {
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    }
  });

  it('G5 is led with the keyboard alone: Tab goes through all of it, and out', async () => {
    for (const name of [
      'a question about a command',
      'one with tasks, steered and queued',
      'one whose process ended',
    ]) {
      await open(name);
      await page.getByRole('textbox', { name: 'Search sessions' }).focus();
      const seen: string[] = [];
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate(() => {
          const { activeElement } = document;
          if (activeElement === null || activeElement.closest('main') === null) return null;
          const label = activeElement.getAttribute('aria-label') ?? activeElement.textContent ?? '';
          return `${activeElement.tagName} ${label.trim()}`;
        });
        if (now === null) break;
        seen.push(now);
      }
      expect(seen.length, `${name}: ${seen.join(' | ')}`).toBeLessThan(60);
      const offers = plays.find((play) => play.name === name)?.offers ?? [];
      for (const offer of offers) {
        expect(
          seen.some((one) => new RegExp(offer).test(one.replace(/^\w+ /, ''))),
          `${name}: ${offer}`,
        ).toBe(true);
      }
    }
  });

  it('G5 is read by Tab in its order, with nothing left out', async () => {
    const parts = ['list', 'head', 'transcript', 'dock', 'foot'];
    await forEachState(async (name) => {
      const { missed, order } = await tabbed(page);
      expect(missed, name).toEqual([]);
      const came = order.filter((part, at) => part !== order[at - 1]);
      expect(came, name).toEqual(parts.filter((part) => came.includes(part)));
    });
  });

  it('G6 has a name for every control and every turn', async () => {
    const control = /^ *- (button|link|textbox|checkbox|radio|combobox|switch|tab|slider|menuitem)(?=[ :]*(\[|$|:))/;
    await forEachState(async (name) => {
      const tree = (await page.locator(pane).ariaSnapshot()).split('\n');
      expect(
        tree.filter((line) => control.test(line)),
        name,
      ).toEqual([]);
      const turns = await page
        .getByRole('article')
        .evaluateAll((articles) =>
          articles.map((article) =>
            ['aria-label', 'aria-posinset', 'aria-setsize'].map((at) => article.getAttribute(at)),
          ),
        );
      for (const [label, place, of] of turns) {
        expect(label, name).toMatch(/^(Prompt|Background task), \d\d:\d\d:\d\d$/);
        expect([Number(place) > 0, Number(of) >= Number(place) || of === '-1'], name).toEqual([true, true]);
      }
    });
  });

  it('G6 tells a screen reader what it is, and nothing of what streams', async () => {
    await open('a question about a command');
    const asked = page.getByRole('group', { name: 'Run this command?' });
    await asked.waitFor();
    const description = await asked.evaluate(
      (group) => document.getElementById(group.getAttribute('aria-describedby') ?? '')?.textContent,
    );
    expect(description).toContain('npm test -- --run');
    await open('one that writes');
    await page.getByRole('feed', { name: 'Conversation' }).waitFor();
    await page.getByRole('article', { name: /^Prompt, \d/ }).waitFor();
    const live = await page.evaluate(() =>
      [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]')].map(
        (region) => region.textContent ?? '',
      ),
    );
    expect(live.join(' ')).not.toContain('retry loop');
    const row = page.getByTestId(`session-row-${stage.id('a question about a command')}`);
    await soon(async () =>
      expect(await row.getAttribute('aria-label')).toMatch(
        /^Run the tests once, parcel-api, waits for you, asks to run a command/,
      ),
    );
  });
});

describe('G6 a screen reader is told', () => {
  /** At rest until it is told to do something. */
  const name = 'one that is done and not seen';
  const say = async (words: string, session = name): Promise<unknown> =>
    stage.stack.app.sendMessage({ session: stage.id(session), prompt: [{ type: 'text', text: words }] });
  const stop = (session = name): Promise<unknown> => stage.stack.app.stopSession(stage.id(session));

  beforeAll(async () => {
    await stage.stack.app.changePreferences({ sessions: { atOnce: 16 } });
    stage.more.set('Test it', async (turn) => {
      await turn.say('Words that stream by.', 'streamed');
      await asksToRun(turn, 'npm test', 'Run the tests');
      return 'end_turn';
    });
    stage.more.set('Edit it', async (turn) => {
      await asksToEdit(turn, stage.write(file(stage, 'menu.ts', 'website'), 'old\n'), ['old', 'new']);
      return 'end_turn';
    });
    stage.more.set('Choose for me', async (turn) => {
      await asksForChoices(turn);
      return 'end_turn';
    });
    stage.more.set('Plan it', async (turn) => {
      await asksAboutPlan(turn, '# A plan');
      return 'end_turn';
    });
    stage.more.set('Break it', () => Promise.reject(new Error('It broke.')));
  });
  // One that failed halfway leaves nothing at work for the next.
  afterEach(async () => {
    await stop();
    await stop('one that is unloaded');
  });

  it('that a turn began, that it asks, and that it is done; nothing of what streams', async () => {
    await open(name);
    const reported = await hear(page);
    await say('Test it');
    // In any order: where both come in one picture, the urgent one is told first.
    await soon(async () =>
      expect((await reported()).toSorted()).toEqual([
        'assertive: Claude asks to run a command. Control period to answer.',
        'polite: Claude is working',
      ]),
    );
    await session().getByText('Words that stream by.').waitFor();
    const [question] = await stage.stack.app.sessionQuestions(stage.id(name));
    const answered = { session: stage.id(name), question: question?.id ?? '', answer: { answer: 'allow' as const } };
    expect(await stage.stack.app.answerQuestion(answered)).toBe(true);
    await soon(async () => expect((await reported()).at(-1)).toMatch(/^polite: Done, \d+ seconds?$/));
    expect((await reported()).join()).not.toContain('stream by');
  });

  it.each([
    ['Edit it', 'to edit a file'],
    ['Choose for me', 'Menu, Browsers'],
    ['Plan it', 'about its plan'],
  ])('what it asks: %s; and that it was stopped', async (words, asks) => {
    await open(name);
    const reported = await hear(page);
    await say(words);
    const asked = new RegExp(`^assertive: Claude asks:? ${asks}\\. Control period to answer\\.$`);
    await soon(async () => expect((await reported()).filter((one) => asked.test(one))).toHaveLength(1));
    await stop();
    await soon(async () => expect((await reported()).filter((one) => one === 'polite: Stopped')).toHaveLength(1));
  });

  it('that another session waits', async () => {
    await open(name);
    const reported = await hear(page);
    await say('Test it', 'one that is unloaded');
    // What closed the question of the test before may be told only now.
    const other = async () => (await reported()).filter((one) => !one.startsWith('polite: The question is gone: '));
    await soon(async () => expect(await other()).toEqual(['polite: Profile the start of zsh waits for you']));
    await stop('one that is unloaded');
  });

  it('that a conversation can’t be read', async () => {
    await open(name);
    const reported = await hear(page);
    await open('one that can’t be read');
    await soon(async () =>
      expect(
        (await reported()).filter((one) => one.startsWith('assertive: This conversation can’t be read.')),
      ).toHaveLength(1),
    );
  });

  // Last: its foot says so from here on.
  it('that it failed', async () => {
    await open(name);
    const reported = await hear(page);
    await say('Break it');
    // What was asked before may be said to be gone only then.
    await soon(async () => expect(await reported()).toContain('polite: Failed'));
  });
});

describe('a session that reached a limit whose end is known', () => {
  it('goes on then only if a person says so, and says when; that is taken back by a press', async () => {
    const name = 'one that reached a limit';
    await open(name);
    await session()
      .getByRole('button', { name: /^Continue (at|on) / })
      .click();
    await session()
      .getByText(/^1 h \d+ min left$/)
      .waitFor();
    await session()
      .getByText(/^Continues (at|on) .*\d\. A message/)
      .waitFor();
    expect((await stage.session(name)).continuesAt).toBeGreaterThan(Date.now());
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page, { within: '#main' })).toEqual([]);
    }
    await session().getByRole('button', { name: 'Don’t continue' }).click();
    await session()
      .getByRole('button', { name: /^Continue (at|on) / })
      .waitFor();
    expect((await stage.session(name)).continuesAt).toBeUndefined();
  });
});

describe('a session at rest', () => {
  const name = 'one that is done and seen';

  it('that lost the app: what was there, muted, and the words that were written', async () => {
    const { app } = stage.stack;
    const { dashboardUrl } = await app.startProxy();
    const dashboard = await window.context.newPage();
    await dashboard.goto(`${dashboardUrl}#/sessions/${stage.id(name)}`);
    const pane = dashboard.getByRole('region', { name: 'Session', exact: true });
    await pane.getByText('The docs').waitFor();
    const field = pane.getByRole('textbox', { name: 'Message' });
    await field.fill('And one more thing.');
    const send = pane.getByRole('button', { name: 'Send', exact: true });
    await soon(async () => expect(await send.isEnabled()).toBe(true));
    const reported = await hear(dashboard);
    await app.stopProxy();
    await pane.getByTestId('process').getByText('Connection lost').waitFor();
    await dashboard.getByTestId('banner').getByText('Jumpseat isn’t answering.').waitFor();
    expect(await reported()).toContain('polite: Jumpseat isn’t answering.');
    expect(await send.isDisabled()).toBe(true);
    expect(await field.inputValue()).toBe('And one more thing.');
    await pane.getByText('The docs').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await dashboard.emulateMedia({ colorScheme });
      expect(await axeFindings(dashboard, { within: '#main' })).toEqual([]);
    }
    await dashboard.close();
    // Where the stage asks it.
    await app.startProxy({ port: Number(new URL(dashboardUrl).port) });
  });

  it('is not chosen yet, and there is no Claude Code: where it may come from', async () => {
    await open(name);
    stage.agent.isThere = false;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await session().getByText('Claude Code isn’t set up for this window.').waitFor();
    await window.go('#/sessions');
    await session().getByRole('heading', { name: 'Run Claude Code in this window' }).waitFor();
    await session().getByRole('radio', { name: 'The claude on this machine' }).waitFor();
    expect(await session().getByRole('radio', { name: 'A copy that Jumpseat fetches' }).isChecked()).toBe(true);
    await session().getByRole('button', { name: 'Fetch and use' }).waitFor();
    for (const size of [
      { width: 600, height: 400 },
      { width: 1200, height: 800 },
    ]) {
      await page.setViewportSize(size);
      if (size.width === 1200) expect(await window.axe({ view: true })).toEqual([]);
      expect([...(await outOfReach(page)), ...(await cutOff(page))]).toEqual([]);
    }
    stage.agent.isThere = true;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await session().getByText('No session is open').waitFor();
  });

  it.each(circumstances)('$name', async ({ begin, end, line, offers = [], send }) => {
    await open(name);
    const field = session().getByRole('textbox', { name: 'Message' });
    await field.fill('And one more thing.');
    let isOver = false;
    // What comes next begins at rest, whatever was found here.
    onTestFinished(async () => {
      if (isOver) return;
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
      await page.setViewportSize({ width: 1200, height: 800 });
      await field.fill('');
      await end?.(stage, page);
    });
    await begin(stage, page);
    await session().getByTestId('sending').getByText(line).waitFor();
    for (const button of offers) await session().getByRole('button', { name: button, exact: true }).waitFor();
    const button = session().getByRole('button', { name: send.name, exact: true });
    await soon(async () => expect(await button.isDisabled()).toBe(send.isGrey));
    expect(await field.inputValue()).toBe('And one more thing.');
    expect(await field.isEditable()).toBe(true);
    await soon(async () => expect(await session().getByTestId('process').innerText()).toBe('Idle'));
    await session().getByText('The docs').waitFor();
    expect(await window.axe({ within: pane })).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await window.axe({ within: pane, rules: ofColors })).toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await unmarked(page)).toEqual([]);
    expect(await edgeless(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    // What was told before may lie over the field for some seconds.
    await soon(async () => expect(await page.locator('.toasts_toast').allInnerTexts()).toEqual([]));
    for (const size of [
      { width: 720, height: 480 },
      { width: 600, height: 400 },
    ]) {
      await page.setViewportSize(size);
      expect([...(await outOfReach(page)), ...(await covered(page)), ...(await cutOff(page))]).toEqual([]);
    }
    await page.setViewportSize({ width: 1200, height: 800 });
    expect((await tabbed(page)).missed).toEqual([]);
    await field.fill('');
    await end?.(stage, page);
    isOver = true;
    if (end !== undefined) await session().getByTestId('sending').waitFor({ state: 'detached' });
  });
});
