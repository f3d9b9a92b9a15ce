import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Status } from '../../app/api/state.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { Spawned } from '../app/cli/spawn-jumpseat.ts';
import { pathsIn, prompt, type Stack } from '../app/stack.ts';
import { busyDays } from '../renderer/example-exchanges.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';

/** Every view in every state of the app: its words, its way out, and nothing that axe finds in either theme. */
let chromium: Chromium;
let blocker: Server | null = null;
const open: (() => void)[] = [];
beforeAll(async () => {
  chromium = await Chromium.launch();
});
afterEach(async () => {
  for (const gate of open.splice(0)) gate();
  const complaints = await chromium.closeWindows();
  blocker?.close();
  blocker = null;
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const views = ['requests', 'usage', 'models', 'health', 'settings'] as const;
type View = (typeof views)[number];

interface State {
  name: string;
  options: WindowOptions;
  status: Status;
  /** All of the banner's text; null: there is none. `{…}` are checked apart. */
  banner: RegExp | null;
  /**
   * What the view shows besides the banner, each as a whole text of its own. A view that is left out shows what it
   * shows without the state.
   */
  shows: Partial<Record<View, (string | RegExp)[]>>;
  /** The way out does what it says. */
  wayOut?: (window: ChromiumWindow) => Promise<unknown>;
}

const time = '\\d\\d:\\d\\d';
const day = '\\d{1,2} [A-Z][a-z]{2} \\d{4}';
const past = busyDays(12, Date.now() - 60_000);
/** Nothing but the state itself asks for attention. */
const fine: WindowOptions = { past, secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 } };
const refused = (code: string, status = 429) => ({
  kind: 'answer' as const,
  status,
  headers: { 'retry-after': '7200' },
  body: { error: { code, message: code } },
});
const click = (name: string) => async (window: ChromiumWindow) =>
  window.page.getByTestId('banner').getByRole('button', { name }).click();
const status = (stack: Stack, wanted: Status) => expect.poll(() => stack.app.state().status).toBe(wanted);

/** A port that another program has. */
async function takenPort(): Promise<number> {
  const server = createServer();
  blocker = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const states: State[] = [
  {
    name: 'everything works',
    options: fine,
    status: 'on',
    banner: null,
    shows: {
      requests: ['Following new requests'],
      usage: ['Credits by initiator', 'Copilot limits'],
      models: ['Models for Claude Code’s names', 'All models of this account'],
      health: [/^Claude Code can work/],
      settings: ['Signed in as octo-demo'],
    },
  },
  {
    name: 'a request runs',
    options: {
      ...fine,
      before: (stack) => {
        const gate = Promise.withResolvers<void>();
        open.push(gate.resolve);
        stack.simulator.script.next({ kind: 'usual', gate: gate.promise });
        void stack.messages(prompt('hello')).catch(() => undefined);
        return status(stack, 'busy');
      },
    },
    status: 'busy',
    banner: null,
    shows: { requests: ['Waiting for Copilot', '…'] },
    wayOut: async ({ page, stack }) => {
      open.shift()?.();
      await expect.poll(() => page.locator('.requests_row[aria-busy=true]').count()).toBe(0);
      await status(stack, 'on');
    },
  },
  {
    name: 'prompts of a burst wait',
    options: {
      ...fine,
      settings: { version: 1, welcomedAt: 1, limits: { askBeforeBurst: true, burstPerMinute: 1 } },
      before: async (stack) => {
        await stack.messages(prompt('one'));
        void stack.messages(prompt('two')).catch(() => undefined);
        await expect.poll(() => stack.app.state().health.held.prompts).toBe(1);
      },
    },
    status: 'busy',
    banner: /^1 prompt is waiting for you\. More than 1 request started within a minute\.Let it through$/,
    shows: {},
    wayOut: async (window) => {
      await click('Let it through')(window);
      await window.page.getByTestId('banner').waitFor({ state: 'detached' });
      await status(window.stack, 'on');
    },
  },
  {
    name: 'settings can’t be read',
    options: { ...fine, settings: undefined, prepare: (home) => mkdirSync(pathsIn(home).settings) },
    status: 'fatal',
    banner: /^Jumpseat can’t read its settings\. settings\.json can’t be read: .+Open folder$/,
    shows: {},
    wayOut: async (window) => {
      await click('Open folder')(window);
      await expect.poll(() => window.asked.folders).toEqual(['home']);
    },
  },
  {
    name: 'the port is another program’s',
    options: {
      ...fine,
      idle: true,
      before: async ({ app }) => {
        const port = await takenPort();
        await app.changePreferences({ port }, { restart: false });
        await expect(app.startProxy()).rejects.toThrow();
      },
    },
    status: 'port',
    banner: /^Port \d+ is in use by .+ \(pid \d+\)\. The proxy couldn’t start\.Use a free portTry again$/,
    shows: {
      requests: ['Proxy stopped'],
      health: [/^Claude Code can’t work: port \d+ is in use by/, 'Use a free port'],
      settings: [/^Port \d+ is in use by .+\. Only one program can listen there\./],
    },
    wayOut: async (window) => {
      await window.page.getByTestId('banner').getByRole('button', { name: 'Use a free port' }).click();
      await window.page.getByTestId('banner').waitFor({ state: 'detached' });
      await status(window.stack, 'on');
    },
  },
  {
    name: 'a code is out',
    options: {
      ...fine,
      secrets: desktopSecrets(null),
      before: async ({ app }) => {
        await new Promise<void>((resolve) => void app.signIn(() => resolve()).catch(() => undefined));
      },
    },
    status: 'signing-in',
    banner: /^Enter code [A-Z0-9]{4}-[A-Z0-9]{4} on GitHub\.\s*Copy code and open GitHub$/,
    shows: { settings: ['Signed out'], models: ['Sign in to see your models'] },
    wayOut: async (window) => {
      await click('Copy code and open GitHub')(window);
      await expect.poll(() => window.asked.acted).toEqual(['copy-code']);
    },
  },
  {
    name: 'signed out',
    options: { ...fine, secrets: desktopSecrets(null) },
    status: 'signed-out',
    banner: /^You’re signed out\. Claude Code gets error 401 until you sign in\.Sign in$/,
    shows: {
      requests: ['Signed out', 'Following new requests'],
      usage: ['Sign in to see your quota.'],
      models: ['Sign in to see your models', 'The list comes from your account.', 'Sign in'],
      health: ['Claude Code can’t work: not signed in', 'Not signed in.'],
      settings: ['Signed out', 'Claude Code gets error 401 until you sign in.'],
    },
    wayOut: async (window) => {
      await click('Sign in')(window);
      await window.page.getByTestId('device-code').waitFor();
      window.stack.simulator.script.approve();
      await window.page.getByText('Signed in as octo-demo', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'GitHub issues no Copilot token',
    options: {
      ...fine,
      before: async ({ simulator, app }) => {
        simulator.script.refuseMint('subscription_ended');
        await app.refresh();
      },
    },
    status: 'no-access',
    banner:
      /^Subscription ended Your GitHub Copilot subscription has ended\. You are currently logged in as octo-demo\.Open on GitHub$/,
    shows: { health: [/^Claude Code can’t work: /, 'Open on GitHub'] },
    wayOut: async (window) => {
      await click('Open on GitHub')(window);
      await expect
        .poll(() => window.asked.opened)
        .toEqual([expect.stringMatching(/^https:\/\/github\.com\/settings\/copilot/)]);
    },
  },
  {
    name: 'a plan on which GitHub chooses the model',
    options: { ...fine, simulator: { plan: 'student' } },
    status: 'auto-only',
    banner: /^Copilot Student has no model to choose\. GitHub chooses the model there \(Auto\).*See plans$/,
    shows: { health: [/^Claude Code can’t work: /, 'See plans'] },
    wayOut: async (window) => {
      await click('See plans')(window);
      await expect.poll(() => window.asked.opened).toEqual(['https://github.com/features/copilot/plans']);
    },
  },
  {
    name: 'the proxy is off',
    options: { ...fine, before: ({ app }) => app.stopProxy() },
    status: 'off',
    banner: /^The proxy is off\. Claude Code can’t reach Copilot through Jumpseat\.Turn proxy on$/,
    shows: {
      requests: ['Proxy off'],
      health: [
        /^Claude Code can’t work: the proxy is off, so nothing listens on 127\.0\.0\.1:\d+$/,
        'Turn proxy on',
        /^The proxy is off, so nothing listens on 127\.0\.0\.1:\d+\.$/,
      ],
    },
    wayOut: async (window) => {
      await window.go('#/health');
      const { page } = window;
      await page.getByTestId('check-server.address').getByRole('button', { name: 'Turn proxy on' }).click();
      await page
        .locator('.health_verdict')
        .getByText(/^Claude Code can work/)
        .waitFor();
      await status(window.stack, 'on');
      await window.page.getByTestId('proxy-card').getByText('Proxy on').waitFor();
    },
  },
  {
    name: 'out of credits',
    options: { ...fine, simulator: { user: { remaining: 0 } } },
    status: 'exhausted',
    banner: new RegExp(
      `^You’re out of credits\\. Copilot refuses requests until ${day}, ${time}, or until you set or raise a ` +
        `GitHub budget\\.Open billing$`,
    ),
    shows: {
      usage: [new RegExp(`^Out of credits until ${day}, ${time}$`)],
      health: [/^Claude Code can’t work: out of credits until/, 'Open billing'],
    },
    wayOut: async (window) => {
      await click('Open billing')(window);
      await expect.poll(() => window.asked.opened).toEqual(['https://github.com/settings/billing']);
    },
  },
  {
    name: 'out of premium requests',
    options: { ...fine, simulator: { user: { tokenBased: false, entitlement: 1500, remaining: 0 } } },
    status: 'exhausted',
    banner: /^You’re out of premium requests\. Copilot refuses requests until/,
    shows: {},
  },
  {
    name: 'the weekly limit',
    options: {
      ...fine,
      before: async (stack) => {
        stack.simulator.script.next(refused('user_weekly_rate_limited'));
        await stack.messages(prompt('hello'));
      },
    },
    status: 'limited',
    banner: new RegExp(
      `^You’ve reached Copilot’s weekly limit\\. It resets (?:at|on [A-Z][a-z]{2} \\d{1,2} [A-Z][a-z]{2},) ${time}, in \\d h(?: \\d+ min)?\\.See usage$`,
    ),
    shows: { requests: ['429'] },
    wayOut: async (window) => {
      await click('See usage')(window);
      await window.page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    },
  },
  {
    name: 'offline',
    options: {
      ...fine,
      before: async (stack) => {
        await stack.app.models();
        stack.simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
        await stack.messages(prompt('hello'));
        await stack.messages(prompt('hello'));
      },
    },
    status: 'offline',
    banner: new RegExp(
      `^No connection to Copilot\\. 127\\.0\\.0\\.1:\\d+ didn’t answer since ${time}\\. Trying again (in ` +
        `\\d+ s|now)\\.Try again now$`,
    ),
    shows: { models: ['Models for Claude Code’s names', /^Catalog from \d\d:\d\d:\d\d$/] },
    wayOut: async (window) => {
      window.stack.simulator.script.clear();
      await click('Try again now')(window);
      await status(window.stack, 'on');
      await window.page.getByTestId('banner').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'little is left',
    options: { ...fine, simulator: { user: { remaining: 700 } } },
    status: 'low',
    banner: new RegExp(`^10% of your credits are left\\. 700 of 7,000, until ${day}, ${time}\\.See usage$`),
    shows: { usage: ['6,300'] },
    wayOut: async (window) => {
      await window.page.getByRole('button', { name: 'Dismiss' }).click();
      await window.page.getByTestId('banner').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'past what is included',
    options: {
      ...fine,
      simulator: { user: { remaining: 0, overagePermitted: true } },
      before: async (stack) => {
        // Somebody can be asked.
        stack.app.listen(() => undefined);
        await stack.app.refresh();
        void stack.messages(prompt('one')).catch(() => undefined);
        await expect.poll(() => stack.app.state().health.held.prompts).toBe(1);
      },
    },
    status: 'low',
    banner:
      /^1 prompt is waiting for you\. It would be billed to your GitHub budget: your included credits are used up\.Allow for todayNot today$/,
    shows: {},
    wayOut: async (window) => {
      await click('Allow for today')(window);
      await window.page
        .getByText('You’re past your included credits. Requests are billed to your GitHub budget')
        .waitFor();
      expect((await window.stack.rows(1))[0]).toMatchObject({ status: 200, initiator: 'user' });
      await click('Open billing')(window);
      await expect.poll(() => window.asked.opened).toEqual(['https://github.com/settings/billing']);
    },
  },
  {
    name: 'no keychain',
    options: { ...fine, secrets: { ...desktopSecrets(), ...memorySecrets({ 'github-token': fakeGithubToken }) } },
    status: 'no-keychain',
    banner: /^No keychain on this machine\. You stay signed in until you quit Jumpseat\.Choose storage…$/,
    shows: {
      health: ['In memory until you quit; no keychain', 'Choose storage…'],
      settings: ['In memory until you quit', 'Choose storage…'],
    },
    wayOut: async (window) => {
      await click('Choose storage…')(window);
      await window.page.getByRole('dialog', { name: 'Where is the token stored?' }).waitFor();
    },
  },
];

const settled: Readonly<Record<View, (window: ChromiumWindow) => Promise<unknown>>> = {
  requests: ({ page }) => page.locator('.list-foot').waitFor(),
  usage: ({ page }) => page.locator('.usage_usage-figures').waitFor(),
  models: ({ page }) => expect.poll(() => page.getByText('Reading the models…').count()).toBe(0),
  health: ({ page }) => page.getByRole('button', { name: 'Check again', exact: true }).waitFor(),
  settings: ({ page }) => page.getByRole('heading', { name: 'Account' }).waitFor(),
};

describe.each(states)('$name', ({ options, status: wanted, banner, shows, wayOut }) => {
  it('is said in every view that has something to say, with its way out, in both themes', async () => {
    const window = await chromium.window(options);
    const { page, stack } = window;
    await status(stack, wanted);
    const slot = page.getByTestId('banner');
    for (const view of views) {
      await window.go(`#/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled[view](window);
      // There its first sentence says it, with the way out.
      const isSaidThere = view === 'health' && (wanted === 'off' || wanted === 'exhausted');
      if (banner === null || isSaidThere) expect(await slot.count(), view).toBe(0);
      else expect((await slot.textContent())?.replaceAll(/\s+/g, ' '), view).toMatch(banner);
      for (const text of shows[view] ?? []) {
        await page
          .getByText(text, typeof text === 'string' ? { exact: true } : {})
          .first()
          .waitFor();
      }
      if (view !== 'requests' && shows[view] === undefined) continue;
      expect(await window.axe({ view: banner !== null }), view).toEqual([]);
      // Colours alone differ in the other theme: looked at where the banner is, and in every view once.
      if (view !== 'requests' && banner !== null) continue;
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await window.axe({ rules: ['color-contrast'], view: banner !== null }), `${view} in dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await window.go('#/requests');
    await wayOut?.(window);
  });
});

describe('a window that says that the connection is lost', () => {
  const lost: WindowOptions = {
    ...fine,
    before: async (stack) => {
      await stack.app.models();
      stack.simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
      for (const _ of [1, 2]) await stack.messages(prompt('hello'));
    },
  };

  it('looks for it by itself', async () => {
    const { stack, page } = await chromium.window(lost);
    await page.getByTestId('banner').waitFor();
    stack.simulator.script.clear();
    await status(stack, 'on');
    await page.getByTestId('banner').waitFor({ state: 'detached' });
  });

  it('looks at the time that it names, once, and not while it is hidden', async () => {
    let looks = 0;
    const { page, stack } = await chromium.window({
      ...lost,
      // Its time is behind, so that the page is open before the time to look, however slow the machine is.
      beforePage: (page) => page.clock.install({ time: Date.now() - 60_000 }),
      onCall: (name) => {
        if (name !== 'lookAgain') return undefined;
        looks += 1;
        return Promise.reject(Object.assign(new Error('Counted.'), { remedy: 'Go on.' }));
      },
    });
    // What the page asks for at its start fails as well, and then another time is named.
    const times = new Set([stack.app.state().health.offline?.retryAt]);
    stack.app.listen(() => times.add(stack.app.state().health.offline?.retryAt));
    const show = (visibility: 'hidden' | 'visible') =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${visibility === 'hidden'}, configurable: true })`,
      );
    await page
      .getByTestId('banner')
      .getByText(/in \d+ s/)
      .waitFor();
    await show('hidden');
    await page.clock.runFor(120_000);
    expect(looks).toBe(0);
    await show('visible');
    await page.clock.runFor(60_000);
    await page.getByTestId('banner').getByText('Trying again now.').waitFor();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(times.size);
  });
});

describe('another Jumpseat that has the folder', () => {
  it('is looked for while somebody looks; once it has gone, the proxy is off and can be turned on', async () => {
    const { page, stack } = await chromium.window({ ...fine, idle: true });
    const env = { HOME: stack.home, JUMPSEAT_HOME: stack.home, JUMPSEAT_SECRETS: 'memory' };
    const other = new Spawned(['serve', '--json', '--port', '0'], env);
    await other.line();
    await stack.app.startProxy({ port: 0 }).catch(() => undefined);
    const banner = page.getByTestId('banner');
    await banner.getByText(/already running \(pid \d+\)/).waitFor();
    // Its file stays.
    other.child.kill('SIGKILL');
    await other.ended();
    await banner.getByText('The proxy is off.').waitFor();
    await banner.getByRole('button', { name: 'Turn proxy on' }).click();
    await status(stack, 'on');
  });
});

describe('what is not there yet, and what can’t be had', () => {
  /** An error that says what happened and what to do. */
  const trouble = Object.assign(new Error('The disk is gone.'), { remedy: 'Bring it back.' });

  it('the list: grey rows that stand still, then the requests', async () => {
    const list = Promise.withResolvers<void>();
    const { page } = await chromium.window({
      ...fine,
      onCall: (name) => (name === 'exchanges' ? list.promise : undefined),
    });
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await expect.poll(() => page.locator('.requests_grey-rows > div').count()).toBe(8);
    expect(await page.locator('.requests_row').count()).toBe(0);
    list.resolve();
    await page.locator('.requests_row').first().waitFor();
    expect(await page.locator('.requests_grey-rows').count()).toBe(0);
  });

  it('checks: a ring, then why they couldn’t be run, then their findings', async () => {
    const checks = Promise.withResolvers<void>();
    let failing = true;
    const window = await chromium.window({
      ...fine,
      at: '#/health',
      onCall: (name) =>
        name === 'checks' ? checks.promise.then(() => (failing ? Promise.reject(trouble) : undefined)) : undefined,
    });
    const { page } = window;
    await page.locator('.health_verdict').getByText('Checking…').waitFor();
    expect(await window.axe({ view: true })).toEqual([]);
    checks.resolve();
    await page.getByRole('heading', { name: 'The checks couldn’t be run' }).waitFor();
    await page.getByText('The disk is gone.').waitFor();
    expect(await window.axe({ view: true })).toEqual([]);
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .locator('.health_verdict')
      .getByText(/^Claude Code can work/)
      .waitFor();
  });

  it('a setting that couldn’t be saved: said below it, and the old value is back', async () => {
    const window = await chromium.window({
      ...fine,
      at: '#/settings',
      onCall: (name) => (name === 'changePreferences' ? Promise.reject(trouble) : undefined),
    });
    const { page } = window;
    await page.getByRole('switch', { name: 'Start the proxy with Jumpseat' }).click();
    await page.getByText('The disk is gone. Bring it back.').waitFor();
    expect(await page.getByRole('switch', { name: 'Start the proxy with Jumpseat' }).getAttribute('aria-checked')).toBe(
      'true',
    );
    expect(await window.axe({ view: true })).toEqual([]);
  });
});
