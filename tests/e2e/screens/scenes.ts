import { nodeClock } from '../../../app/adapters/clock.ts';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import type { Exchange, Shape } from '../../../app/api/exchange.ts';
import type { Ports } from '../../../app/ports.ts';
import type { SimulatorOptions } from '../../../app/simulator/options.ts';
import { sendTo } from '../../app/stack.ts';
import { busyDays } from '../../renderer/example-exchanges.ts';
import { desktopSecrets } from '../../renderer/page-of-health-and-settings.ts';
import { monthOfWork } from '../../renderer/usage-models-page.ts';
import type { ChromiumWindow, WindowOptions } from '../chromium-window.ts';
import { now } from './fixed-time.ts';
import { sessionScenes } from './session-scenes.ts';

export interface Scene extends WindowOptions {
  /** Of the file. */
  name: string;
  /** Brings the page to what is to be seen. */
  show: (window: ChromiumWindow) => Promise<unknown>;
  /** Before its window closes. */
  end?: () => void;
}

type Look = NonNullable<WindowOptions['context']>;
const light: Look = { colorScheme: 'light' };
const dark: Look = { colorScheme: 'dark' };
const small: Look = { viewport: { width: 720, height: 480 }, ...light };
const both = { light, dark };

/** Times that are measured stand still too, and GitHub's clock is ours. */
function ports(): Partial<Ports> {
  const dialer = nodeDialer();
  let ticks = 0;
  return {
    clock: {
      ...nodeClock(),
      ticks: () => {
        ticks += 7;
        return ticks;
      },
    },
    dialer: {
      close: () => dialer.close(),
      dial: async (request) => {
        const dialed = await dialer.dial(request);
        dialed.response.headers.date = new Date(now).toUTCString();
        return dialed;
      },
    },
  };
}

const alex = {
  login: 'alexr-dev',
  plan: 'individual_pro',
  sku: 'plus_yearly_subscriber_quota',
  remaining: 2002.13,
  resetDate: '2026-12-01T00:00:00.000Z',
};

/** On a plan where GitHub chooses the model. */
const student: SimulatorOptions = {
  plan: 'student',
  user: { plan: 'individual', sku: 'free_educational_quota', entitlement: 200, remaining: 150 },
};

/** A port that is free, most of the time. */
const port = 4180;
const setupBefore = JSON.stringify({ model: 'opus', permissions: { allow: ['Bash(npm run test:*)'] } }, null, 2);

/** Signed in, the proxy on, a day of work behind. */
export function usual(more: WindowOptions = {}): WindowOptions {
  return {
    ports: ports(),
    idle: true,
    past: today(),
    settings: { version: 1, welcomedAt: now - 86_400_000 },
    claude: setupBefore,
    secrets: desktopSecrets(),
    environment: { SHELL: '/bin/zsh' },
    ...more,
    simulator: { ...more.simulator, user: { ...alex, ...more.simulator?.user } },
    app: { version: '1.0.0', ...more.app },
    before: async (stack) => {
      await stack.app.startProxy({ port });
      await more.before?.(stack);
    },
  };
}

/** A day of work; its side requests went to a model that this account has. */
function today(): Exchange[] {
  return withCatalog(busyDays(241, now - 8000)).map((row) => ({ ...row, shape }));
}

const shape: Shape = {
  request: {
    ...{ bytes: 231_402, messages: { user: 14, assistant: 13 }, tools: 31, images: 1 },
    thinking: 'adaptive, effort high',
    context: {
      parts: { system: 3_080, tools: 14_200, mcp: 3_110, memory: 1_910, user: 540, assistant: 6_120, results: 24_900 },
      room: 64_000,
    },
  },
  ...{ answer: null, toolsBefore: [] },
};

/** A month of work, as Usage wants it. Some of it went past Jumpseat, so that GitHub has counted more. */
function month(): Exchange[] {
  return withCatalog(monthOfWork(now - 8000).filter((_, index) => index % 10 < 7));
}

function withCatalog(rows: Exchange[]): Exchange[] {
  const known = (model: string | null) => (model === 'gpt-4o-mini' ? 'gpt-5-mini' : model);
  return rows.map((row) => ({ ...row, askedModel: known(row.askedModel), servedModel: known(row.servedModel) }));
}

