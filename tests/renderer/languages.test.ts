import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settingSections } from '../../app/api/setting-table.ts';
import { languageTags, loadLanguage } from '../../app/language/languages.ts';
import { cutOff, sideways } from '../e2e/page-looks.ts';
import { pagesOf } from './pages-of.ts';
import { monthOfWork } from './usage-models-page.ts';

/** Parts of the window whose sentences are all in the catalogs. */
const translated: readonly { place: string; part: string }[] = [
  { place: 'requests', part: '.shell_places' },
  { place: 'requests', part: '.shell_proxy-card' },
  { place: 'requests', part: 'main' },
  { place: 'models', part: 'main' },
  { place: 'health', part: 'main' },
  { place: 'sessions', part: 'main' },
  { place: 'settings', part: 'main' },
  { place: 'usage', part: 'main' },
];

/** Each view, and each section of the settings. */
const places: readonly string[] = [
  ...['requests', 'sessions', 'sessions/new', 'usage', 'models', 'health', 'sign-in'],
  ...Object.keys(settingSections).map((section) => `settings/${section}`),
];

/** What is no sentence: names, addresses, figures with units that every language has, words of the app’s APIs. */
const isData = (text: string): boolean =>
  names.has(text) ||
  /^127\.0\.0\.1:\d+$/.test(text) ||
  /^\d+(?:\.\d)? (?:MB|kB|s|ms)$/.test(text) ||
  // Keys, as a title has them behind what they do.
  /^\((?:(?:Ctrl|Alt|Shift)\+)+\S\)$/.test(text) ||
  // A model, also beside the name that was asked for, and behind the time in the name of a row.
  /^(?:, \d\d:\d\d:\d\d, )?(?:claude|gpt|gemini|text-embedding)-[\w.-]+(?: ← [\w.-]+| \([\w .-]+\))?,?$/.test(text) ||
  /^(?:chat|messages|responses|embeddings)(?:, (?:messages|responses))?$/.test(text) ||
  // Days have their months from `Intl`; sessions have ids.
  /^(?:[A-Z][a-z]+day, )?\d+ [A-Z][a-z]{2} \d{4}(?: ·|, \d\d:\d\d)?$|^[\da-f]{8}(?:-[\da-f-]{27})?$/.test(text) ||
  fromApp.some((sentence) => text.startsWith(sentence));

const names: ReadonlySet<string> = new Set([
  ...[
    'Jumpseat',
    'GitHub',
    'Copilot',
    'Copilot Pro+',
    'Copilot Pro+,',
    'octo-demo, Copilot Pro+',
    '1. Copilot',
    '2. GitHub',
  ],
  ...['Claude Code', 'Codex', 'opencode', 'Continue', 'Cline', 'aider', 'Crush', 'Goose', 'VS Code', 'Zed'],
  ...[
    'JetBrains',
    'Claude Desktop',
    'Roo Code',
    'codex',
    'claude-code',
    'opus',
    'sonnet',
    'haiku',
    'Explore',
    'fable',
    'opusplan',
  ],
  ...['OpenAI', 'Azure OpenAI', 'Google'],
  ...['Brave', 'Tavily', 'Exa', 'SerpApi', 'SearXNG', 'DuckDuckGo', 'Anthropic'],
  // Values of settings and of APIs.
  ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
]);

/** Sentences that come from the app, in English, begin so. */
const fromApp: readonly string[] = [
  'Newest enabled ',
  'Copilot has no model "',
  'Use a name that "jumpseat models" lists',
  'The same model, spelled Copilot’s way.',
  // Why a request failed, as its row has it.
  'A limit of Copilot’s is reached (status 429).',
  'text-embedding-3-small is for embeddings, not for conversations.',
];

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

  it('has its sentences from the catalogs', async () => {
    const { page } = await open({ rows: monthOfWork(Date.now(), 3) });
    await page.locator('.shell_places').waitFor();
    const go = async (place: string): Promise<void> => {
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, `#/${place}`);
      await page.locator(`.shell_places a[aria-current=page][href^="#/${place}"]`).waitFor();
      await page.locator('main h1').waitFor();
    };
    const sentences = async (part: string): Promise<string[]> =>
      (await outsideBrackets(page, part)).filter((text) => !isData(text));
    await page.goto(`${new URL(page.url()).origin}/ui/?language=en-XA#/requests`);
    await page.locator('.shell_places', { hasText: 'Ŕéǫûéšţš' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA');
    for (const { place, part } of translated) {
      await go(place);
      // What it shows is still on its way, or waits until it is in view.
      await expect.poll(() => page.locator(part).locator('[aria-busy=true]').count(), { message: place }).toBe(0);
      expect({ place, part, sentences: await sentences(part) }).toEqual({ place, part, sentences: [] });
    }
  });
});

