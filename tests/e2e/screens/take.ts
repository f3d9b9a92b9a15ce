import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { languageFor } from '../../../app/language/languages.ts';
import type { ChromiumWindow } from '../chromium-window.ts';
import { now, standStill, zone } from './fixed-time.ts';

/**
 * Takes the pictures of this folder: `npm run screens [-- --only WORD] [-- --to FOLDER]`. Every one shows the built
 * page with the real app and the simulator behind it, at one point in time and with invented people. With `--states
 * FOLDER` it takes instead those of every state of a session, in both themes and for everyone, which are not kept.
 * With `--language de` (also several times) each picture is taken in that language, as `NAME.de.png`.
 */
standStill();
// Paths below the person’s home are shown from `~` on.
const person = mkdtempSync(join(tmpdir(), 'jumpseat-screens-'));
process.env.HOME = person;
const { Chromium } = await import('../chromium-window.ts');
const { scenes, usual } = await import('./scenes.ts');
const { stateScene } = await import('./session-scenes.ts');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    to: { type: 'string', default: import.meta.dirname },
    states: { type: 'string' },
    language: { type: 'string', multiple: true, default: [] },
  },
});
const to = values.states ?? values.to;
mkdirSync(to, { recursive: true });
/** The simulator’s ports and codes, and the person’s folder, are others each time: what a person sees stands there. */
function withRealNames({ home, copilot }: { home: string; copilot: string }): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const said = text.nodeValue ?? '';
    const named = said
      .replaceAll(home, '~')
      .replace(/^(In a terminal, pid )\d+$/, (_, said) => `${said}51877`)
      .replace(/^(Show request )[0-9a-f]{8}$/, (_, said) => `${said}9c41d7e2`)
      .replace(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/, '8F43-6FCF')
      .replace(/127\.0\.0\.1:\d+(?=\/login)/, 'github.com')
      .replaceAll(copilot, 'api.individual.githubcopilot.com')
      .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:4180');
    if (named !== said) text.nodeValue = named;
  }
  for (const field of document.querySelectorAll('input'))
    if (/^127\.0\.0\.1:\d+$/.test(field.value)) field.value = 'github.com';
}

// Its types have the names of an ES module; what runs is CommonJS.
const upng: typeof import('@pdf-lib/upng') = createRequire(import.meta.url)('@pdf-lib/upng').default;

/** 256 colours: those that fall away are steps between two in the edges of letters. Less than half as large. */
function inPalette(picture: Buffer): Buffer {
  const image = upng.decode(new Uint8Array(picture).buffer);
  return Buffer.from(upng.encode(upng.toRGBA8(image), image.width, image.height, 256));
}

async function take({ page, stack }: ChromiumWindow, name: string): Promise<void> {
  await page.evaluate(withRealNames, { home: person, copilot: new URL(stack.simulator.copilotUrl).host });
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(to, `${name}.png`), inPalette(picture));
  process.stdout.write(`${name}\n`);
}

/** Until the app's own sentences have come in the language, too. */
async function standsStill({ page }: ChromiumWindow): Promise<void> {
  const shown = (): Promise<string> => page.locator('body').innerText();
  for (let before = '', now = await shown(), looks = 0; before !== now && looks < 20; looks += 1) {
    await setTimeout(500);
    [before, now] = [now, await shown()];
  }
}

/** What is shown stays, and changes its language, as a person's choice in Settings does it. */
async function takeIn(languages: readonly string[], window: ChromiumWindow, name: string): Promise<void> {
  if (languages.length === 0) return take(window, name);
  for (const language of languages.map((asked) => languageFor([asked]))) {
    await window.stack.app.changePreferences({ language });
    await window.page.locator(`html[lang="${language}"]`).waitFor();
    await standsStill(window);
    await take(window, `${name}.${language}`);
  }
}

const chromium = await Chromium.launch();
const complaints: string[] = [];
try {
  const wanted = values.states === undefined ? scenes : [stateScene(usual, take)];
  for (const { name, show, end, ...options } of wanted) {
    if (values.only.length > 0 && !values.only.some((word) => name.includes(word))) continue;
    const window = await chromium.window({
      ...options,
      person,
      context: { timezoneId: zone, ...options.context },
      beforePage: (page) => page.clock.setFixedTime(now),
    });
    try {
      await show(window);
      if (values.states === undefined) await takeIn(values.language, window, name);
    } finally {
      end?.();
    }
    complaints.push(...(await chromium.closeWindows()).map((text) => `${name}: ${text}`));
  }
} finally {
  await chromium.close();
  rmSync(person, { recursive: true, force: true });
}
for (const text of complaints) process.stderr.write(`${text}\n`);
process.exit(complaints.length === 0 ? 0 : 1);
