import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff, edgeless, strangeColors } from './page-looks.ts';
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

/** What can be reached by scrolling sideways alone, and controls that lie outside of the window. */
function outOfReach(): Promise<string[]> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('html, body, main, .pane, .talk, .dock, .ask, .ask-body')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.className || element.tagName} scrolls sideways`);
    const outside = [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, textarea, h1, h2)')]
      .filter(
        (element) => element.checkVisibility({ checkVisibilityCSS: true }) && element.closest('.sr, .skip') === null,
      )
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > innerWidth + 1 || left < -1;
      })
      .map((element) => `${element.textContent || element.getAttribute('aria-label')} is outside`);
    return [...wide, ...outside];
  });
}

/** What of the open question can't be read or clicked where it is: cut off, or under something else. */
function covered(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-testid=question] :is(h3, footer button), .composer button')]
      .filter((button) => button.checkVisibility({ checkVisibilityCSS: true }))
      .filter((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there === null || !(button.contains(there) || there.contains(button));
      })
      .map((button) => `${button.textContent || button.getAttribute('aria-label')} is covered`),
  );
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
        expect(await outOfReach(), name).toEqual([]);
        expect(await covered(), name).toEqual([]);
        expect(await cutOff(page), name).toEqual([]);
      });
    } finally {
      await page.setViewportSize({ width: 1200, height: 800 });
    }
  });

  it('G4 keeps its signs and the edges of its controls in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    try {
      await forEachState(async (name) => {
        const bare = await page.evaluate(() => {
          const canvas = getComputedStyle(document.body).backgroundColor;
          const visible = (element: Element): boolean => element.checkVisibility({ checkVisibilityCSS: true });
          const invisible = [...document.querySelectorAll('main svg')]
            .filter(visible)
            .filter((svg) => getComputedStyle(svg).color === canvas && getComputedStyle(svg).fill === canvas)
            .map((svg) => `${svg.getAttribute('class')} has the colour of what is behind it`);
          const edgeless = [...document.querySelectorAll('[data-testid=question], .composer, .turn-failure')]
            .filter(visible)
            .filter((box) => Number.parseFloat(getComputedStyle(box).borderTopWidth) === 0)
            .map((box) => `${box.className} has no edge`);
          return [...invisible, ...edgeless];
        });
        expect(bare, name).toEqual([]);
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
