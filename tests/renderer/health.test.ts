import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../app/api/state.ts';
import { flagOf } from '../../renderer/shell/places.tsx';
import { paceOf } from '../../renderer/state/health-checks.ts';
import { jumpseat } from '../app/cli/spawn-jumpseat.ts';
import { prompt } from '../app/stack.ts';
import { exchange } from '../exchange.ts';
import { desktopSecrets, isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const check = (verdict: Check['verdict']): Check => ({
  id: 'machine.clock',
  group: 'machine',
  title: 'Clock',
  verdict,
  finding: '',
  remedy: null,
});

describe('the count beside Health', () => {
  it('is of failures where there are any, else of warnings', () => {
    expect(flagOf(null)).toBeNull();
    expect(flagOf([check('passed'), check('skipped')])).toBeNull();
    expect(flagOf([check('warning'), check('warning')])).toEqual({ kind: 'warning', count: 2, text: '2 warnings' });
    expect(flagOf([check('warning'), check('failed')])).toEqual({ kind: 'failure', count: 1, text: '1 failure' });
  });
});

describe('the pace', () => {
  it('counts what has ended, with the errors that the list has; who left is no error', () => {
    const times = (firstEvent: number | null) => ({ sent: 1, headers: 2, firstEvent, lastEvent: 9 });
    expect(
      paceOf([
        exchange({ times: times(100) }),
        exchange({ times: times(300) }),
        exchange({ startedAt: 7, times: times(200) }),
        exchange({ outcome: 'failed', times: times(null) }),
        exchange({ outcome: 'cancelled', times: times(1) }),
        exchange({ outcome: 'running', times: times(1) }),
        exchange({ path: null, outcome: 'failed' }),
      ]),
    ).toEqual({ requests: 5, left: 1, failed: 2, firstToken: { median: 200, slow: 300 }, lastSuccessAt: 16 });
    expect(paceOf([])).toEqual({ requests: 0, left: 0, failed: 0, firstToken: null, lastSuccessAt: null });
  });
});

describe('Health', () => {
  it('says what works, shows every check of the terminal, and is sound', async () => {
    const shown = await pages.at('health');
    const { page, stack } = shown;
    await page.getByTestId('check-machine.clock').waitFor();
    const checks = await stack.app.checks();
    for (const { id, title } of checks) {
      expect(await page.getByTestId(`check-${id}`).innerText()).toContain(title);
    }
    expect(await page.locator('.health_verdict').innerText()).toMatch(
      /^Claude Code can work, with 1 warning\n?\d+ passed · 1 warning · \d+ skipped · checked \d\d:\d\d:\d\d$/,
    );
    expect(await page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Health, 1 warning' }).count()).toBe(1);
    await isSound(shown);
  });

  it('shows what a change of Jumpseat’s own made of Claude Code’s settings, wherever it was made', async () => {
    const { page, stack } = await pages.at('health', { claude: '{}\n' });
    const settings = page.getByTestId('check-claude-code.settings');
    await settings.getByText('Not set up.').waitFor();
    await stack.app.applySetup((await stack.app.planSetup('setup')).id);
    await settings.getByText('20 keys set in').waitFor();
    await page.getByRole('link', { name: 'Health', exact: true }).waitFor();
    await stack.app.setOverride('sonnet', 'claude-sonnet-4.5');
    await settings.getByText('ANTHROPIC_DEFAULT_SONNET_MODEL is claude-sonnet-4.6 instead of').waitFor();
    await stack.app.applySetup((await stack.app.planSetup('undo')).id);
    await settings.getByText('Not set up.').waitFor();
    await page.getByRole('link', { name: 'Health, 1 warning' }).waitFor();
  });

  it('a banner says so too where Claude Code has another key, and leads to what mends it', async () => {
    const { page, stack, claudeFile } = await pages.at('requests', { claude: '{}\n' });
    await stack.app.applySetup((await stack.app.planSetup('setup')).id);
    const settings = readFileSync(claudeFile, 'utf8');
    writeFileSync(claudeFile, settings.replace(stack.key, 'a-key-of-an-earlier-run'));
    await stack.app.checks();
    const banner = page.getByTestId('banner');
    await banner.getByText('Claude Code has the wrong key.').waitFor();
    expect(await banner.innerText()).toContain('isn’t the one that Jumpseat asks for, so Claude Code gets error 401.');
    await banner.getByRole('button', { name: 'Show changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to settings' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(readFileSync(claudeFile, 'utf8')).toBe(settings);
  });

  it('follows a setup and its undo in a terminal', async () => {
    const { page, stack, claudeFile } = await pages.at('health', { claude: '{}\n' });
    const settings = page.getByTestId('check-claude-code.settings');
    await settings.getByText('Not set up.').waitFor();
    await stack.app.applySetup((await stack.app.planSetup('setup')).id);
    await settings.getByText('20 keys set in').waitFor();
    const env = { JUMPSEAT_HOME: stack.home, CLAUDE_CONFIG_DIR: dirname(claudeFile), HOME: stack.home };
    const undone = await jumpseat(['setup', 'claude-code', '--undo'], env);
    expect([undone.code, undone.err]).toEqual([0, '']);
    await settings.getByText('Not set up.').waitFor();
  });

  it('through VS Code no Copilot token is spoken of', async () => {
    const { page, stack } = await pages.at('health');
    const figures = page.locator('.health_figures-box');
    await figures.getByText('Copilot token').waitFor();
    await stack.app.changePreferences({ reach: 'through-vscode' });
    await figures.getByText('Copilot token').waitFor({ state: 'detached' });
    await page.getByTestId('check-account.token').getByText('None is used: requests go through VS Code.').waitFor();
  });

  it('runs one check alone', async () => {
    const { page, stack } = await pages.at('health');
    await page.getByTestId('check-machine.clock').waitFor();
    const row = page.getByTestId('check-copilot.policy');
    await row.getByText('Nothing has asked for it lately').waitFor();
    expect(await row.getAttribute('class')).toBe('health_check health_passed');
    expect((await stack.messages(prompt('one', { model: 'claude-opus-4.5' }))).status).toBe(404);
    await row.hover();
    await row.getByRole('button', { name: 'Check Model policy again' }).click();
    await row.getByText('gets error 404 when it asks for it.').waitFor();
    stack.simulator.script.setPolicy('claude-sonnet-4.6', 'disabled');
    await row.getByText('Turn it on at github.com/settings/copilot.').waitFor();
    await row.hover();
    const asked = page.waitForRequest((request) => request.url().endsWith('/ui/api/call/check'));
    await row.getByRole('button', { name: 'Check Model policy again' }).click();
    expect((await asked).postDataJSON()).toEqual(['copilot.policy']);
    await expect.poll(() => row.innerText()).toContain('claude-sonnet-4.6');
    await row.getByText('Turn them on at github.com/settings/copilot.').waitFor();
    expect(await stack.app.check('no.such-check')).toBeNull();
  });

  it('signed out: what failed stands first, with the way out', async () => {
    const shown = await pages.at('health', { secrets: desktopSecrets(null) });
    const { page } = shown;
    await page.getByTestId('check-account.signed-in').waitFor();
    expect(await page.locator('.health_verdict b').innerText()).toBe('Claude Code can’t work: not signed in');
    const first = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first();
    expect(await first.getAttribute('data-testid')).toBe('check-account.signed-in');
    await isSound(shown);
    await first.getByRole('button', { name: 'Sign in' }).click();
    await page.getByTestId('device-code').waitFor();
  });

  it('without credits says so once and with its button, and in the request no more than the client was told', async () => {
    const { page, stack } = await pages.at('health');
    await page.getByTestId('check-machine.clock').waitFor();
    expect((await stack.messages(prompt('hello'))).status).toBe(200);
    const body = { error: { code: 'quota_exceeded', message: 'You have no quota' } };
    stack.simulator.script.next({ kind: 'answer', status: 402, body });
    const refused = await stack.messages(prompt('one more'));
    expect(refused.status).toBe(402);
    await expect
      .poll(() => page.locator('.health_verdict b').innerText())
      .toMatch(/^Claude Code can’t work: out of credits until /);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const first = attention.getByRole('listitem').first();
    expect(await first.getAttribute('data-testid')).toBe('check-account.quota');
    await expect.poll(() => first.getByRole('button', { name: 'Open billing' }).count()).toBe(1);
    expect(await attention.getByTestId('check-copilot.last-success').count()).toBe(0);
    expect(await page.getByTestId('banner').count()).toBe(0);
    // The figure of errors is that of the list.
    await page.getByText('50.0%', { exact: true }).waitFor();
    await page.getByText('1 of the last 2 requests').waitFor();

    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByTestId('banner').getByText('You’re out of credits.').waitFor();
    await page.locator('.requests_row.requests_error').click();
    const error = page.getByTestId('detail').locator('.detail_error-box');
    await error.waitFor();
    const { message } = (JSON.parse(refused.text) as { error: { message: string } }).error;
    expect((await error.innerText()).toLowerCase()).toContain(message.replace('Jumpseat: ', '').toLowerCase());
    expect((await error.innerText()).match(/credits/g)).toHaveLength(1);
  });

  it('a change of what it looks at is looked at again by itself', async () => {
    const { page, stack } = await pages.at('health');
    await page.getByTestId('check-machine.clock').waitFor();
    await stack.app.signOut();
    await expect.poll(() => page.locator('.health_verdict b').innerText()).toContain('not signed in');
  });

  it('says which requests its figures count, and from when on the first token is measured', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((id, at) =>
      exchange({ id, startedAt: Date.now() - 60_000, outcome: at === 0 ? 'cancelled' : 'done' }),
    );
    const { page } = await pages.at('health', { rows });
    await page.getByText('Last 3 requests, without 1 that its client left', { exact: true }).waitFor();
    const first = page.getByTitle('From the arrival of a request to the first token that Copilot sends');
    expect(await first.innerText()).toMatch(/First token\s+1\.24 s/);
  });

  it('while it is open its rows follow the requests, their failures and the quota', async () => {
    // So little that one request shows.
    const { page, stack } = await pages.at('health', {
      before: async ({ simulator }) => simulator.script.setRemaining(50),
    });
    const row = (id: string) => page.getByTestId(`check-${id}`);
    await row('copilot.last-success').getByText('No request was made yet.').waitFor();
    const quota = await row('account.quota').innerText();
    expect((await stack.messages(prompt('hello'))).status).toBe(200);
    await row('copilot.last-success')
      .getByText(/^\d\d:\d\d:\d\d$/)
      .waitFor();
    await page.getByText('Last request').first().waitFor();
    await expect.poll(() => row('account.quota').innerText()).not.toBe(quota);
    stack.simulator.script.next({ kind: 'answer', status: 500, body: {} });
    expect((await stack.messages(prompt('hello again'))).status).toBe(500);
    // Nothing in it grows old.
    await row('copilot.last-success')
      .getByText(/^No request worked since \d\d:\d\d:\d\d\.$/)
      .waitFor();
    expect((await stack.messages(prompt('hello once more'))).status).toBe(200);
    await row('copilot.last-success')
      .getByText(/^\d\d:\d\d:\d\d$/)
      .waitFor();
  });

  it('its count in the sidebar follows the requests, too, while another view is open', async () => {
    const { page, stack } = await pages.at('health');
    await page.getByTestId('check-machine.clock').waitFor();
    await page.getByRole('link', { name: 'Requests' }).click();
    const flag = page.getByRole('link', { name: /^Health/ });
    const name = () => flag.getAttribute('aria-label');
    const before = await name();
    stack.simulator.script.next({ kind: 'answer', status: 500, body: {} });
    expect((await stack.messages(prompt('hello'))).status).toBe(500);
    await expect.poll(name).not.toBe(before);
    expect((await stack.messages(prompt('hello again'))).status).toBe(200);
    await expect.poll(name).toBe(before);
  });

  it('no setup is no warning once Claude Code came in by lines or variables', async () => {
    const { page, stack } = await pages.at('health');
    const row = page.getByTestId('check-claude-code.settings');
    await row.getByText('Not set up.').waitFor();
    expect(await row.innerText()).toContain('Claude Code’s settings');
    expect(await row.getAttribute('class')).toBe('health_check health_warning');
    await stack.messages(prompt('hello'), { authorization: `Bearer ${stack.key}.claude-code` });
    await row.getByText('Claude Code found Jumpseat by other means at').waitFor();
    expect(await row.getAttribute('class')).toBe('health_check health_skipped');
  });

  it('a request by the setup shows no other way in once that is undone', async () => {
    const { page, stack } = await pages.at('health', { claude: '{}\n' });
    const row = page.getByTestId('check-claude-code.settings');
    const ask = async () => {
      const { status } = await stack.messages(prompt('hello'), { authorization: `Bearer ${stack.key}.claude-code` });
      expect(status).toBe(200);
    };
    await stack.app.applySetup((await stack.app.planSetup('setup')).id);
    await row.getByText('20 keys set in').waitFor();
    await ask();
    await stack.app.applySetup((await stack.app.planSetup('undo')).id);
    await row.getByText('Not set up.').waitFor();
    expect(await row.getAttribute('class')).toBe('health_check health_warning');
    await ask();
    await row.getByText('Claude Code found Jumpseat by other means at').waitFor();
  });

  it('what was found before a request is not shown after it', async () => {
    const { page, stack } = await pages.at('health');
    await page.getByText('No request yet').first().waitFor();
    await page.getByRole('link', { name: 'Requests' }).click();
    const { status } = await stack.messages(prompt('hello'));
    expect(status).toBe(200);
    // Its end has reached the page, too.
    await expect.poll(() => page.getByTestId('request-grid').innerText()).toMatch(/claude-sonnet-4\.6[\s\S]*\d\.\d{2}/);
    await page.getByRole('link', { name: /^Health/ }).click();
    await page.getByText('Last request').first().waitFor();
  });
});
