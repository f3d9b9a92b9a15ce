import { afterEach, describe, expect, it } from 'vitest';
import { movableSecrets } from '../../app/adapters/movable-secrets.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { exchange } from '../exchange.ts';
import { busyDays } from '../renderer/example-exchanges.ts';
import { Dashboard, type DashboardOptions, keychainWith } from './dashboard.ts';

let open: Dashboard[] = [];

async function dashboard(options: DashboardOptions = {}): Promise<Dashboard> {
  const opened = await Dashboard.open(options);
  open.push(opened);
  return opened;
}

afterEach(async () => {
  const complaints = open.flatMap((one) => one.complaints);
  for (const one of open) await one.close();
  open = [];
  // Among them what the content security policy refuses.
  expect(complaints).toEqual([]);
});

const hello = { model: 'opus', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hello' }] };
const lately = (): number => Date.now() - 60_000;

/** Some requests, each of them somehow special. */
function few() {
  const at = lately();
  return [
    exchange({ id: 'prompt', startedAt: at - 60_000 }),
    exchange({
      id: 'tools',
      startedAt: at - 50_000,
      initiator: 'agent',
      reason: { code: 'tool-results', rule: 'main-seen-prompt', sentence: 'results of Read' },
      fits: [
        { code: 'model-newest', count: 1, text: 'Newest enabled Opus in your catalog.' },
        { code: 'model', count: 1, text: 'model: opus → claude-opus-4.8' },
      ],
    }),
    exchange({
      id: 'cut',
      startedAt: at - 40_000,
      outcome: 'cut',
      charge: { ...exchange().charge, kind: 'unknown', nanoAiu: null, details: [] },
    }),
    exchange({
      id: 'refused',
      startedAt: at - 30_000,
      status: 429,
      outcome: 'failed',
      failure: {
        source: 'copilot',
        status: 429,
        code: 'rate_limited',
        message: '<img src=x onerror=alert(1)>',
        clientMessage: null,
      },
      tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
      charge: { ...exchange().charge, kind: 'none', nanoAiu: null, details: [] },
    }),
    exchange({
      id: 'free',
      startedAt: at - 20_000,
      askedModel: '<b>"haiku"</b>',
      servedModel: 'claude-haiku-4.5',
      session: 'b20c44de-11e2',
      charge: { ...exchange().charge, kind: 'free', nanoAiu: 0, details: [] },
    }),
  ];
}

describe('the list of requests', () => {
  it('shows a request when it starts, and fills it in while it streams', async () => {
    const { page, stack } = await dashboard();
    await page.getByText('No requests yet').waitFor();
    const head = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    stack.simulator.script.next({
      kind: 'usual',
      gate: head.promise,
      before: (index) => (index > 2 ? rest.promise : undefined),
    });
    const answer = stack.messages(hello);
    const row = page.locator('.requests_row');
    await row.getByText('Waiting for Copilot').waitFor();
    expect(await row.getAttribute('aria-busy')).toBe('true');
    head.resolve();
    await row
      .getByTestId('cell-first-token')
      .getByText(/\d\.\d\d s/)
      .waitFor();
    expect(await row.getByTestId('cell-charge').textContent()).toMatch(/^(?:…|≈ <?\d+\.\d{2})$/);
    rest.resolve();
    await answer;
    await row
      .getByTestId('cell-charge')
      .getByText(/^\d+\.\d{2}$|^<0\.01$|^Free$/)
      .waitFor();
    expect(await row.getAttribute('aria-busy')).toBeNull();
    expect(await row.getByTestId('cell-status').textContent()).toBe('200');
    expect(await row.count()).toBe(1);
    expect(await page.locator('.list-foot').textContent()).toContain('1 request');
  });

  it('shows hostile names as text', async () => {
    const { page } = await dashboard({ past: few() });
    await page.getByTestId('request-row-free').getByText('← <b>"haiku"</b>').waitFor();
    await page.getByTestId('request-row-refused').click();
    await page.getByTestId('detail').getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('names rows, counts and states for who cannot see them', async () => {
    const { page } = await dashboard({ past: few() });
    const grid = page.getByRole('grid', { name: 'Requests' });
    await grid.waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('6');
    const names = await page
      .locator('.requests_row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    expect(names.map((name) => name?.replace(/\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
      'User request, TIME, claude-opus-4.8, status 200, 18.6 seconds, 7.53 credits',
      'Agent request, Tool results, TIME, claude-opus-4.8, status 200, 18.6 seconds, 7.53 credits',
      'User request, TIME, claude-opus-4.8, cut, 18.6 seconds, charge unknown',
      'User request, TIME, claude-opus-4.8, status 429, 18.6 seconds',
      'User request, TIME, claude-haiku-4.5, status 200, 18.6 seconds, free',
    ]);
  });

  it('filters by what is typed and by the quick filters, and says what matches nothing', async () => {
    const { page } = await dashboard({ past: few() });
    const rows = () =>
      page.locator('.requests_row').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
    await page.getByTestId('request-grid').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('model:opus is:er');
    await page.getByRole('option', { name: 'error' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.getByRole('combobox').inputValue()).toBe('model:opus is:error ');
    await expect.poll(rows).toEqual(['cut', 'refused']);
    expect(page.url()).toContain('#/requests?q=');
    await page.getByRole('button', { name: /^Unknown 1$/ }).click();
    await expect.poll(rows).toEqual(['cut']);
    await page.getByRole('combobox').fill('modle:opus nothing-has-this');
    await page.getByText('No requests match').waitFor();
    await page.getByText('There’s no filter “modle”. Did you mean “model”?').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear filter' }).last().click();
    await expect.poll(rows).toHaveLength(5);
  });

  it('can be driven by the keyboard alone', async () => {
    const { page } = await dashboard({ past: few() });
    const grid = page.getByTestId('request-grid');
    await grid.focus();
    const active = () => grid.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe('row-free');
    await page.keyboard.press('k');
    expect(await active()).toBe('row-refused');
    await page.keyboard.press('Home');
    expect(await active()).toBe('row-prompt');
    await page.keyboard.press('e');
    expect(await active()).toBe('row-cut');
    await page.keyboard.press('Shift+U');
    expect(await active()).toBe('row-prompt');
    await page.keyboard.press('ArrowRight');
    expect(await active()).toBe('cell-prompt');
    expect(await page.locator('#cell-prompt').getAttribute('data-testid')).toBe('cell-time');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByTestId('detail').waitFor();
    expect(page.url()).toContain('#/requests/prompt');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tab');
    await page.keyboard.press('j');
    await page.getByTestId('detail').getByRole('heading', { name: 'Agent request' }).waitFor();
    await page.keyboard.press(']');
    expect(await page.getByTestId('detail-tab-timing').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByTestId('detail').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    expect(await active()).toBe('row-tools');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.keyboard.press('p');
    await page.getByText('Pinned').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy id' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+3');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  it('stands still while paused and catches up', async () => {
    const { page, stack } = await dashboard({ past: few() });
    await page.getByRole('button', { name: 'Pause list' }).click();
    await stack.messages(hello);
    await page.getByRole('button', { name: 'Resume (1)' }).waitFor();
    expect(await page.locator('.requests_row').count()).toBe(5);
    await page.getByRole('button', { name: 'Resume (1)' }).click();
    await expect.poll(() => page.locator('.requests_row').count()).toBe(6);
  });

  it('is cleared but for what comes, and filled again', async () => {
    const { page, stack } = await dashboard({ past: few() });
    await page.getByTestId('request-grid').waitFor();
    await page.keyboard.press('Control+Shift+K');
    await page.getByText('History keeps 5 older ones.').waitFor();
    await stack.messages(hello);
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Show cleared' }).click();
    await expect.poll(() => page.locator('.requests_row').count()).toBe(6);
  });

  it('follows the end until one scrolls up, and says what came since', async () => {
    const { page, stack } = await dashboard({ past: busyDays(300, lately()) });
    const grid = page.getByTestId('request-grid');
    const gap = () => grid.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await page.getByText('Following new requests').waitFor();
    expect(await gap()).toBeLessThan(2);
    await stack.messages(hello);
    await expect.poll(() => page.locator('.list-foot').textContent()).toContain('301 requests');
    expect(await gap()).toBeLessThan(2);
    await grid.hover();
    await page.mouse.wheel(0, -1500);
    await page.getByText('Following new requests').waitFor({ state: 'detached' });
    const top = await grid.evaluate((element) => element.scrollTop);
    await stack.messages(hello);
    await page.getByRole('button', { name: '1 new request' }).click();
    await page.getByText('Following new requests').waitFor();
    expect(await grid.evaluate((element) => element.scrollTop)).toBeGreaterThan(top);
    expect(await page.locator('.requests_row').count()).toBeLessThan(60);
  });

  it('sorts by a head, and goes back to time', async () => {
    const { page } = await dashboard({ past: few() });
    const rows = () =>
      page.locator('.requests_row').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
    const head = page.getByRole('columnheader', { name: 'Status' });
    await head.getByRole('button').click();
    await expect.poll(rows).toEqual(['prompt', 'tools', 'cut', 'free', 'refused']);
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    await expect.poll(rows).toEqual(['refused', 'prompt', 'tools', 'cut', 'free']);
    await head.getByRole('button').click();
    await expect.poll(rows).toEqual(['prompt', 'tools', 'cut', 'refused', 'free']);
  });
});

describe('the detail of a request', () => {
  it('says why, what it cost, what was changed and where it went', async () => {
    const { page } = await dashboard({ past: few(), at: '#/requests/tools' });
    const detail = page.getByTestId('detail');
    await detail.getByText('Tool results: Read').waitFor();
    expect(await detail.getByRole('row', { name: 'Input 412 500 0.206' }).count()).toBe(1);
    expect(await detail.getByText('Billed, as reported by Copilot').textContent()).toBe(
      'Billed, as reported by Copilot ($0.0753)',
    );
    expect(await detail.locator('.detail_changes').textContent()).toBe(
      'Replacedmodel: opus → claude-opus-4.8Newest enabled Opus in your catalog.',
    );
    await page.getByTestId('detail-tab-timing').click();
    expect(await detail.getByRole('row', { name: /^Stream/ }).textContent()).toBe('Stream1.24 s17.4 s');
    await page.getByTestId('detail-tab-request').click();
    await detail.getByText('Not recorded').waitFor();
    await page.getByTestId('detail-tab-headers').click();
    await detail.getByText('Headers are saved in memory for the last 500 requests, until you quit.').waitFor();
  });

  it('asks the app for a request that the list no longer holds', async () => {
    const past = busyDays(900, lately());
    const { page } = await dashboard({ past, at: `#/requests/${past[3]?.id}` });
    await page.getByTestId('detail').getByRole('heading', { name: 'Why agent' }).waitFor();
    await expect.poll(() => page.locator('.requests_row[aria-selected=true]').count()).toBe(1);
  });

  it('says so when the history has it no more', async () => {
    const { page } = await dashboard({ past: few(), at: '#/requests/gone' });
    await page.getByText('It is older than the saved history.').waitFor();
  });

  it('shows only its session', async () => {
    const { page } = await dashboard({ past: few(), at: '#/requests/free' });
    await page.getByRole('button', { name: 'Show all of this session' }).click();
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    expect(await page.getByRole('combobox').inputValue()).toBe('session:b20c44de-11e2');
  });

  it('is exported as a file, redacted', async () => {
    const { page } = await dashboard({ past: few() });
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export 5 requests' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^jumpseat-\d{4}-\d\d-\d\d-\d{6}\.jsonl$/);
    const text = (await (await file.createReadStream()).toArray()).join('');
    expect(
      text
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).id),
    ).toEqual(['prompt', 'tools', 'cut', 'refused', 'free']);
    await page.getByText(`Your browser saves ${file.suggestedFilename()}.`).waitFor();
  });
});

describe('states', () => {
  it('signed out, and nothing yet', async () => {
    // Without an address a first visit goes to the first run.
    const { page } = await dashboard({ secrets: keychainWith(null), at: '#/requests' });
    await page.getByTestId('banner').getByText('You’re signed out.').waitFor();
    await page.getByText('Jumpseat needs a GitHub account with Copilot.').waitFor();
    await page.getByTestId('quota').getByText('Sign in to see your quota.').waitFor();
  });

  it('no keychain: said above the heading, and put away by who has read it', async () => {
    const { page } = await dashboard({
      secrets: movableSecrets({ ...keychainWith(fakeGithubToken), storage: 'memory' }, () => keychainWith(null)),
    });
    await page.getByTestId('banner').getByText('No keychain on this machine.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByTestId('banner').waitFor({ state: 'detached' });
  });

  it('a history that was damaged: said above the list, and put away by who has read it', async () => {
    const { page } = await dashboard({ damagedHistory: true });
    await page.getByText(/The request history was damaged .* a new one was started/).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('The request history was damaged').waitFor({ state: 'detached' });
  });

  it('an app that answers no more: what was there stays, and what was missed comes', async () => {
    const { page, stack, complaints } = await dashboard({ past: few() });
    await page.getByTestId('request-grid').waitFor();
    const port = Number(new URL(stack.baseUrl).port);
    await stack.app.stopProxy({ graceMs: 0 });
    await page.getByTestId('banner').getByText('Jumpseat isn’t answering.').waitFor();
    expect(await page.locator('.requests_row').count()).toBe(5);
    await page.getByTestId('proxy-card').getByText('Connection lost').waitFor();
    // The page is told off by the browser for each try.
    complaints.length = 0;
    // The door is another one after a start: the link is no longer good.
    await stack.app.startProxy({ port });
    await page.getByText('This page was opened with a link that has expired.').waitFor();
    await page.getByText('Run “jumpseat dashboard” in a terminal for a new link.').waitFor();
    complaints.length = 0;
  });
});

describe('for everyone', () => {
  it.each([
    ['light', 1200],
    ['dark', 1200],
    ['light', 760],
  ] as const)('axe finds nothing in %s at %d px', async (colorScheme, width) => {
    const opened = await dashboard({ past: busyDays(60, lately()), colorScheme, width });
    const { page } = opened;
    await page.getByTestId('request-grid').waitFor();
    expect(await opened.axe()).toEqual([]);
    await page.getByText('Following new requests').waitFor();
    await page.locator('.requests_row').last().click();
    await page.getByTestId('detail').getByText('Charge', { exact: true }).waitFor();
    expect(await opened.axe()).toEqual([]);
    await page.getByTestId('detail-tab-timing').click();
    expect(await opened.axe()).toEqual([]);
  });

  it('axe finds nothing in menus, dialogs and empty lists', async () => {
    const opened = await dashboard();
    const { page } = opened;
    await page.getByText('No requests yet').waitFor();
    expect(await opened.axe()).toEqual([]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Columns' }).click();
    expect(await opened.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await opened.axe()).toEqual([]);
  });

  it('nothing but the list scrolls, at any width', async () => {
    const { page } = await dashboard({ past: busyDays(60, lately()) });
    await page.getByTestId('request-grid').waitFor();
    for (const width of [720, 899, 900, 1119, 1120, 1199, 1200, 2560]) {
      await page.setViewportSize({ width, height: width === 720 ? 480 : 800 });
      const wide = (): Promise<string[]> =>
        page.evaluate(() => {
          const scrolls = [
            ...document.querySelectorAll(
              'body, main, .requests_grid, .requests_requests, .view-frame_view-head, .requests_filter-line',
            ),
          ];
          return scrolls
            .filter((element) => element.scrollWidth > element.clientWidth + 1)
            .map(({ className }) => className);
        });
      // The columns follow a new width in the next frame.
      await expect.poll(wide, { message: `at ${width} px` }).toEqual([]);
    }
  });
});
