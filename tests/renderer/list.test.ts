import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import type { Exchange, ReasonCode } from '../../app/api/exchange.ts';
import { SessionStore } from '../../app/sessions/store/session-store.ts';
import { failureWords } from '../../app/words/failures.ts';
import type { Stack } from '../app/stack.ts';
import { axeViolations } from '../e2e/axe-findings.ts';
import { exchange } from '../exchange.ts';
import { soon } from '../soon.ts';
import { busyDays } from './example-exchanges.ts';
import { pagesOf } from './pages-of.ts';

/** What a person can do to the list, in a real browser against the real app. */

const requests = pagesOf('requests');

const lately = (): number => Date.now() - 60_000;
const hello = { model: 'opus', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
const heads = (page: Page): Promise<(string | null)[]> =>
  page.locator('[data-column]').evaluateAll((all) => all.map((head) => head.getAttribute('data-column')));
const cells = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('.requests_row')
    .first()
    .locator('[role=gridcell]')
    .evaluateAll((all) => all.map((cell) => cell.getAttribute('data-testid')?.replace('cell-', '') ?? null));
const ids = (page: Page): Promise<(string | null)[]> =>
  page.locator('.requests_row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));

async function menu(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  for (const name of names) await page.getByRole('menuitem', { name }).click();
}

async function middleOf(locator: Locator): Promise<{ x: number; y: number; left: number; width: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, left: box.x, width: box.width };
}

async function drag(page: Page, from: Locator, to: { x: number }): Promise<void> {
  const { x, y } = await middleOf(from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + to.x) / 2, y);
  await page.mouse.move(to.x, y);
}

/** From the second prompt within a minute on, prompts wait for the person. */
async function holdBursts({ app, home }: Stack): Promise<void> {
  const known = new Promise<void>((resolve) => {
    const stop = app.listen(({ event }) => {
      if (event !== 'preferences') return;
      stop();
      resolve();
    });
  });
  const limits = { askBeforeBurst: true, burstPerMinute: 1 };
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, limits }));
  await known;
}

