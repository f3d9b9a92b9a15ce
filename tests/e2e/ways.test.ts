import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { fetchPatienceMs, fetchRealRuntime, lendRuntime, realRuntime } from '../clients/real-runtime.ts';
import { patienceMs, soon, until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { keychainEntries } from './keychain-entries.ts';
import type { TrayIcon } from './status-notifier.ts';
import { hasDesktop, TrayProgram } from './tray-program.ts';

/** Both ways into Copilot and two accounts, in the real tray and window, with a real keychain and GitHub's runtime. */
describe.skipIf(!hasDesktop || realRuntime === null)('ways and accounts, clicked for real', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let tray: TrayIcon;

  beforeAll(async () => {
    const cache = await fetchRealRuntime();
    desktop = await Desktop.start({ keyring: true });
    simulator = await startSimulator({ deviceInterval: 1 });
    lendRuntime(cache, `${desktop.home}/jumpseat`);
    program = await TrayProgram.start({ desktop, simulator, args: ['--hidden'] });
    tray = await program.tray();
  }, fetchPatienceMs);
  afterAll(async () => {
    try {
      await program?.close();
    } finally {
      await simulator?.close();
      await desktop?.close();
    }
  });

  const asVscode = /^Sent as vscode\/\S+ \(vscode-chat\)$/;
  const asRuntime = 'Sent as copilot/1.0.85 (copilot-sdk), experimental';
  const kept = async () => Object.keys(await keychainEntries(desktop)).join('\n');

  /** As a client with the lines of the tray sends it; the status, and as whom Copilot got it. */
  async function ask(): Promise<[number, string | undefined]> {
    await tray.click('Copy lines for Claude Code', 'settings.json');
    const env: Record<string, string> = await until(async () => JSON.parse(await program.clipboard()).env);
    const before = simulator.requests.length;
    const answer = await fetch(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { authorization: `Bearer ${env.ANTHROPIC_AUTH_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4.6',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'hello' }],
      }),
    });
    await answer.text();
    const sent = simulator.requests.slice(before).find(({ path }) => path === '/v1/messages');
    return [answer.status, sent?.headers['editor-version']];
  }

  /** Settings → Account, by the line of the tray that says who is sent. */
  async function account(line: string | RegExp): Promise<Page> {
    const shown = (await tray.shows(line)).find((one) => (typeof line === 'string' ? one === line : line.test(one)));
    await tray.click(shown ?? '');
    const page = await program.window();
    await until(async () => (await page.evaluate('location.hash')) === '#/settings/account');
    return page;
  }

  it('VS Code’s way is signed in to from the tray, with a code', async () => {
    await tray.shows('Sign in to GitHub…');
    await tray.click('Sign in to GitHub…');
    await tray.shows(/^\(Code/);
    simulator.script.approve();
    await tray.shows(asVscode);
    expect(await ask()).toEqual([200, expect.stringMatching(/^vscode\//)]);
  });

  it('the SDK’s way is chosen by a click, with a token; a wrong one changes nothing', async () => {
    const page = await account(asVscode);
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('radio', { name: /with a token that you make/ }).check();
    const token = page.getByRole('textbox', { name: 'Token' });
    await token.fill('ghp_0123456789012345678901234567890123456');
    await page.getByRole('button', { name: 'Use this way' }).click();
    await page.getByText(/classic personal access token/).waitFor();
    expect(await tray.lines()).toContainEqual(expect.stringMatching(asVscode));
    await token.fill(simulator.ownToken);
    await page.getByRole('button', { name: 'Use this way' }).click();
    await tray.shows(asRuntime);
    await page.getByText(/Through GitHub’s Copilot SDK, with a token that you made/).waitFor();
    expect(await ask()).toEqual([200, 'copilot/1.0.85']);
    expect(await kept()).toContain('fine-grained-token');
  });

  it('and back, to the sign-in that is kept there', async () => {
    const page = await account(asRuntime);
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('radio', { name: 'VS Code’s sign-in' }).check();
    await page.getByRole('button', { name: 'Sign in this way' }).click();
    await tray.shows(asVscode);
    expect(await ask()).toEqual([200, expect.stringMatching(/^vscode\//)]);
  });

  it('a second account is added and signed in to in the window, and used from the tray', async () => {
    const page = await account(asVscode);
    await page.getByRole('textbox', { name: 'Name of another account' }).fill('Work');
    await page.keyboard.press('Enter');
    await tray.shows('Account in use ▸ octo-demo, Work (signed out)');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const code = await page.getByText(/^Enter [A-Z0-9]{4}-[A-Z0-9]{4} at/).textContent();
    await page.getByRole('button', { name: 'Copy code and open GitHub' }).click();
    await until(async () => code?.includes(await program.clipboard()) === true);
    simulator.script.approve();
    await tray.shows('Account in use ▸ octo-demo, Work');
    await tray.click('Account in use', 'Work');
    await tray.shows('(Work: octo-demo · Copilot Pro+)');
    expect((await ask())[0]).toBe(200);
    const reported: unknown = await page.evaluate('jumpseat.exchanges({ limit: 1 })');
    expect(JSON.stringify(reported)).toContain('"account":"Work"');
    expect(await kept()).toContain('github-token-2');
  });

  it('signing out of one asks, and leaves the other; none takes its place', async () => {
    const page = await account(asVscode);
    await page.getByRole('button', { name: 'Sign out…' }).last().click();
    await page.getByRole('dialog', { name: 'Sign out of Work?' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await tray.shows('(Work isn’t signed in)');
    await soon(async () => expect(await kept()).not.toContain('github-token-2'));
    await tray.shows('Account in use ▸ octo-demo, Work (signed out)');
    await tray.click('Account in use', 'octo-demo');
    await tray.shows('(octo-demo · Copilot Pro+)');
    expect((await ask())[0]).toBe(200);
    expect(simulator.script.violations).toEqual([]);
  });
});
