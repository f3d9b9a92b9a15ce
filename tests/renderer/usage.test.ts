import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { creditsOf } from '../../app/words/numbers.ts';
import { temporaryFolder } from '../app/history/surroundings.ts';
import { exchange } from '../exchange.ts';
import { busyDays } from './example-exchanges.ts';
import { isSound, pagesOf } from './pages-of.ts';
import { monthOfWork } from './usage-models-page.ts';

/** The usage view in a real browser, against the real app and its real history. */

// A browser with a checker of accessibility in it takes its time.
const usage = pagesOf('usage');

const figure = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Figures' }).locator('div').filter({ hasText: name }).first();

/** Noon of today: what lies a few minutes before it is of today, too. */
const noon = new Date();
noon.setHours(12, 0, 0, 0);

describe('billed in credits', () => {
  it(
    'C20.1 shows GitHub’s figure in absolute numbers with its reset, and our counts, in both themes, without ' +
      'a fault of accessibility or policy',
    async () => {
      const rows = monthOfWork(Date.now(), 5);
      const shown = await usage({ rows, stack: { simulator: { user: { remaining: 2002 } } } });
      const { page } = shown;
      await figure(page, 'Credits used this cycle').getByText('4,998').waitFor();
      expect(await figure(page, 'Credits used').getByRole('meter').getAttribute('aria-valuetext')).toBe(
        '4,998 of 7,000 credits used',
      );
      const { quota } = shown.stack.app.state();
      const resets = new Date(quota?.resetsAt ?? Number.NaN);
      const month = resets.toLocaleString('en', { month: 'short' });
      await page
        .getByText(`Reported by GitHub · resets ${resets.getDate()} ${month} ${resets.getFullYear()}`)
        .waitFor();
      expect(await page.getByTestId('quota').innerText()).toMatch(
        new RegExp(`2,002\\s+credits left\\s+of 7,000 · resets ${resets.getDate()} ${month}$`),
      );
      const credits = (initiator?: string): string => {
        const own = rows.filter((row) => row.startedAt > startOfMonth() && (row.initiator ?? 'neither') === initiator);
        return creditsOf(own.reduce((all, { charge }) => all + (charge.nanoAiu ?? 0), 0));
      };
      expect(await page.getByTestId('chart-split').getAttribute('aria-label')).toBe(
        `Credits by day: ${credits('user')} user, ${credits('agent')} agent, ${credits('neither')} neither. The same numbers are in the table.`,
      );
      await page.getByRole('group', { name: 'Measure' }).getByText('Requests').click();
      const split = await page.getByTestId('chart-split').getAttribute('aria-label');
      const [billed, free, unknown] = (['billed', 'free', 'unknown'] as const).map(
        (kind) => rows.filter((row) => row.charge.kind === kind && row.startedAt > startOfMonth()).length,
      );
      expect(split).toBe(
        `Requests by day: ${billed} billed, ${free} free, ${unknown} unknown. The same numbers are in the table.`,
      );
      await isSound(shown);
      await page.emulateMedia({ colorScheme: 'dark' });
      await isSound(shown);
      await page.emulateMedia({ forcedColors: 'active' });
      await isSound(shown);
    },
  );

  it('says a bar by the arrow keys and opens its requests; the table holds the same numbers', async () => {
    const rows = busyDays(40, noon.getTime());
    const { page } = await usage({ rows });
    await page.getByRole('button', { name: 'Today' }).click();
    const chart = page.getByTestId('chart-split');
    await chart.focus();
    for (let hour = 0; hour < 13; hour += 1) await page.keyboard.press('ArrowRight');
    const inHour = rows.filter(({ startedAt }) => new Date(startedAt).getHours() === 12);
    const billed = inHour.filter(({ charge }) => charge.kind === 'billed').length;
    await page
      .locator('[aria-live=polite]')
      .getByText(`12:00: ${inHour.length === 0 ? 'no requests' : `${billed} billed`}`)
      .waitFor();

    await page.getByRole('group', { name: 'Measure' }).getByText('Requests').click();
    await page.getByRole('button', { name: 'Table' }).click();
    const total = rows.filter(({ startedAt }) => startedAt >= new Date(noon).setHours(0, 0, 0, 0)).length;
    const cells = await page.locator('.plain-table tbody tr td:nth-of-type(5)').allTextContents();
    expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(total);
    await page.reload();
    await page.locator('.plain-table').waitFor();

    await page.getByRole('group', { name: 'Measure' }).getByText('Tokens').click();
    const kinds = await page.locator('.plain-table thead th').allTextContents();
    const named = await page
      .getByRole('region', { name: 'Tokens', exact: true })
      .getByRole('rowheader')
      .allTextContents();
    expect(kinds.slice(1, -1).sort()).toEqual(named.sort());

    await page.getByRole('button', { name: 'Chart' }).click();
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/requests\?q=after%3A[\d-]+%20before%3A[\d-]+T01%3A00$/);
  });

  it('by purpose, each with the requests that it counts', async () => {
    const codes = ['prompt', 'tool-results', 'subagent', 'compaction', 'auxiliary', 'side-question', 'repeat'] as const;
    const of = { startedAt: noon.getTime() };
    const { page } = await usage({
      rows: [
        ...codes.map((code) => exchange({ ...of, id: code, reason: { code, rule: code, sentence: code } })),
        exchange({ ...of, id: 'search', api: 'web', initiator: null, reason: null }),
      ],
    });
    const expected: Record<string, string[]> = {
      'Main conversation': ['prompt', 'tool-results'],
      'Titles and auxiliary': ['auxiliary', 'side-question'],
      ...{ Subagents: ['subagent'], Compactions: ['compaction'] },
      ...{ 'Prompts sent again': ['repeat'], 'Web searches': ['search'] },
    };
    for (const [name, ids] of Object.entries(expected)) {
      await page.goto(page.url().replace(/#.*/, '#/usage'));
      await page.getByRole('button', { name: 'Today' }).click();
      const row = page.getByRole('region', { name: 'Credits by purpose' }).getByRole('row', { name });
      expect(await row.innerText()).toContain(`${ids.length} request`);
      await row.getByRole('link').click();
      const shown = () =>
        page
          .getByTestId(/^request-row-/)
          .evaluateAll((rows) =>
            rows.map((one) => one.getAttribute('data-testid')?.replace('request-row-', '')).sort(),
          );
      await expect.poll(shown).toEqual(ids);
    }
  });

  it('by model and client, tokens, and what the cache saved as our own estimate', async () => {
    const { page } = await usage({
      rows: [
        exchange({ id: 'a', startedAt: noon.getTime() }),
        exchange({ id: 'b', startedAt: noon.getTime(), servedModel: 'gpt-4o-mini', charge: freeCharge }),
      ],
    });
    await page.getByRole('button', { name: 'Today' }).click();
    const models = page.getByRole('region', { name: 'Credits by model' });
    await models.getByRole('row', { name: /claude-opus-4\.8 .*7\.53/ }).waitFor();
    await models.getByRole('row', { name: /gpt-4o-mini .*Free/ }).waitFor();
    const tokens = page.getByRole('region', { name: 'Tokens' });
    await tokens.getByRole('row', { name: /Read from cache .*116,428/ }).waitFor();
    await tokens
      .getByText(/The cache saved .* Estimated by Jumpseat from the prices of Copilot’s last charges/)
      .waitFor();
    // Not on its name: the whole row leads there.
    await models
      .getByRole('row', { name: /claude-opus-4\.8 / })
      .getByText(/ requests?$/)
      .click({ force: true });
    await page.waitForURL(/q=model%3Aclaude-opus-4.8%20after%3A/);
  });

  it('by account where there are several, in the export, too', async () => {
    const { page } = await usage({
      rows: [
        exchange({ id: 'a', startedAt: noon.getTime(), account: 'Work' }),
        exchange({ id: 'b', startedAt: noon.getTime(), servedModel: 'gpt-4o-mini' }),
      ],
      before: async ({ app }) => void (await app.addAccount('Work')),
    });
    await page.getByRole('button', { name: 'Today' }).click();
    const accounts = page.getByRole('region', { name: 'Credits by account' });
    await accounts.getByRole('row', { name: /Work .*1 request/ }).waitFor();
    await accounts.getByRole('row', { name: /Before there were several accounts .*1 request/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^account,Work,1,/m);
    await accounts.getByRole('link', { name: 'Work' }).click();
    await page.waitForURL(/q=account%3AWork%20after%3A/);
  });

  it('shows sessions as a tree that the keyboard opens, down to the subagents', async () => {
    const shown = await usage({ rows: busyDays(90, noon.getTime()) });
    const { page } = shown;
    await page.getByRole('button', { name: '7 days' }).click();
    const tree = page.getByRole('treegrid', { name: 'Sessions' });
    await tree.getByRole('row', { name: /7f3a91c2/ }).focus();
    await page.keyboard.press('ArrowRight');
    await tree
      .getByRole('row', { name: /^Prompt at/ })
      .first()
      .waitFor();
    await tree.getByRole('row', { name: /earlier prompt/ }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const earlier = tree.getByRole('row', { name: /earlier prompt/ });
    await earlier.click();
    await earlier.waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const prompts = tree.locator('[aria-level="2"]');
    for (let index = 0; index < (await prompts.count()); index += 1) {
      await prompts.nth(index).focus();
      await page.keyboard.press('ArrowRight');
    }
    await tree
      .getByRole('row', { name: /^Subagent Explore/ })
      .first()
      .waitFor();
    await isSound(shown);
    await tree
      .getByRole('row', { name: /^Subagent Explore/ })
      .first()
      .focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator(':focus').getAttribute('aria-level')).toBe('2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/requests\?q=prompt%3A/);
  });

  it('counts what a person wrote, and names the report of a background agent as one', async () => {
    const of = (id: string, prompt: string, reason: Exchange['reason']) =>
      exchange({ id, prompt, session: 'b20c44de-11e2', initiator: 'agent', startedAt: noon.getTime(), reason });
    const { page } = await usage({
      rows: [
        of('a', 'aaaa', { code: 'prompt', rule: 'main-new-prompt', sentence: '' }),
        of('b', 'bbbb', { code: 'notification', rule: 'main-notification', sentence: '' }),
        of('c', 'bbbb', { code: 'tool-results', rule: 'main-seen-prompt', sentence: '' }),
      ],
    });
    await page.getByRole('button', { name: 'Today' }).click();
    const tree = page.getByRole('treegrid', { name: 'Sessions' });
    const session = tree.getByRole('row', { name: /b20c44de.* 1 prompt/ });
    await session.focus();
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('row', { name: /^Prompt at .*aaaa/ }).waitFor();
    await tree.getByRole('row', { name: /^Background task’s report at .*bbbb/ }).waitFor();
  });

  it('names sessions by title and folder, sums folders, and says what missed the cache', async () => {
    const claude = temporaryFolder();
    const session = '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3';
    mkdirSync(join(claude, 'projects', '-srv-shop'), { recursive: true });
    const line = { type: 'user', uuid: 'a', parentUuid: null, sessionId: session, cwd: '/srv/shop' };
    const said = { timestamp: new Date().toISOString(), message: { role: 'user', content: 'Mend the till' } };
    writeFileSync(
      join(claude, 'projects', '-srv-shop', `${session}.jsonl`),
      `${JSON.stringify({ ...line, ...said })}\n`,
    );
    const tokens = (cacheRead: number, cacheWrite: number) => ({ input: 10, output: 5, cacheRead, cacheWrite });
    const of = (id: string, minute: number, read: number, write: number, more: Partial<Exchange> = {}) =>
      exchange({
        ...{ id, session, prompt: 'aaaa', initiator: 'agent', tokens: tokens(read, write) },
        startedAt: noon.getTime() - 30 * 60_000 + minute * 60_000,
        reason: { code: 'tool-results', rule: 'main-seen-prompt', sentence: '' },
        ...more,
      });
    const shown = await usage({
      stack: { app: { environment: { CLAUDE_CONFIG_DIR: claude } } },
      rows: [
        of('a', 0, 0, 20_000, { reason: { code: 'prompt', rule: 'main-new-prompt', sentence: '' } }),
        of('b', 1, 20_000, 100),
        of('c', 9, 0, 20_200),
        of('d', 10, 0, 0, { session: null, client: 'script', charge: { ...exchange().charge, nanoAiu: 531_320e9 } }),
        ...Array.from({ length: 12 }, (_, index) =>
          of(`e${index}`, 11, 0, 0, {
            ...{ session: null, client: 'script' },
            charge: { kind: 'unknown', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
          }),
        ),
      ],
    });
    const { page } = shown;
    await page.getByRole('button', { name: 'Today' }).click();
    const folders = page.getByRole('region', { name: 'Credits by folder' });
    await folders.getByRole('row', { name: /^shop 3 requests/ }).waitFor();
    const none = folders.getByRole('row', { name: /^No folder, or not known 13 requests .* 531,320$/ });
    await none.waitFor();
    // Its sum has room beside the unknown ones.
    expect((await none.boundingBox())?.height).toBeLessThan(30);
    const missed = '1 request missed the cache';
    await page.getByRole('region', { name: 'Tokens' }).getByText(missed).waitFor();
    const tree = page.getByRole('treegrid', { name: 'Sessions' });
    const row = tree.getByRole('row', { name: /^Mend the till shop · .* · 1 prompt/ });
    await row.focus();
    await page.keyboard.press('ArrowRight');
    await tree.getByText(`${missed}`).getByText('1 more than five minutes after the one before.').waitFor();
    await isSound(shown);
    await folders.getByRole('link', { name: 'shop' }).click();
    await page.getByRole('combobox', { name: 'Filter requests' }).waitFor();
    await page
      .getByText(/^3 of \d+ requests$/)
      .first()
      .waitFor();
    expect(await page.getByRole('combobox').inputValue()).toMatch(/^folder:=\/srv\/shop after:[\d-]+$/);
    await page
      .getByRole('row', { name: /claude-opus/ })
      .first()
      .click();
    const folder = page.getByTestId('detail').locator('.key-values > div').filter({ hasText: 'Folder' });
    expect(await folder.innerText()).toMatch(/^Folder\s+\/srv\/shop$/);
    await page.goBack();
    await page.goBack();
    await folders.getByRole('link', { name: 'No folder, or not known' }).click();
    await page
      .getByText(/^13 of \d+ requests$/)
      .first()
      .waitFor();
    expect(await page.getByRole('combobox').inputValue()).toMatch(/^folder:none after:/);
  });

  it('follows what happens: a request that ends is counted without a reload', async () => {
    const { page, stack } = await usage();
    await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor();
    await stack.messages({ model: 'claude-haiku-4-5', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
    await figure(page, 'Billed').getByText('100.0% of 1 request').waitFor();
  });

  it('has shares and counts that add up to all requests, with what was refused, and says what is unknown in words', async () => {
    const at = (id: string, change: Partial<Exchange> = {}) => exchange({ id, startedAt: noon.getTime(), ...change });
    const charge = (kind: 'unknown' | 'none') => ({
      ...{ kind, nanoAiu: null, premiumRequests: null, partial: false, details: [] },
    });
    const shown = await usage({
      rows: [
        at('a'),
        at('b', { initiator: 'agent' }),
        at('c', { charge: charge('unknown'), outcome: 'cut' }),
        at('d', { charge: charge('none'), outcome: 'failed', status: 429 }),
      ],
    });
    const { page } = shown;
    await figure(page, 'Billed').getByText('50.0% of 4 requests').waitFor();
    await page.getByRole('group', { name: 'Measure' }).getByText('Requests').click();
    await page.getByRole('button', { name: 'Table' }).click();
    const head = await page.locator('.plain-table thead th').allTextContents();
    const row = await page.locator('.plain-table tbody tr td').allTextContents();
    expect(head.slice(1).map((name, column) => `${name} ${row[column]}`)).toEqual([
      ...['Billed 2', 'Free 0', 'Unknown 1', 'No charge 1', 'All 4', 'User 2', 'Agent 1', 'Credits 15.06'],
    ]);
    await page.getByText('2 user, 1 agent · 1 without a charge: refused, failed, not sent or not billed').waitFor();
    const sum = page.getByRole('region', { name: 'Credits by model' }).getByRole('row', { name: /opus/ });
    expect(await sum.innerText()).toMatch(/1 unknown.*15\.06/s);
    expect(await page.getByText('+ ?').count()).toBe(0);
    // The bar below “credits left” shows what is left.
    const left = page.getByTestId('quota').getByRole('meter', { name: 'Quota left' });
    const { quota } = shown.stack.app.state();
    const percent = ((quota?.remaining ?? 0) / (quota?.entitlement ?? 1)) * 100;
    expect(await left.getAttribute('aria-valuetext')).toMatch(/ credits left$/);
    const [bar, track] = [await left.locator('span').boundingBox(), await left.boundingBox()];
    expect(((bar?.width ?? 0) / (track?.width ?? 1)) * 100).toBeCloseTo(percent, 0);
    await isSound(shown);
  });

  it('says how many requests are neither a user’s nor an agent’s, and what those are', async () => {
    const at = (id: string, change: Partial<Exchange> = {}) => exchange({ id, startedAt: noon.getTime(), ...change });
    const charge: Exchange['charge'] = {
      ...{ kind: 'none', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
    };
    const neither = { initiator: null, reason: null };
    const { page } = await usage({
      rows: [at('a'), at('b', { initiator: 'agent' }), at('c', neither), at('d', { ...neither, charge, status: 400 })],
    });
    await page.getByText('1 user, 1 agent · 1 neither: web searches · 1 without a charge: ').waitFor();
  });

  it('C14.3 shows Copilot’s limits as bars, as it tells them, and says when it has not', async () => {
    const { page, stack } = await usage();
    await page.getByText('Not reported yet. Copilot reports this above about 50%.').first().waitFor();
    stack.simulator.script.setWindows({ session: 38, weekly: 4 });
    await stack.messages({ model: 'claude-haiku-4-5', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
    await page.getByText('62% used').waitFor();
    expect(await page.getByRole('meter', { name: '5-hour limit' }).getAttribute('aria-valuenow')).toBe('62');
    expect(
      await page.getByText(/^Resets (\w{3} \d+ \w{3}, )?\d\d:\d\d, in \d+ (h( \d+ min)?|d( \d+ h)?|min)$/).count(),
    ).toBe(2);
    expect(await page.getByRole('meter', { name: 'Weekly limit' }).getAttribute('aria-valuetext')).toBe('96% used');
  });
});

describe('the other worlds', () => {
  it('premium requests are named so, and ours are called estimated', async () => {
    const rows = [
      exchange({ id: 'a', startedAt: noon.getTime(), charge: premiumCharge(27) }),
      exchange({ id: 'b', startedAt: noon.getTime() + 1, initiator: 'agent', charge: premiumCharge(0) }),
    ];
    const shown = await usage({
      rows,
      stack: { simulator: { user: { tokenBased: false, entitlement: 1500, remaining: 477 } } },
    });
    const { page } = shown;
    await figure(page, 'Premium requests used this cycle').getByText('1,023').waitFor();
    await page.getByText('Agent requests and 0× models').waitFor();
    await page.getByText('27 premium requests, estimated').waitFor();
    await page.getByRole('region', { name: 'Premium requests by model' }).getByRole('row', { name: /27$/ }).waitFor();
    await page.getByText(/are estimated by Jumpseat/).waitFor();
    await isSound(shown);
  });

  it('that changed within the period is marked in the chart, with a figure of each', async () => {
    const days = (back: number): number => noon.getTime() - back * 86_400_000;
    const shown = await usage({
      rows: [
        exchange({ id: 'a', startedAt: days(3), charge: premiumCharge(27) }),
        exchange({ id: 'b', startedAt: days(1) }),
      ],
    });
    await shown.page.getByRole('button', { name: '7 days' }).click();
    await shown.page.getByText(/^Billing changed on /).waitFor();
    await shown.page.getByText(/^27 premium requests before .*, estimated$/).waitFor();
    await shown.page.getByText('7.53 credits', { exact: true }).waitFor();
    await isSound(shown);
  });

  it('signed out keeps the history and says how to see the quota', async () => {
    const shown = await usage({
      rows: [exchange({ startedAt: noon.getTime() })],
      stack: { secrets: memorySecrets({}) },
    });
    await shown.page.getByText('Sign in to see your quota.').last().waitFor();
    await shown.page.getByTestId('chart-split').waitFor();
    await isSound(shown);
  });

  it('used up is said in red, with the day', async () => {
    const shown = await usage({
      stack: { simulator: { user: { remaining: 0 } } },
      before: async ({ app }) => app.refresh(),
    });
    await figure(shown.page, 'Credits used')
      .getByText(/^Out of credits until /)
      .waitFor();
    await isSound(shown);
  });
});

describe('sums that do not come', () => {
  it('are grey blocks at first, then a text with a way out, then there', async () => {
    const shown = await usage({ place: 'health', rows: [exchange({ startedAt: noon.getTime() })] });
    const { page } = shown;
    let fail = true;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/call/totals', async (route) => {
      await held;
      const problem = { code: 'history-unreadable', text: 'The disk is gone.', remedy: 'Bring it back.' };
      if (fail) await route.fulfill({ json: { ok: false, problem } });
      else await route.continue();
    });
    await page.getByRole('link', { name: /^Usage/ }).click();
    await page.locator('.usage_grey-blocks').waitFor({ state: 'attached' });
    release();
    await page.getByText('The totals can’t be read. The disk is gone. Bring it back.').waitFor();
    await isSound(shown);
    fail = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('chart-split').waitFor();
  });

  it('an answer to an older question does not overwrite a newer one', async () => {
    const { page } = await usage({ rows: [exchange({ startedAt: noon.getTime() - 86_400_000 * 2 })] });
    await page.getByTestId('chart-split').waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/call/totals', async (route) => {
      if (route.request().postData()?.includes('"month"')) await held;
      await route.continue();
    });
    await page.getByRole('button', { name: '12 months' }).click();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor();
    const late = page.waitForResponse((response) => response.request().postData()?.includes('"month"') === true);
    release();
    await late;
    expect(await page.getByRole('heading', { name: 'Nothing in this period' }).isVisible()).toBe(true);
  });
});

it('fits a narrow window: nothing scrolls sideways', async () => {
  const shown = await usage({
    rows: busyDays(60, noon.getTime()),
    context: { viewport: { width: 720, height: 480 } },
  });
  await shown.page.getByRole('treegrid').waitFor();
  const beyond = await shown.page.evaluate(() => {
    const view = document.querySelector('.view-scroll');
    return view === null ? null : view.scrollWidth - view.clientWidth;
  });
  expect(beyond).toBe(0);
  await isSound(shown);
});

const freeCharge: Exchange['charge'] = { kind: 'free', nanoAiu: 0, premiumRequests: null, partial: false, details: [] };

function premiumCharge(count: number): Exchange['charge'] {
  return {
    kind: count > 0 ? 'billed' : 'free',
    nanoAiu: null,
    premiumRequests: count,
    partial: false,
    details: [],
  };
}

function startOfMonth(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
}