/** The connections on which events go to pages, so that they can be cut. */
class Streams {
  readonly #sockets: Socket[] = [];
  readonly #note = (message: unknown): void => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (request.url === '/ui/api/events') this.#sockets.push(socket);
  };

  constructor() {
    subscribe('http.server.request.start', this.#note);
  }

  cut(): void {
    unsubscribe('http.server.request.start', this.#note);
    expect(this.#sockets.length).toBeGreaterThan(0);
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function axe(page: Page): Promise<unknown[]> {
  const violations = await axeViolations(page);
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

describe('columns', () => {
  it('keep the order that rows are sorted in when the view is changed and when the page is loaded again', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    const head = page.locator('[data-column=charge]');
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    const sorted = await ids(page);
    expect(sorted).not.toEqual([]);
    for (const leave of [
      async () => {
        await page.getByRole('link', { name: 'Models' }).click();
        await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
        await page.getByRole('link', { name: 'Requests' }).click();
      },
      () => page.reload(),
    ]) {
      await leave();
      await head.waitFor();
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      await expect.poll(() => ids(page)).toEqual(sorted);
    }
  });

  it('bring the top of another order into view, where no row is below the one that began it', async () => {
    const { page } = await requests({ rows: busyDays(200, lately()) });
    const grid = page.getByTestId('request-grid');
    const padding = () =>
      page
        .locator('.requests_row.requests_by-subagent .requests_initiator')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).paddingLeft));
    await expect.poll(padding).toContain('12px');
    const scrolled = () => grid.evaluate((one) => one.scrollTop);
    await expect.poll(scrolled).toBeGreaterThan(0);
    // Also where the cursor is on a row: what an order is for is at its top.
    await page.locator('.requests_row').last().click();
    await page.locator('[data-column=duration]').getByRole('button').click();
    await expect.poll(() => page.locator('.requests_rows.requests_sorted').count()).toBe(1);
    await expect.poll(scrolled).toBe(0);
    expect((await padding()).filter((px) => px !== '0px')).toEqual([]);
  });

  it('a right click on a head shows the columns, one on a row its menu', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    await page.locator('.requests_row').first().click();
    await page.locator('[data-column=status]').click({ button: 'right' });
    await page.getByRole('dialog', { name: 'Arrange columns' }).waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.requests_row').first().click({ button: 'right' });
    await page.getByRole('menu', { name: 'Request' }).waitFor();
  });

  it('are moved by their heads, rows along with them, and Esc puts one back; a click still sorts', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    await page.getByTestId('request-grid').waitFor();
    const before = await heads(page);
    const model = await middleOf(page.locator('[data-column=model]'));
    await drag(page, page.locator('[data-column=charge] button'), { x: model.left + 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await heads(page)).toEqual(before);
    await drag(page, page.locator('[data-column=charge] button'), { x: model.left + 4 });
    await page.mouse.up();
    const after = [
      'time',
      'status',
      'initiator',
      'charge',
      'model',
      'input',
      'cached',
      'output',
      'first-token',
      'duration',
    ];
    expect(await heads(page)).toEqual(after);
    expect(await cells(page)).toEqual(after);
    expect(await page.locator('[data-column=charge]').getAttribute('aria-sort')).toBe('none');
    await page.locator('[data-column=charge] button').click();
    expect(await page.locator('[data-column=charge]').getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await page.getByTestId('request-grid').waitFor();
    expect(await heads(page)).toEqual(after);
  });

  it('are drawn by their edges, keep that, and take their own width again', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    const width = async (name: string): Promise<number> =>
      (await middleOf(page.locator(`[data-column=${name}]`))).width;
    await page.getByTestId('request-grid').waitFor();
    const edge = page.locator('[data-column=initiator] .requests_column-edge');
    await drag(page, edge, { x: (await middleOf(edge)).x + 48 });
    await page.mouse.up();
    expect(await width('initiator')).toBe(200);
    // To the right of the column that takes what is left, the edge towards that one is drawn.
    const other = page.locator('[data-column=duration] .requests_column-edge');
    await drag(page, other, { x: (await middleOf(other)).x - 20 });
    await page.mouse.up();
    expect(await width('duration')).toBe(90);
    await page.reload();
    await page.getByTestId('request-grid').waitFor();
    expect([await width('initiator'), await width('duration')]).toEqual([200, 90]);
    await page.locator('[data-column=initiator] .requests_column-edge').dblclick();
    expect(await width('initiator')).toBe(152);
  });

  it('are chosen several at once: their menu stays until Escape or a press elsewhere', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    await page.setViewportSize({ width: 1800, height: 800 });
    await page.getByTestId('request-grid').waitFor();
    await menu(page, 'Columns');
    const choice = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
    await choice('Client').click();
    await choice('Cached').click();
    expect(await choice('Client').getAttribute('aria-checked')).toBe('true');
    expect(await choice('Cached').getAttribute('aria-checked')).toBe('false');
    await expect.poll(() => heads(page)).toContain('client');
    expect(await heads(page)).not.toContain('cached');
    // What the cache had is said at what was new.
    await page
      .getByTitle(/^[\d,]+ new, and [\d,.]+[kM]? read from the cache$/)
      .first()
      .waitFor();
    // The focus is on the one that was switched, and the keyboard switches it back.
    await page.keyboard.press('Enter');
    await expect.poll(() => heads(page)).toContain('cached');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await menu(page, 'Columns');
    await choice('Client').click();
    await page.mouse.click(300, 500);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await heads(page)).not.toContain('client');
  });

  it('say in their menu and dialog where they have no room', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    await page.getByTestId('request-grid').waitFor();
    const choice = (words: string) => page.getByRole('menuitemcheckbox', { name: words, exact: true });
    for (const [width, hasRoom] of [
      [1200, false],
      [1600, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(async () => (await heads(page)).includes('session')).toBe(hasRoom);
      await menu(page, 'Columns');
      await choice(hasRoom ? 'Session' : 'Session No room at this width').waitFor();
      await choice('Output').waitFor();
      await page.getByRole('menuitem', { name: 'Arrange…' }).click();
      const said = page.locator('[data-column-choice=session]').getByText('No room at this width');
      expect(await said.count()).toBe(hasRoom ? 0 : 1);
      await page.keyboard.press('Escape');
    }
  });

  it('leave the client of a request readable at narrow widths, where there are several', async () => {
    const of = (id: string, client: string, more: Partial<Exchange> = {}) =>
      exchange({ id, client, startedAt: lately(), ...more });
    const reason = (code: ReasonCode) => ({ initiator: 'agent' as const, reason: { code, rule: '', sentence: '' } });
    const { page } = await requests({
      rows: [
        of('one', 'claude-code'),
        of('two', 'openai-python'),
        of('three', 'codex', reason('tool-results')),
        of('four', 'team-notebook', reason('continuation')),
        of('five', 'team-notebook', { ...reason('subagent'), agentType: 'general-purpose' }),
      ],
    });
    await page.getByTestId('request-grid').waitFor();
    const cutIn = (): Promise<(string | null)[]> =>
      page
        .locator('.cell-initiator .requests_client')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
        );
    for (const width of [1280, 1000, 900, 720]) {
      await page.setViewportSize({ width, height: 480 });
      await expect.poll(cutIn, { message: `at ${width} px` }).toEqual([]);
      const cells = page.getByTestId('cell-initiator').locator('.requests_client');
      expect(await cells.allInnerTexts()).toEqual([
        'openai-python',
        ' · codex',
        ' · team-notebook',
        ' · team-notebook',
      ]);
    }
  });

  it('are arranged by the keyboard alone', async () => {
    const { page, complaints } = await requests({ rows: busyDays(5, lately()) });
    await page.getByTestId('request-grid').waitFor();
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    const focused = (): Promise<string | null> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
      );
    const down = async (name: string): Promise<void> => {
      for (let step = 0; step < 30 && !(await focused())?.startsWith(name); step += 1)
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await down('Columns');
    await down('Arrange…');
    await page.getByRole('dialog', { name: 'Arrange columns' }).waitFor();
    expect(await axe(page)).toEqual([]);
    const tab = async (name: string): Promise<void> => {
      for (let step = 0; step < 120 && (await focused()) !== name; step += 1) await page.keyboard.press('Tab');
    };
    await tab('Move Model to the left');
    await page.keyboard.press('Enter');
    // The focus goes along with the column.
    await soon(async () => expect(await focused()).toBe('Move Model to the left'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    // It is the first now, and can go to the right alone.
    await soon(async () => expect(await focused()).toBe('Move Model to the right'));
    await tab('Width of Status in pixels');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Arrange columns' }).waitFor({ state: 'detached' });
    await soon(async () => expect((await heads(page)).slice(0, 4)).toEqual(['model', 'time', 'status', 'initiator']));
    await soon(async () => expect((await middleOf(page.locator('[data-column=status]'))).width).toBe(100));
    expect(complaints).toEqual([]);
  });
});