/** As older yearly plans bill: premium requests for what a person asked. */
const monthOfPremium = (): Exchange[] =>
  month().map((row) => {
    if (row.charge.kind === 'none' || row.charge.kind === 'unknown') return row;
    const counts = row.servedModel?.includes('opus') ? 5 : row.servedModel?.includes('haiku') ? 0.33 : 1;
    const premiumRequests = row.initiator === 'user' && row.servedModel !== 'gpt-5-mini' ? counts : 0;
    const kind = premiumRequests > 0 ? ('billed' as const) : ('free' as const);
    return { ...row, charge: { kind, nanoAiu: null, premiumRequests, partial: false, details: [] } };
  });

/** A request of today whose detail has something in every part. */
const prompt = (() => {
  const found = today().findLast(
    ({ initiator, outcome, servedModel }) =>
      initiator === 'user' && outcome === 'done' && servedModel === 'claude-opus-4.8',
  );
  return found?.id ?? '';
})();

const list = ({ page }: ChromiumWindow) => page.getByText('Following new requests').waitFor({ state: 'attached' });
const detail = ({ page }: ChromiumWindow) => page.getByTestId('detail').getByText('Belongs to').waitFor();
const timing = async (window: ChromiumWindow) => {
  await detail(window);
  await window.page.getByTestId('detail-tab-timing').click();
};
const usage = async ({ page }: ChromiumWindow) => {
  await page.getByTestId('chart-split').waitFor();
  await page.getByRole('treegrid').getByRole('row').nth(3).waitFor();
};
const models = ({ page }: ChromiumWindow) => page.getByTestId('model-row-opus').waitFor();
const health = async ({ page }: ChromiumWindow) => {
  await page.getByTestId('check-machine.clock').waitFor();
  await page.getByRole('button', { name: 'Check again', exact: true }).waitFor();
};
const settings = ({ page }: ChromiumWindow) => page.getByRole('heading', { name: 'Proxy' }).waitFor();
const banner = ({ page }: ChromiumWindow) => page.getByTestId('banner').waitFor();

/** Some that run while one looks. */
async function running(window: ChromiumWindow): Promise<void> {
  const { stack, page } = window;
  const never = new Promise<never>(() => undefined);
  const ask = (initiator: 'user' | 'agent') =>
    sendTo(`http://127.0.0.1:${port}`, {
      method: 'POST',
      path: '/v1/messages',
      headers: {
        authorization: `Bearer ${stack.key}.claude-code`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'user-agent': 'claude-cli/2.1.328 (external, cli)',
        'x-claude-code-session-id': '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3',
        'x-claude-code-prompt-id': '3c1f77a0-93f1-4e0c-8a15-d2b64c90fe11',
        'x-claude-code-request-class': initiator === 'user' ? 'main' : 'subagent',
        ...(initiator === 'agent' && { 'x-claude-code-agent-type': 'Explore', 'x-claude-code-agent-id': 'a5de3fa0' }),
      },
      body: JSON.stringify({
        model: initiator === 'user' ? 'opus' : 'haiku',
        max_tokens: 500,
        stream: true,
        messages: [{ role: 'user', content: 'hello' }],
      }),
    }).catch(() => undefined);
  stack.simulator.script.next({ kind: 'usual', before: (index) => (index > 3 ? never : undefined) });
  void ask('user');
  await page.locator('.requests_row[aria-busy=true]').getByText('200').waitFor();
  stack.simulator.script.next({ kind: 'usual', gate: never });
  void ask('agent');
  await page.locator('.requests_row[aria-busy=true]').nth(1).waitFor();
}

/** Through VS Code, and no window of it is open. */
const throughVscode = { version: 1, welcomedAt: now - 86_400_000, reach: 'through-vscode' };

