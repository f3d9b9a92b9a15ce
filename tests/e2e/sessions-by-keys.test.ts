import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium } from './chromium-window.ts';
import { file, idle, type Play } from './sessions-stage/play.ts';
import { Stage } from './sessions-stage/stage.ts';
import { asksToRun, edit } from './sessions-stage/steps.ts';

/** More stops of Tab than lie between any two controls. */
const mostStops = 60;
const before = 'const pauseMs = 250;\n';

const earlier = (name: string, project: string): Play => ({
  ...{ name, project, prompt: `Look at ${project}.`, after: idle(name), row: null, shows: [], process: /./ },
  play: async (turn) => {
    await turn.say('Done.');
    return 'end_turn';
  },
});

let chromium: Chromium;
let person: string;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
// One more try begins with a window of its own.
beforeEach(async () => {
  person = mkdtempSync(join(tmpdir(), 'jumpseat-by-keys-'));
  stage = new Stage(person, [earlier('one', 'web'), earlier('two', 'parcel-api')]);
  stage.more.set('Wait longer.', async (turn) => {
    await stage.request(turn);
    await asksToRun(turn, 'npm test', 'Runs the tests');
    const path = stage.write(file(stage, 'deliver.ts', 'web'), before.replace('250', '500'));
    await edit(turn, path, before, ['250', '500']);
    // A fork begins at an answer that the agent has on its own disk.
    await turn.raw({
      type: 'assistant',
      uuid: crypto.randomUUID(),
      message: { id: 'msg_1' },
      parent_tool_use_id: null,
    });
    await turn.say('It waits longer now.', 'msg_1');
    return 'end_turn';
  });
  ({ page } = await chromium.window({
    ...{ ...stage.options(), as: 'dashboard', person, at: '#/sessions', secrets: desktopSecrets() },
    settings: { version: 1, welcomedAt: 1, sessions: { model: 'claude-opus-4.8' } },
  }));
});
afterEach(async () => {
  stage?.end();
  expect(await chromium.closeWindows()).toEqual([]);
  rmSync(person, { recursive: true, force: true, maxRetries: 3 });
});
afterAll(() => chromium?.close());

/** The control with the focus, by its name; throws where it can’t be seen which one it is. */
function focused(): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) throw new Error('Nothing has the focus.');
    const name = element.getAttribute('aria-label') ?? element.dataset.testid ?? element.textContent ?? '';
    // The ring may be drawn by the box around a field.
    const rings: HTMLElement[] = [];
    for (let one: HTMLElement | null = element; one !== null && rings.length < 4; one = one.parentElement)
      rings.push(one);
    const isRinged = rings.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInside = right > left && bottom > top && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    if (!isRinged || !isInside) throw new Error(`The focus is not seen on ${name}.`);
    return name;
  });
}

const focusComesTo = (name: RegExp): Promise<unknown> => soon(async () => expect(await focused()).toMatch(name));

/** Goes on with one key until the focus is on this control. */
async function goTo(name: RegExp, key: string): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    passed.push(await soon(focused));
    if (name.test(passed.at(-1) ?? '')) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${name} is not reached: ${passed.join(' · ')}`);
}

it('leads with the keyboard alone from a new session to its fork, and the focus is always seen', async () => {
  const { keyboard } = page;
  await page.getByTestId('session-list').waitFor();
  await keyboard.press('Alt+n');
  await focusComesTo(/^Message/);
  await goTo(/^Folder: .*parcel-api$/, 'Shift+Tab');
  await keyboard.press('Enter');
  await goTo(/web$/, 'ArrowDown');
  await keyboard.press('Enter');
  await focusComesTo(/^Folder: .*web$/);
  // The field of the other folder takes a moment; Tab would go past its place.
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await goTo(/^Message/, 'Tab');
  await keyboard.type('Wait longer.');
  await keyboard.press('Enter');

  await page.getByTestId('question').waitFor();
  await focusComesTo(/^Message/);
  await keyboard.press('Control+.');
  await focusComesTo(/^question$/);
  // A question that has just come takes no answer.
  await page.getByTestId('question').locator('button:not([aria-disabled="true"]) kbd').first().waitFor();
  await keyboard.press('1');
  await page.getByTestId('question').waitFor({ state: 'detached' });
  await focusComesTo(/^Message/);
  const foot = page.getByTestId(/^turn-figures-/);
  await foot.getByText('Show them.').waitFor();

  await keyboard.press('Control+d');
  await focusComesTo(/deliver\.ts/);
  const path = file(stage, 'deliver.ts', 'web');
  expect(readFileSync(path, 'utf8')).not.toBe(before);
  // The key’s place goes with what it undoes.
  await keyboard.press('Enter');
  await page
    .getByRole('region', { name: /^Difference of/ })
    .getByRole('button', { name: /^Undo @@/ })
    .waitFor();
  await keyboard.press('n');
  await focusComesTo(/^Undo @@/);
  await keyboard.press('z');
  await until(() => readFileSync(path, 'utf8') === before);
  await focusComesTo(/deliver\.ts/);
  await keyboard.press('Control+d');
  await page.getByTestId('changes').waitFor({ state: 'detached' });
  await focusComesTo(/^Message/);

  const address = page.url();
  await keyboard.type('/fork');
  await keyboard.press('Enter');
  await until(() => page.url() !== address);
  await page.getByText(/^Forked from “/).waitFor();
  await focusComesTo(/^Message/);
});