describe('a web search that failed', () => {
  it('says so in its row, though the client got status 200', async () => {
    const { page } = await requests({
      rows: [
        exchange({
          ...{ id: 'one', startedAt: lately(), path: null, status: 200, outcome: 'failed' },
          failure: {
            source: 'jumpseat',
            status: 503,
            code: 'search-unavailable',
            message: 'No engine answered.',
            clientMessage: null,
          },
        }),
      ],
    });
    const status = page.getByTestId('request-row-one').getByTestId('cell-status');
    await status.getByText('Failed').waitFor();
    expect(await status.getByTitle('Status 200, and in it: No engine answered.').count()).toBe(1);
    expect(await page.getByTestId('request-row-one').getAttribute('aria-label')).toContain(', failed,');
  });
});

describe('an error whose status the client got as another', () => {
  it('has both, each with who sent it, at its row and in its details', async () => {
    const message = failureWords({ source: 'copilot', status: 503, code: 'http-503' });
    const { page } = await requests({
      rows: [
        exchange({
          ...{ id: 'one', startedAt: lately(), status: 529, outcome: 'failed' },
          failure: { source: 'copilot', status: 503, code: 'http-503', message, clientMessage: null },
        }),
      ],
    });
    const row = page.getByTestId('request-row-one');
    const both = `${message} Jumpseat answered the client with status 529.`;
    await row.getByTestId('cell-status').getByTitle(both).waitFor();
    await row.click();
    const error = page.locator('.detail_error-box');
    await error.getByText('Copilot is overloaded (status 503).').waitFor();
    expect(await error.getByText('Jumpseat answered the client with status 529.').count()).toBe(1);
  });
});

describe('safeguards that Claude Code was refused', () => {
  it('are an intended step: not red, no error, and of what was never sent no model that it ran on', async () => {
    const message = failureWords({ source: 'jumpseat', status: 400, code: 'safeguards-refused' });
    const { page } = await requests({
      rows: [
        exchange({
          ...{ id: 'one', startedAt: lately(), path: null, attempts: [], status: 400, outcome: 'declined' },
          failure: { source: 'jumpseat', status: 400, code: 'safeguards-refused', message, clientMessage: null },
        }),
        exchange({
          ...{ id: 'two', startedAt: lately(), attempts: [], status: 429, outcome: 'failed' },
          failure: { source: 'jumpseat', status: 429, code: 'held-back', message: 'Held.', clientMessage: null },
        }),
      ],
    });
    const row = page.getByTestId('request-row-one');
    const status = row.getByTestId('cell-status');
    await status.getByText('400').waitFor();
    const color = (name: string) => row.getByTestId(name).evaluate((cell) => getComputedStyle(cell).color);
    expect(await color('cell-status')).toBe(await color('cell-time'));
    expect((await page.getByRole('button', { name: /^Errors/ }).textContent())?.trim()).toBe('Errors 1');
    await row.click();
    const detail = page.locator('.detail_detail');
    await detail.getByRole('heading', { name: 'Intended, no error' }).waitFor();
    await detail.getByText(message).waitFor();
    expect(await detail.locator('.danger, .detail_error-box').count()).toBe(0);
    expect(await detail.getByText('Never sent', { exact: true }).count()).toBe(1);
    expect(await detail.getByText('Ran on').count()).toBe(0);
    // Held back after it was clear where it would go.
    await page.getByTestId('request-row-two').click();
    await detail.getByText('held-back').waitFor();
    expect(await detail.getByText('Never sent', { exact: true }).count()).toBe(1);
    expect(await detail.getByText('Ran on').count()).toBe(0);
  });
});