describe('the window in another language', () => {
  const open = pagesOf('settings/general');
  const lang = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.lang);

  it('follows the browser, is chosen in Settings and counts at once, in every window and after a reload', async () => {
    const { page, stack } = await open({ context: { locale: 'de-AT' } });
    const german = await loadLanguage('de');
    const word = (english: string): string => String(german.message(english));
    await page.getByRole('heading', { name: word('Settings'), level: 1 }).waitFor();
    expect(await lang(page)).toBe('de');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: word('Settings'), level: 1 }).waitFor();
    await page.getByRole('combobox', { name: word('Language') }).selectOption({ label: '日本語' });
    const japanese = await loadLanguage('ja');
    for (const one of [page, other])
      await one.getByRole('heading', { name: String(japanese.message('Settings')), level: 1 }).waitFor();
    await expect.poll(() => stack.app.preferences().language).toBe('ja');
    await page.reload();
    await page.getByRole('heading', { name: String(japanese.message('Settings')), level: 1 }).waitFor();
    expect(await lang(page)).toBe('ja');
    await page.getByRole('combobox', { name: String(japanese.message('Language')) }).selectOption({ label: 'English' });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'System' });
    await page.getByRole('heading', { name: word('Settings'), level: 1 }).waitFor();
    await other.close();
  });

  it('has the app’s own sentences in it, while another window has them in English, and its report in English', async () => {
    const { page, stack } = await open({
      context: { locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const other = await page.context().newPage();
    const finding = (one: Page) => one.getByTestId('check-server.key').locator('.health_finding');
    const at = (language: string): string => `${new URL(page.url()).origin}/ui/${language}#/health`;
    await page.goto(at(''));
    // The pseudo-locale is the one that a page alone can choose.
    await other.goto(at('?language=en-XA'));
    await expect.poll(() => finding(page).textContent()).toBe('Wird bei jeder Anfrage verlangt');
    await expect.poll(() => finding(other).textContent()).toMatch(/^⟦.*⟧$/);
    await page.bringToFront();
    await page.getByRole('button', { name: 'Bericht kopieren' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^Jumpseat .*[\s\S]*Local key +Asked for on every request/);
    await other.close();
    // The choice counts for what is shown already, too.
    await stack.app.changePreferences({ language: 'ja' });
    await expect.poll(() => finding(page).textContent()).toBe('すべてのリクエストで要求されます');
  });

  it.each(languageTags.filter((tag) => tag !== 'en'))(
    '%s: nothing is cut off or lies outside, in any view and width',
    async (tag) => {
      const { page, stack } = await open({ rows: monthOfWork(Date.now(), 3) });
      await stack.app.changePreferences({ language: tag as 'de' });
      await expect.poll(() => lang(page)).toBe(tag);
      const found: Record<string, string[]> = {};
      for (const place of places) {
        await page.evaluate((hash) => {
          window.location.hash = hash;
        }, `#/${place}`);
        await page.locator('main h1').first().waitFor();
        // The first is what 1200 × 800 have left at 200 %.
        for (const [width, height] of [
          [600, 400],
          [720, 480],
          [1200, 800],
        ] as const) {
          await page.setViewportSize({ width, height });
          await expect.poll(() => page.locator('main [aria-busy=true]').count(), { message: place }).toBe(0);
          const faults = [...(await cutOff(page)), ...(await sideways(page))];
          if (faults.length > 0) found[`${place} ${width}`] = faults;
        }
      }
      expect(found).toEqual({});
    },
  );
});
