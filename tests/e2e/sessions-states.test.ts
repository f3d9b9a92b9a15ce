import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff, edgeless, strangeColors } from './page-looks.ts';
import { circumstances } from './sessions-stage/circumstances.ts';
import { covered, crowded, cutWords, outOfReach, unmarked, withSpacedText } from './sessions-stage/looks.ts';
import { plays } from './sessions-stage/plays.ts';
import { Stage } from './sessions-stage/stage.ts';
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
const pane = '.pane.session';
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

describe('a session at rest', () => {
  const name = 'one that is done and seen';

  it.each(circumstances)('$name', async ({ begin, end, line, offers = [], send }) => {
    await open(name);
    const field = session().getByRole('textbox', { name: 'Message' });
    await field.fill('And one more thing.');
    await begin(stage, page);
    await session().getByTestId('sending').getByText(line).waitFor();
    for (const button of offers) await session().getByRole('button', { name: button, exact: true }).waitFor();
    const button = session().getByRole('button', { name: send.name, exact: true });
    await soon(async () => expect(await button.isDisabled()).toBe(send.isGrey));
    expect(await field.inputValue()).toBe('And one more thing.');
    expect(await field.isEditable()).toBe(true);
    expect(await session().getByTestId('process').innerText()).toBe('Idle');
    await session().getByText('The docs').waitFor();
    expect(await window.axe({ within: pane })).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await window.axe({ within: pane, rules: ofColors })).toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await unmarked(page)).toEqual([]);
    expect(await edgeless(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
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
    if (end !== undefined) await session().getByTestId('sending').waitFor({ state: 'detached' });
  });
});