const views: Scene[] = Object.entries(both).flatMap(([theme, context]) => [
  { ...usual({ context, at: '#/requests' }), name: `requests-${theme}`, show: list },
  { ...usual({ context, at: `#/requests/${prompt}` }), name: `detail-${theme}`, show: detail },
  { ...usual({ context, at: '#/usage', past: month() }), name: `usage-${theme}`, show: usage },
  { ...usual({ context, at: '#/models', past: month() }), name: `models-${theme}`, show: models },
  { ...usual({ context, at: '#/health' }), name: `health-${theme}`, show: health },
  { ...usual({ context, at: '#/settings' }), name: `settings-${theme}`, show: settings },
  {
    ...usual({ context, at: '#/sign-in', secrets: desktopSecrets(null), past: [] }),
    name: `sign-in-${theme}`,
    show: async ({ page }) => page.getByTestId('device-code').waitFor(),
  },
  {
    ...usual({ context, at: '#/welcome', past: [], settings: { version: 1 } }),
    name: `first-run-${theme}`,
    show: async ({ page }) => page.getByRole('button', { name: 'Add to settings' }).waitFor(),
  },
]);

const states: Scene[] = [
  { ...usual({ context: dark, at: `#/requests/${prompt}` }), name: 'detail-timing-dark', show: timing },
  {
    ...usual({ context: light, at: '#/requests' }),
    name: 'requests-running-light',
    show: async (window) => {
      await list(window);
      await running(window);
    },
  },
  {
    ...usual({ context: light, at: '#/requests', past: [] }),
    name: 'requests-empty-light',
    show: ({ page }) => page.getByText('No requests yet').waitFor(),
  },
  {
    ...usual({ context: light, at: '#/requests', before: ({ app }) => app.stopProxy() }),
    name: 'requests-off-light',
    show: banner,
  },
  {
    ...usual({ context: dark, at: '#/requests', simulator: { user: { remaining: 0 } } }),
    name: 'requests-exhausted-dark',
    show: banner,
  },
  {
    ...usual({ context: light, at: '#/requests', past: [], secrets: desktopSecrets(null) }),
    name: 'requests-signed-out-light',
    show: banner,
  },
  {
    ...usual({
      context: light,
      at: '#/usage',
      past: monthOfPremium(),
      simulator: { user: { tokenBased: false, entitlement: 1500, remaining: 477 } },
    }),
    name: 'usage-premium-light',
    show: usage,
  },
  {
    ...usual({ context: dark, at: '#/usage', past: [] }),
    name: 'usage-empty-dark',
    show: ({ page }) => page.getByText('Nothing in this period').waitFor(),
  },
  {
    ...usual({ context: light, at: '#/models' }),
    name: 'models-override-light',
    show: async (window) => {
      await models(window);
      await window.page.getByRole('button', { name: 'Add override' }).click();
      await window.page.getByRole('textbox', { name: 'Claude Code asks for' }).fill('claude-3-*');
    },
  },
  {
    ...usual({ context: light, at: '#/models', simulator: student }),
    name: 'models-auto-only-light',
    show: banner,
  },
  {
    ...usual({ context: light, at: '#/health', before: ({ app }) => app.stopProxy() }),
    name: 'health-off-light',
    show: health,
  },
  {
    ...usual({
      ...{ context: light, at: '#/settings/limits', past: month() },
      settings: {
        ...{ version: 1, welcomedAt: now - 86_400_000 },
        limits: {
          creditsPerMonth: 7000,
          rules: [
            { model: 'opus', credits: 800, per: 'day', action: 'stop' },
            { client: 'ci', credits: 1500, per: 'month', action: 'warn' },
          ],
        },
      },
    }),
    name: 'settings-limits-light',
    show: async ({ page }) => {
      await page.getByRole('table', { name: 'Limits that are set' }).scrollIntoViewIfNeeded();
    },
  },
  ...[
    { look: light, as: 'light' },
    { look: dark, as: 'dark' },
    { look: small, as: '720x480' },
  ].map(({ look, as }) => ({
    ...usual({
      ...{ context: look, at: '#/settings/rules' },
      settings: {
        ...{ version: 1, welcomedAt: now - 86_400_000 },
        models: {
          rules: [
            {
              when: { class: 'subagent' },
              use: { model: 'gpt-5-mini', effort: 'low', limit: { credits: 200, per: 'day', action: 'stop' } },
            },
            { when: { folder: '~/work', model: 'opus' }, use: { fallback: 'claude-sonnet-4.6' } },
          ],
        },
      },
    }),
    name: `settings-rules-${as}`,
    show: async ({ page }: ChromiumWindow) => {
      const form = page.getByRole('form', { name: 'Try a request' });
      await form.getByLabel('Its model').fill('opus');
      await form.getByLabel('Its class').selectOption('Subagent');
      await form.getByRole('button', { name: 'Try' }).click();
      await page.getByText('Rule 1 (class subagent) is the first that is for this request.').waitFor();
    },
  })),
  {
    ...usual({
      context: light,
      at: '#/settings/clients',
      before: async ({ app }) => {
        for (const name of ['codex', 'zed'] as const)
          await app.applyClient((await app.planClient(name, null, 'setup')).id);
      },
    }),
    name: 'settings-clients-light',
    show: async ({ page }) => page.getByText('Models: set up by Jumpseat').waitFor(),
  },
  {
    ...usual({ context: light, at: '#/settings/web-search' }),
    name: 'settings-web-search-light',
    show: async ({ page }) => {
      await page.getByRole('combobox', { name: 'Add an engine' }).selectOption('Brave');
      await page.getByLabel('Key for Brave', { exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search query' }).fill('latest stable node version');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText('3 pages').waitFor();
    },
  },
  {
    ...usual({
      context: light,
      at: '#/settings/account',
      before: async ({ app }) => {
        const id = await app.addAccount('Work');
        await app.bindAccount(id, ['work', 'ci']);
        await app.renameAccount('first', 'Private');
      },
    }),
    name: 'settings-end-light',
    show: async ({ page }) => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Copy code and open GitHub').waitFor();
    },
  },
];

const looks: [string, Look][] = [
  ['high-contrast-dark', { colorScheme: 'dark', contrast: 'more' }],
  ['forced-colors', { colorScheme: 'dark', forcedColors: 'active' }],
];

/** What a window of 1200 × 800 has left at 200 %. */
const zoomed: Look = { viewport: { width: 600, height: 400 }, deviceScaleFactor: 2, ...light };

const forEveryone: Scene[] = [
  ...looks.map(
    ([name, context]): Scene => ({
      ...usual({ context, at: `#/requests/${prompt}` }),
      name: `detail-${name}`,
      show: detail,
    }),
  ),
  {
    ...usual({ context: { colorScheme: 'dark', forcedColors: 'active' }, at: '#/usage', past: month() }),
    name: 'usage-forced-colors',
    show: usage,
  },
  { ...usual({ context: small, at: '#/requests' }), name: 'requests-720x480', show: list },
  { ...usual({ context: small, at: `#/requests/${prompt}` }), name: 'detail-720x480', show: detail },
  { ...usual({ context: small, at: '#/usage', past: month() }), name: 'usage-720x480', show: usage },
  { ...usual({ context: small, at: '#/models' }), name: 'models-720x480', show: models },
  { ...usual({ context: small, at: '#/health' }), name: 'health-720x480', show: health },
  { ...usual({ context: small, at: '#/settings' }), name: 'settings-720x480', show: settings },
  {
    ...usual({
      context: { ...small, viewport: { width: 720, height: 330 } },
      at: '#/settings/account',
      settings: throughVscode,
    }),
    name: 'settings-reach-720x330',
    show: ({ page }) => page.getByText('no window of VS Code serves them. Open VS Code').first().waitFor(),
  },
  { ...usual({ context: zoomed, at: '#/requests' }), name: 'requests-zoom-200', show: list },
  { ...usual({ context: zoomed, at: '#/settings' }), name: 'settings-zoom-200', show: settings },
  ...(['requests', 'usage'] as const).map((place): Scene => {
    const context = { viewport: { width: 2560, height: 1000 }, ...dark };
    return {
      ...usual({ context, at: `#/${place}`, past: place === 'usage' ? month() : today() }),
      name: `${place}-2560`,
      show: place === 'usage' ? usage : list,
    };
  }),
];

export const scenes: readonly Scene[] = [...views, ...states, ...forEveryone, ...sessionScenes(usual)];
