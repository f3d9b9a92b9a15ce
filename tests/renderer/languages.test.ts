import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pagesOf } from './pages-of.ts';
import { monthOfWork } from './usage-models-page.ts';

/** Parts of the window whose sentences are all in the catalogs. */
const translated: readonly { place: string; part: string }[] = [
  { place: 'requests', part: '.places' },
  { place: 'requests', part: '.proxy-card' },
  { place: 'sessions', part: 'main' },
  { place: 'settings', part: 'main' },
  { place: 'usage', part: 'main' },
];

/** Views that still have sentences outside of the catalogs. One that has none any more belongs in the list above. */
const notYet: readonly string[] = ['requests', 'models', 'health'];

/** What is no sentence: names, addresses, figures with units that every language has, words of the app’s APIs. */
const isData = (text: string): boolean =>
  names.has(text) ||
  /^127\.0\.0\.1:\d+$/.test(text) ||
  /^\d+(?:\.\d)? (?:MB|kB|s|ms)$/.test(text) ||
  // Keys, as a title has them behind what they do.
  /^\((?:(?:Ctrl|Alt|Shift)\+)+\S\)$/.test(text) ||
  /^(?:claude|gpt|gemini)-[\w.-]+$/.test(text) ||
  // Days have their months from `Intl`; sessions have ids.
  /^\d+ [A-Z][a-z]{2} \d{4} ·$|^[\da-f]{8}(?:-[\da-f-]{27})?$/.test(text) ||
  fromApp.some((sentence) => text.startsWith(sentence));

const names: ReadonlySet<string> = new Set([
  ...['Jumpseat', 'GitHub', 'Copilot', 'Copilot Pro+', 'Copilot Pro+,', '1. Copilot', '2. GitHub'],
  ...['Claude Code', 'Codex', 'opencode', 'Continue', 'Cline', 'aider', 'Crush', 'Goose', 'VS Code', 'Zed'],
  ...['JetBrains', 'Claude Desktop', 'Roo Code', 'codex', 'claude-code', 'opus', 'sonnet', 'haiku'],
  ...['Brave', 'Tavily', 'Exa', 'SerpApi', 'SearXNG', 'DuckDuckGo', 'Anthropic'],
  // Values of settings and of APIs.
  ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
]);

/** Sentences that come from the app, in English, begin so. */
const fromApp: readonly string[] = ['There is no Claude Code on the PATH.'];

/** Texts and spoken labels inside an element that stand in no brackets of the pseudo-locale. */
function outsideBrackets(page: Page, part: string): Promise<string[]> {
  return page.locator(part).evaluate((root) => {
    const found = new Set<string>();
    let depth = 0;
    const read = (text: string): void => {
      for (const piece of text.split(/(?<=[⟦⟧])|(?=[⟦⟧])/)) {
        if (piece === '⟦') depth += 1;
        else if (piece === '⟧') depth -= 1;
        else if (depth === 0 && /[A-Za-z]{2}/.test(piece)) found.add(piece.trim());
      }
    };
    const visit = (node: Node): void => {
      if (node.nodeType === Node.TEXT_NODE) read(node.nodeValue ?? '');
      if (!(node instanceof Element) || node.matches('script, style, kbd')) return;
      const depthAround = depth;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
        depth = 0;
        read(node.getAttribute(name) ?? '');
      }
      depth = depthAround;
      for (const child of node.childNodes) visit(child);
    };
    visit(root);
    if (depth !== 0) found.add(`brackets that end elsewhere: ${depth}`);
    return [...found];
  });
}

describe('the window in the pseudo-locale', () => {
  const open = pagesOf('requests');

  it('has its sentences from the catalogs, but for the views that are listed', async () => {
    const { page } = await open({ rows: monthOfWork(Date.now(), 3) });
    await page.locator('.places').waitFor();
    const go = async (place: string): Promise<void> => {
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, `#/${place}`);
      await page.locator(`.places a[aria-current=page][href^="#/${place}"]`).waitFor();
      await page.locator('main h1').waitFor();
    };
    const sentences = async (part: string): Promise<string[]> =>
      (await outsideBrackets(page, part)).filter((text) => !isData(text));
    await page.goto(`${new URL(page.url()).origin}/ui/?language=en-XA#/requests`);
    await page.locator('.places', { hasText: 'Ŕéǫûéšţš' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA');
    for (const { place, part } of translated) {
      await go(place);
      // What it shows is still on its way, or waits until it is in view.
      await expect.poll(() => page.locator(part).locator('[aria-busy=true]').count(), { message: place }).toBe(0);
      expect({ place, part, sentences: await sentences(part) }).toEqual({ place, part, sentences: [] });
    }
    for (const place of notYet) {
      await go(place);
      // What it shows may still be on its way.
      await expect.poll(async () => (await sentences('main')).length, { message: place }).toBeGreaterThan(0);
    }
  });
});