describe('the list', () => {
  it('is marked between what was and what comes', async () => {
    const { page, stack } = await requests({ rows: busyDays(5, Date.now() - 60_000) });
    await page.getByTestId('request-grid').waitFor();
    await menu(page, 'Mark here');
    const mark = page.locator('.requests_mark');
    await mark.getByText(/^Marked at \d\d:\d\d:\d\d$/).waitFor();
    await stack.messages(hello);
    const last = page.locator('.requests_row[aria-rowindex="7"]');
    await last.waitFor();
    expect(await last.getAttribute('aria-label')).toMatch(/, first after the mark at \d\d:\d\d:\d\d$/);
    const [above, line, below] = await Promise.all([
      middleOf(page.locator('.requests_row[aria-rowindex="6"]')),
      middleOf(mark),
      middleOf(last),
    ]);
    expect(above.y < line.y && line.y < below.y).toBe(true);
    expect(await axe(page)).toEqual([]);
    await menu(page, 'Remove marks');
    await mark.waitFor({ state: 'detached' });
  });

  it('keeps filters under a name, and gives them back, by the keyboard alone', async () => {
    const { page } = await requests({
      rows: [
        exchange({ id: 'one', startedAt: lately() }),
        exchange({ id: 'two', startedAt: lately(), status: 429, outcome: 'failed' }),
      ],
    });
    await page.getByTestId('request-grid').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('status:429 ');
    await expect.poll(() => ids(page)).toEqual(['two']);
    await menu(page, 'Save filter…');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Refused');
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Filter saved as Refused.').waitFor();
    await page.goto('about:blank');
    await page.goBack();
    await page.getByRole('combobox').fill('');
    await expect.poll(() => ids(page)).toEqual(['one', 'two']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => ids(page)).toEqual(['two']);
    expect(await page.getByRole('combobox').inputValue()).toBe('status:429');
    await menu(page, 'Saved filters', 'Remove…');
    await page.getByRole('button', { name: 'Remove Refused' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Save filter…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Saved filters' }).count()).toBe(0);
  });

  it('is empty when its history was deleted, without a reload, and shows what comes', async () => {
    const { page, stack } = await requests({ rows: busyDays(30, lately()) });
    await page.getByText('30 requests').waitFor();
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
    await menu(page, 'Delete history…');
    const dialog = page.getByRole('dialog', { name: 'Delete 30 requests?' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await dialog.getByText('Pinned requests, recorded bodies and the sums in Usage go too.').waitFor();
    await dialog.getByRole('button', { name: 'Delete history' }).click();
    await page.getByText('History deleted.').waitFor();
    await page.getByText('No requests yet').waitFor();
    await stack.messages(hello);
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    expect(await page.locator('[data-same-page]').count()).toBe(1);
  });

  it('is emptied in every window when the history is deleted in one, but for what runs', async () => {
    const { page, stack } = await requests({ rows: busyDays(10, lately()) });
    await page.getByText('10 requests').waitFor();
    const gate = Promise.withResolvers<void>();
    stack.simulator.script.next({ kind: 'usual', before: (index) => (index > 3 ? gate.promise : undefined) });
    const running = stack.messages({ ...hello, stream: true });
    const row = page.locator('.requests_row[aria-busy=true]');
    await row.waitFor();
    // What it costs so far is an estimate, and says so.
    await row.getByText(/^≈ \d\.\d\d$/).waitFor();
    expect(await row.getByText('≈').getAttribute('title')).toMatch(/^Estimated from the model’s prices\./);
    await stack.app.deleteHistory();
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    gate.resolve();
    await running;
    await expect.poll(() => row.count()).toBe(0);
    expect(await page.locator('.requests_row').getByText('≈').count()).toBe(0);
    expect(await page.locator('.list-foot').textContent()).toContain('1 request');
  });

  it('shows a prompt that is held back, and lets it through from its row and from its menu', async () => {
    const { page, stack } = await requests({ before: holdBursts });
    await stack.messages(hello);
    const answers = [stack.messages(hello), stack.messages(hello)];
    const held = page.locator('.requests_row').filter({ hasText: 'Held' });
    await expect.poll(() => held.count()).toBe(2);
    expect(await held.first().getAttribute('aria-label')).toContain('held back until you let it through');
    await page.getByRole('combobox').fill('is:held');
    await expect.poll(() => page.locator('.requests_row').count()).toBe(2);
    await held.first().hover();
    await held.first().getByText('Let through').click();
    await expect.poll(() => held.count()).toBe(1);
    // The click was no click on the row.
    expect(await page.getByTestId('detail').count()).toBe(0);
    await page.getByTestId('request-grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Let through' }).click();
    await expect.poll(() => held.count()).toBe(0);
    for (const answer of answers) expect((await answer).status).toBe(200);
  });

  it('has no letters for keys where they are switched off', async () => {
    const { page } = await requests({ rows: busyDays(5, lately()) });
    await page.getByTestId('request-grid').focus();
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Single letters and signs are keys, too' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByTestId('request-grid').focus();
    for (const key of ['?', '/', 'k', 'p', 'e']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    expect(await page.getByTestId('request-grid').getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowUp');
    expect(await page.getByTestId('request-grid').getAttribute('aria-activedescendant')).not.toBeNull();
    await page.keyboard.press('Control+f');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
  });

  it('says that it reads, and no sums, until it knows its first rows', async () => {
    const { page } = await requests({ rows: busyDays(3, lately()) });
    await page.getByText('Following new requests').waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route('**/ui/api/call/exchanges', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.reload();
    const foot = page.locator('.list-foot');
    await foot.waitFor();
    expect(await foot.innerText()).toBe('Reading the history…');
    gate.resolve();
    await foot.getByText('3 requests').waitFor();
  });

  it('loses no request and doubles none while the stream of events is cut, also not one that ran then', async () => {
    const streams = new Streams();
    const { page, stack } = await requests({ rows: busyDays(3, lately()) });
    await page.getByText('Following new requests').waitFor();
    const gate = Promise.withResolvers<void>();
    stack.simulator.script.next({ kind: 'usual', gate: gate.promise });
    const running = stack.messages({ ...hello, stream: true });
    await page.locator('.requests_row[aria-busy=true]').waitFor();
    stack.app.setQuitWait({ waits: 'quits when 1 request is done', stay: () => undefined });
    await page.getByTestId('quit-banner').waitFor();
    await page.context().setOffline(true);
    streams.cut();
    await page.getByTestId('banner').getByText('Jumpseat isn’t answering.').waitFor();
    expect(await page.getByTestId('proxy-card').innerText()).toBe('Connection lost');
    expect(await page.getByTestId('quit-banner').count()).toBe(0);
    gate.resolve();
    await running;
    for (let count = 0; count < 3; count += 1) await stack.messages(hello);
    expect(await page.locator('.requests_row').count()).toBe(4);
    await page.context().setOffline(false);
    await page.getByTestId('banner').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.requests_row').count()).toBe(7);
    expect(new Set(await ids(page)).size).toBe(7);
    await expect.poll(() => page.locator('.requests_row[aria-busy=true]').count()).toBe(0);
    expect(await page.locator('.list-foot').textContent()).toContain('7 requests');
    // And it goes on.
    await stack.messages(hello);
    await expect.poll(() => page.locator('.requests_row').count()).toBe(8);
  });
});

describe('the window', () => {
  it('opens where it was left within a day, and on the list afterwards', async () => {
    const { page } = await requests({ rows: busyDays(3, lately()) });
    await page.getByTestId('request-grid').waitFor();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    const address = page.url().split(/[?#]/)[0] ?? '';
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    await page.goto('about:blank');
    await page.clock.setFixedTime(Date.now() + 25 * 3_600_000);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  });

  it('is painted in the chosen theme at once, before any script has run', async () => {
    const { page, stack } = await requests({ context: { colorScheme: 'light' } });
    await page.getByText('No requests yet').waitFor();
    await stack.app.changePreferences({ theme: 'dark' });
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(background).toBe('rgb(13, 17, 23)');
    await page.route('**/*.js', (route) => route.abort());
    await page.reload();
    expect(await page.locator('#root *').count()).toBe(0);
    expect(await background()).toBe('rgb(13, 17, 23)');
  });

  it('says that it loads where that takes long, before its script, its state and a view are there', async () => {
    const { page } = await requests();
    await page.getByText('No requests yet').waitFor();
    const held: (() => void)[] = [];
    const hold = async (address: string | RegExp): Promise<void> => {
      // What the page has given up meanwhile can't go on.
      const goesOn = (route: Route) => route.continue().catch(() => undefined);
      await page.route(address, (route) => new Promise<void>((go) => held.push(() => go(goesOn(route)))));
    };
    const goOn = async (address: string | RegExp): Promise<void> => {
      await page.unroute(address);
      for (const go of held.splice(0)) go();
    };
    const api = /\/ui\/api\//;
    const script = /\/assets\/.*\.js$/;
    const said = (): Promise<string> =>
      page.evaluate(() => {
        const root = document.querySelector('#root');
        const { content, visibility } = getComputedStyle(root ?? document.body, '::before');
        return root?.childElementCount === 0 && visibility === 'visible' ? content : '';
      });
    await hold(script);
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(said).toBe('"Jumpseat…"');
    await hold(api);
    await goOn(script);
    const loading = page.getByRole('status').filter({ hasText: 'Loading…' });
    await loading.waitFor();
    await goOn(api);
    await page.getByText('No requests yet').waitFor();
    expect(await loading.count()).toBe(0);
    await hold(script);
    await page.getByRole('navigation').getByText('Sessions').click();
    // Not at once: a fast machine would show a flash of it.
    await page.getByRole('status').first().waitFor({ state: 'attached' });
    expect(await loading.count()).toBe(0);
    await loading.waitFor();
    await goOn(script);
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    expect(await loading.count()).toBe(0);
  });

  it('says a failure at once, with its own sign, until it is put away', async () => {
    const { page } = await requests({ rows: busyDays(900, lately()) });
    await page.getByText('Following new requests').waitFor();
    await page.route('**/api/call/exchange', (route) => route.fulfill({ status: 500 }));
    await page.getByTestId('request-grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('c');
    const alert = page.getByRole('alert').filter({ hasText: 'The server answered 500.' });
    await alert.waitFor();
    expect(await alert.locator('.toasts_failed').count()).toBe(1);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.locator('.toasts_toast').count()).toBe(0);
  });

  it('says UTC in the head of the times and cuts days there', async () => {
    const at = Date.UTC(2026, 10, 20, 20, 30, 5);
    const { page, stack } = await requests({
      rows: [exchange({ id: 'one', startedAt: at }), exchange({ id: 'two', startedAt: at + 6 * 3_600_000 })],
      context: { timezoneId: 'Asia/Tokyo' },
    });
    await page.getByRole('columnheader', { name: 'Time', exact: true }).waitFor();
    await stack.app.changePreferences({ timeZone: 'utc' });
    await page.getByRole('columnheader', { name: 'Time UTC' }).waitFor();
    expect(await page.locator('.requests_row').first().getByTestId('cell-time').innerText()).toBe('20:30:05');
    expect(await page.locator('.requests_day').allInnerTexts()).toEqual([
      'Friday, 20 Nov 2026',
      'Saturday, 21 Nov 2026',
    ]);
    await page.getByRole('combobox').fill('on:2026-11-20');
    await expect.poll(() => ids(page)).toEqual(['one']);
    await stack.app.changePreferences({ timeZone: 'local' });
    await expect.poll(() => ids(page)).toEqual([]);
  });
});

describe('requests of hosted sessions', () => {
  it('have their program as client, and the title of their session where sessions stand', async () => {
    const loaded = '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3';
    const ended = 'b20c44de-5be0-4c11-9d2f-61e0c7a4b8f3';
    const gone = '3c1f77a0-93f1-4e0c-8a15-d2b64c90fe11';
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-hosted-'));
    try {
      const of = (client: string, id: string) =>
        exchange({ id, client, session: client, startedAt: lately(), prompt: null });
      const { page, stack } = await requests({
        rows: [of(loaded, 'one'), of(ended, 'two'), of(gone, 'three'), exchange({ id: 'four', startedAt: lately() })],
        before: async ({ app, home }) => {
          const store = new SessionStore(join(home, 'sessions.db'), { clock: nodeClock(), log: { write: () => {} } });
          store.sessions.decorate(ended, { hosted: true, agent: 'claude', cwd: folder, title: 'Tidy the imports' });
          store.close();
          await app.newSession({ cwd: folder, agent: 'claude', id: loaded, title: 'Mend the clock', choices: {} });
        },
      });
      const row = (id: string) => page.getByTestId(`request-row-${id}`).getByTestId('cell-initiator');
      await row('one').getByText('Mend the clock').waitFor();
      await row('two').getByText('Tidy the imports').waitFor();
      await row('three').getByText('Session 3c1f77a0').waitFor();
      await page.getByTestId('request-row-two').click();
      const client = page
        .getByTestId('detail')
        .locator('dl > div')
        .filter({ hasText: /^Client/ });
      await client.getByText('Claude Code').waitFor();
      const session = page.getByTestId('detail').locator('dl > div', { hasText: 'Tidy the imports' });
      expect(await session.innerText()).toMatch(/^Session\n/);
      await page.getByTestId('detail').getByText(ended).waitFor();
      await page.keyboard.press('Escape');
      await menu(page, 'Columns');
      await page.getByRole('menuitemcheckbox', { name: 'Client', exact: true }).click();
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1900, height: 800 });
      const cells = (name: string) =>
        Promise.all(
          ['one', 'two', 'three'].map((id) =>
            page.getByTestId(`request-row-${id}`).getByTestId(`cell-${name}`).innerText(),
          ),
        );
      await expect.poll(() => cells('client')).toEqual(['Claude Code', 'Claude Code', 'Session 3c1f77a0']);
      expect(await cells('session')).toEqual(['Mend the clock', 'Tidy the imports', gone.slice(0, 8)]);
      await stack.app.renameSession({ session: loaded, title: 'Mend the watch' });
      await row('one').getByText('Mend the watch').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/usage'));
      await page.getByRole('treegrid').getByText('Tidy the imports').waitFor();
      await page.getByRole('treegrid').getByText('Mend the watch').waitFor();
      const clients = page.getByRole('region', { name: 'Credits by client' });
      const together = clients.getByRole('row', { name: /^Sessions in Jumpseat .*3 requests.*22\.58/ });
      await together.waitFor();
      expect(await clients.getByRole('row').count()).toBe(3);
      await together.getByRole('link').click();
      await page.waitForURL(/q=is%3Asession%20after%3A/);
      await expect.poll(async () => (await ids(page)).toSorted()).toEqual(['one', 'three', 'two']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('a banner leads to the requests from elsewhere alone', async () => {
  const { page, stack } = await requests({ rows: [] });
  stack.simulator.script.always({ kind: 'answer', status: 504, body: 'no' }, '/v1/messages');
  for (let count = 0; count < 3; count += 1) await stack.messages(hello);
  const banner = page.getByTestId('banner');
  await banner.getByText('The last 3 requests failed (504 from Copilot)').waitFor();
  const see = banner.getByRole('button', { name: 'See requests' });
  expect(await see.count()).toBe(0);
  await page.getByRole('link', { name: 'Health' }).click();
  await see.click();
  await see.waitFor({ state: 'detached' });
  await page.getByTestId('request-grid').waitFor();
});

it('a filter that means nothing is explained above the list, not over the heads of its columns', async () => {
  const { page } = await requests({ rows: busyDays(5, lately()) });
  await page.getByTestId('request-grid').waitFor();
  for (const width of [1600, 800]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('combobox', { name: 'Filter requests' }).fill('on:never ');
    const problem = page.locator('.requests_search-problem');
    await problem.waitFor();
    const bottom = await problem.evaluate((element) => element.getBoundingClientRect().bottom);
    const heads = await page.locator('.requests_row-head').evaluate((element) => element.getBoundingClientRect().top);
    expect(bottom, `at ${width} px`).toBeLessThanOrEqual(heads);
  }
  const field = page.getByRole('combobox', { name: 'Filter requests' });
  await field.fill('is:constructor');
  await page.locator('.requests_search-problem').waitFor();
  await field.press('Enter');
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('keys of the list work where nothing has the focus: after another place, and after a dialog', async () => {
  const { page } = await requests({
    rows: ['one', 'two', 'three'].map((id, index) => exchange({ id, startedAt: lately() + index })),
  });
  const opened = (id: string) => page.getByTestId(`request-row-${id}`).and(page.locator('[aria-selected=true]'));
  await page.getByTestId('request-row-one').waitFor();
  await page.keyboard.press('Control+5');
  await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
  await page.keyboard.press('Control+1');
  await page.locator('#search').focus();
  await page.keyboard.press('Control+5');
  await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
  await page.keyboard.press('Control+1');
  await page.getByTestId('request-row-one').waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await opened('two').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await opened('three').waitFor();
});

it('choosing another form of the export moves no button, and the request is named by its time', async () => {
  const { page } = await requests({ rows: busyDays(5, lately()) });
  await page.locator('.requests_row').first().click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: /^The request of \d\d:\d\d:\d\d$/ }).waitFor();
  const top = () =>
    page.getByRole('button', { name: /^Export 5/ }).evaluate((button) => button.getBoundingClientRect().top);
  const before = await top();
  await page.getByRole('radio', { name: 'CSV' }).check();
  await page.getByText(/^The list’s column/).waitFor();
  expect(await top()).toBe(before);
});

it('the export names what its figures count beside CSV, as the head of Input does, and the line of a choice has the focus', async () => {
  const { page } = await requests({ rows: busyDays(5, lately()) });
  const sum = 'Input is input_tokens plus cache_write_tokens, without what was read from the cache.';
  expect(await page.getByRole('button', { name: 'Input', exact: true }).getAttribute('title')).toBe(sum);
  await page.getByRole('button', { name: 'Export' }).click();
  const csv = page.getByRole('radio', { name: 'CSV' });
  expect(await page.getByText(sum).count()).toBe(0);
  await page.getByRole('radio', { name: 'JSONL' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByText(sum).waitFor();
  const edges = await csv.evaluate((radio) => {
    const edge = (element: Element | null) => element && getComputedStyle(element).outlineStyle;
    return { focused: radio === document.activeElement, radio: edge(radio), line: edge(radio.closest('label')) };
  });
  expect(edges).toEqual({ focused: true, radio: 'none', line: 'solid' });
});

it('with the detail beside it no word of a row is cut, in a wide font too', async () => {
  const of = (id: string, change: Parameters<typeof exchange>[0]) => exchange({ id, startedAt: lately(), ...change });
  const { page } = await requests({
    rows: [
      of('one', {
        ...{ initiator: 'agent', requestClass: 'subagent', agentType: 'Explore', agentId: 'a5de3fa0' },
        reason: { code: 'subagent', rule: 'class-subagent', sentence: '' },
        charge: { kind: 'unknown', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
      }),
      of('two', {}),
    ],
  });
  await page.evaluate(() => document.documentElement.style.setProperty('--font', '"DejaVu Sans", Verdana'));
  await page.getByTestId('request-row-two').click();
  await page.getByTestId('detail').getByText('Belongs to').waitFor();
  const row = page.getByTestId('request-row-one');
  await row.getByText('Explore').waitFor();
  for (const text of [row.getByText('Explore'), row.getByTestId('cell-charge'), row.getByTestId('cell-initiator')])
    expect(await text.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  expect(await row.getByTestId('cell-charge').innerText()).toBe('Unknown');
});

it('beside the widest detail a model’s version is seen, and the mark of one that a rule chose', async () => {
  const of = (id: string, asked: string, code: string) =>
    exchange({
      ...{ id, startedAt: lately(), askedModel: asked, servedModel: 'claude-sonnet-4.6' },
      fits: [{ code, count: 1, text: '' }],
    });
  const { page } = await requests({
    rows: [of('ruled', 'claude-opus-4.8', 'model-rule'), of('named', 'sonnet', 'model')],
    context: { viewport: { width: 1280, height: 800 } },
  });
  await page.evaluate(() => localStorage.setItem('jumpseat.detail-width', '700'));
  await page.reload();
  await page.getByTestId('request-row-named').click();
  await page.getByTestId('detail').getByText('Belongs to').waitFor();
  const models = page.getByTestId('cell-model');
  expect((await models.allInnerTexts()).map((text) => text.split('\n')[0]?.trim())).toEqual([
    'claude-sonnet-4.6 ←',
    'claude-sonnet-4.6',
  ]);
  const isCut = models.evaluateAll((all) => all.map((cell) => cell.scrollWidth > cell.clientWidth));
  expect(await isCut).toEqual([false, false]);
  await page.getByTitle('claude-sonnet-4.6 ← claude-opus-4.8, by a rule of yours').waitFor();
});

it('a click opens the detail, from whose tabs the keys go to other rows and other tabs', async () => {
  const { page } = await requests({
    rows: ['one', 'two', 'three'].map((id, index) => exchange({ id, startedAt: lately() + index })),
  });
  await page.getByTestId('request-row-two').click();
  await page.getByTestId('detail').getByText('Belongs to').waitFor();
  const opened = async () => page.locator('.requests_row[aria-selected=true]').getAttribute('data-id');
  await page.keyboard.press('ArrowDown');
  await expect.poll(opened).toBe('three');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(opened).toBe('one');
  await page.keyboard.press(']');
  const tab = page.getByRole('tab', { name: 'Timing' });
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  expect(await tab.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(opened).toBe('two');
  expect(await tab.getAttribute('aria-selected')).toBe('true');
});

it('counts what has no charge or an unknown one, and names what was removed', async () => {
  const charge = (kind: 'none' | 'unknown') => ({
    charge: { kind, nanoAiu: null, premiumRequests: null, partial: false, details: [] },
  });
  const { page } = await requests({
    rows: [
      exchange({ id: 'search', startedAt: lately(), api: 'web', initiator: null, path: null, ...charge('none') }),
      exchange({
        ...{ id: 'cut', startedAt: lately() + 1, outcome: 'cut', ...charge('unknown') },
        attempts: [
          { at: 1, status: 200, retriedBecause: null, upstreamRequestId: null, sentAs: 'vscode/1.139.1 (vscode-chat)' },
        ],
        fits: [{ code: 'betas-removed', count: 1, text: 'beta removed: context-1m-2025-08-07' }],
      }),
    ],
  });
  const foot = page.locator('.list-foot');
  await foot.getByText('1 unknown, not included').waitFor();
  await foot.getByText('1 without a charge').waitFor();
  // Whatever is filtered, it says of how many.
  const all = (await foot.innerText()).match(/^(\d+) requests/)?.[1];
  await page.getByRole('combobox', { name: 'Filter requests' }).fill('is:unknown');
  await foot.getByText(`1 of ${all} requests`).waitFor();
  expect(await foot.getByText('0 agent').getAttribute('title')).toBe('Requests without a charge are not among them.');
  await page.getByRole('combobox', { name: 'Filter requests' }).fill('');
  const exact = page.getByTitle('The sum of the exact charges. Each row is rounded by itself.');
  expect(await exact.innerText()).toMatch(/ credits$/);
  const show = page.getByRole('group', { name: 'Show' }).or(page.getByRole('radiogroup', { name: 'Show' }));
  await show.getByText('No charge').click();
  await expect.poll(() => ids(page)).toEqual(['search']);
  await show.getByText('All').click();
  await page.getByTestId('request-row-cut').click();
  const detail = page.getByTestId('detail');
  await detail.getByText('anthropic-beta: context-1m-2025-08-07').waitFor();
  const sentAs = detail.locator('.key-values > div', { hasText: 'Sent as' });
  expect(await sentAs.innerText()).toContain('GitHub supports VS Code’s sign-in only in VS Code.');
});
