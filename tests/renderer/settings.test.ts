import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { policyRows } from '../../app/settings/policy.ts';
import { SettingsStore } from '../../app/settings/settings.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { useNames } from '../../app/words/setup.ts';
import { temporaryFolder } from '../app/adapters/folder.ts';
import { codexBinary } from '../clients/codex.ts';
import { freePort } from '../free-port.ts';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import { busyDays } from './example-exchanges.ts';
import { desktopSecrets, isSound, noKeychain, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

describe('what an organization decided', () => {
  it('is said at each setting, and can’t be changed there', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'policy.json');
    const rules = {
      theme: { value: 'dark' },
      githubHost: { value: null },
      reach: { value: 'directly' },
      'search.engines': { value: ['off'] },
      'otlp.endpoint': { value: 'https://otlp.octo.example' },
      mayRecord: { value: false },
      historyDays: { max: 30 },
    };
    writeFileSync(path, JSON.stringify({ version: 1, settings: rules }));
    const source = { paths: [path], owner: null, convert: () => '' };
    const { store } = SettingsStore.open(join(folder, 'settings.json'), { write: () => undefined }, null, source);
    const shown = await pages.at('settings', { stack: { app: { settings: { store, warnings: [] } } } });
    const { page, stack } = shown;
    const setting = (title: string) =>
      page.locator('.settings_setting').filter({ has: page.getByText(title, { exact: true }) });
    for (const title of [
      'Appearance',
      'GitHub host',
      'Reach Copilot',
      'Engines',
      'OpenTelemetry collector',
      'Record bodies',
    ]) {
      await setting(title).first().getByText('Set by your organization.').waitFor();
      for (const control of await setting(title).first().locator('button, input, select').all())
        expect([title, await control.isDisabled()]).toEqual([title, true]);
    }
    expect(await page.getByRole('button', { name: 'Ask', exact: false }).count()).toBe(0);
    await setting('Save request history').getByText('Your organization limits this to at most 30.').waitFor();
    const days = page.getByRole('combobox', { name: 'Save request history' });
    await days.selectOption('7 days');
    await expect.poll(() => stack.app.preferences().historyDays).toBe(7);
    await days.selectOption('90 days');
    await page.getByText('“Save request history” is limited by your organization.').waitFor();
    expect(stack.app.preferences().historyDays).toBe(7);
    await isSound(shown);
  });

  it('is said of every setting that has a field in a browser, and its controls are off', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'policy.json');
    const port = await freePort();
    const fields = [...policyRows].flatMap(([name, { label, section, default: value }]) =>
      label === undefined || section === undefined
        ? []
        : [{ name, label, section, value: name === 'port' ? port : value }],
    );
    const rules = Object.fromEntries(fields.map(({ name, value }) => [name, { value }]));
    writeFileSync(path, JSON.stringify({ version: 1, settings: rules }));
    const source = { paths: [path], owner: null, convert: () => '' };
    const { store } = SettingsStore.open(join(folder, 'settings.json'), { write: () => undefined }, null, source);
    expect(store.policyProblem).toBe(null);
    const { page } = await pages.at('settings', { stack: { idle: true, app: { settings: { store, warnings: [] } } } });
    await page.getByText('Set by your organization.').first().waitFor();
    const found = await page.evaluate(
      (wanted) =>
        wanted.map(({ name, label, section }) => {
          const within = document.getElementById(`settings-${section}`) ?? document.body;
          const titled = [...within.querySelectorAll('.settings_setting')].find(
            (one) => one.querySelector('.settings_setting-text > span')?.textContent === label,
          );
          // Of the tray app alone, or beside a choice that isn't made.
          if (titled === undefined) return null;
          const controls = [
            ...titled.querySelectorAll('.settings_setting-control :is(button, input, select, textarea)'),
          ];
          const isOff = controls.every((one) => one.matches(':disabled'));
          const isSaid = titled.textContent?.includes('Set by your organization.') === true;
          return `${name}: ${isOff && isSaid ? 'decided' : `off ${isOff}, said ${isSaid}`}`;
        }),
      fields,
    );
    const shown = found.filter((one) => one !== null);
    expect(shown.filter((one) => !one.endsWith(': decided'))).toEqual([]);
    expect(shown.length).toBeGreaterThan(30);
  });

  it('can’t be known while its policy is broken: nothing can be changed, and the top says why', async () => {
    // As in the tray app's window: the dashboard isn't served then.
    const problem = { code: 'policy', text: 'The policy /etc/p.json can’t be used: …', remedy: 'Ask.' };
    const shown = await pages.at('settings', { stack: { app: { warnings: [problem] } } });
    const { page } = shown;
    const trouble = page.getByTestId('policy-trouble');
    await trouble.getByText('Settings can’t be changed until your organization’s policy is corrected.').waitFor();
    expect(await trouble.textContent()).toContain(problem.text);
    for (const name of ['Appearance', 'Save request history', 'Credits per day', 'PAC script', 'Rules']) {
      const controls = page.getByRole('group', { name, exact: true }).locator('button, input, select');
      for (const control of await controls.all()) expect([name, await control.isDisabled()]).toEqual([name, true]);
    }
    expect(await page.getByRole('combobox', { name: 'Save request history' }).isDisabled()).toBe(true);
    expect(await page.getByRole('textbox', { name: 'PAC script' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0);
    await isSound(shown);
  });
});

describe('another place', () => {
  it('is a socket by its switch, and one more address only after a question that says who can reach it', async () => {
    const shown = await pages.at('settings/proxy');
    const { page, stack } = shown;
    await page.getByRole('switch', { name: 'Unix socket' }).click();
    const socket = join(stack.home, 'socket', 'jumpseat.sock');
    await page.getByText(`Open: ${socket}, for your user only.`).waitFor();
    expect(statSync(socket).mode & 0o777).toBe(0o600);

    const field = page.getByRole('textbox', { name: 'Another address' });
    await field.fill('0.0.0.0');
    await field.press('Enter');
    await page.getByText('0.0.0.0 means every network of this machine').waitFor();
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const { address } = own.find(({ family, internal }) => family === 'IPv4' && !internal) ?? {};
    if (address === undefined) return;
    await field.fill(address);
    await field.press('Enter');
    const question = page.getByRole('dialog', { name: `Listen on ${address}?` });
    await question.getByText('every user of this machine').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(stack.app.preferences().proxy.address).toBe(null);
    expect(await field.inputValue()).toBe('');

    await field.fill(address);
    await field.press('Enter');
    await question.getByRole('button', { name: 'Listen' }).click();
    await page.getByText(`Open: http://${address}:${new URL(stack.baseUrl).port}, for`).waitFor();
    await isSound(shown);
    await field.fill('');
    await field.press('Enter');
    await expect.poll(() => stack.app.preferences().proxy.address).toBe(null);
    await expect.poll(() => page.getByText(`Open: http://${address}`).count()).toBe(0);
  });
});

describe('a setting', () => {
  it('is in the section that the list marks, also at the end of the page', async () => {
    const { page } = await pages.at('settings');
    const list = page.getByRole('navigation', { name: 'Sections' });
    const marked = list.locator('[aria-current=true]');
    await list.getByRole('link', { name: 'Proxy', exact: true }).click();
    await expect.poll(() => marked.innerText()).toBe('Proxy');
    await page.getByRole('region', { name: 'All settings' }).evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await expect.poll(() => marked.innerText()).not.toBe('Proxy');
  });

  it('applies at once, is kept, and another page learns of it', async () => {
    const shown = await pages.at('settings');
    const { page, stack } = shown;
    const other = await page.context().newPage();
    await other.goto((await stack.app.startProxy()).dashboardUrl);
    await page.getByRole('button', { name: 'Dark' }).click();
    const theme = () => document.documentElement.dataset.theme;
    await expect.poll(() => page.evaluate(theme)).toBe('dark');
    await expect.poll(() => other.evaluate(theme)).toBe('dark');
    await expect.poll(() => shown.settings().theme).toBe('dark');
    await page.reload();
    expect(await page.evaluate(theme)).toBe('dark');
    await page.getByRole('combobox', { name: 'Save request history' }).selectOption('For ever');
    await expect.poll(() => stack.app.preferences().historyDays).toBeNull();
    await isSound(shown);
  });

  it('says at the top that the file is damaged and what a change does to it, before and after', async () => {
    const { page, stack } = await pages.at('settings');
    await page.getByRole('button', { name: 'Dark' }).waitFor();
    expect(await page.getByTestId('settings-trouble').count()).toBe(0);
    const file = join(stack.home, 'settings.json');
    writeFileSync(file, '{');
    const kept = /settings\.broken-\d{4}-\d\d-\d\d\.json/;
    const trouble = page.getByTestId('settings-trouble');
    await trouble.getByText('settings.json was changed and can’t be used: it isn’t valid JSON').waitFor();
    const before = await trouble.innerText();
    expect(before).toContain(`Fix ${file}`);
    const name = kept.exec(before)?.[0] ?? '';
    await page.getByRole('button', { name: 'Dark' }).click();
    await trouble.getByText(`It was renamed to ${name}, and a new one was written.`).waitFor();
    expect(readFileSync(join(stack.home, name), 'utf8')).toBe('{');
  });

  it('that is not allowed changes nothing and says why, by the keyboard alone', async () => {
    const { page, stack } = await pages.at('settings/proxy');
    const before = stack.app.preferences().port;
    const port = page.getByRole('textbox', { name: 'Port' });
    await port.fill('80');
    await port.press('Enter');
    await page.getByText('Choose a number from 1024 to 65535.').waitFor();
    expect(await port.getAttribute('aria-invalid')).toBe('true');
    expect(stack.app.preferences().port).toBe(before);
    await port.press('Escape');
    expect(await port.inputValue()).toBe(String(before));
    const low = page.getByRole('textbox', { name: 'Low from, percent used' });
    await low.fill('97');
    await low.press('Enter');
    await page.getByText('the first below the second').waitFor();
    await low.fill('60');
    await low.press('Enter');
    await expect.poll(() => stack.app.preferences().quotaThresholds).toEqual({ warning: 60, alarm: 95 });
  });

  it('the thresholds decide what is low', async () => {
    const { stack } = await pages.at('settings', {
      before: async ({ simulator }) => simulator.script.setRemaining(2500),
    });
    await expect.poll(() => stack.app.state().status).toBe('on');
    await stack.app.changePreferences({ quotaThresholds: { warning: 50, alarm: 90 } });
    expect(stack.app.state().status).toBe('low');
  });

  it('is found by its section where the window is too narrow for their list', async () => {
    const shown = await pages.at('settings', { context: { viewport: { width: 720, height: 480 } } });
    const { page } = shown;
    const section = page.getByRole('combobox', { name: 'Section' });
    await section.selectOption('Notifications');
    const heading = page.getByRole('heading', { name: 'Notifications' });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeLessThan(120);
    expect(page.url()).toContain('#/settings/notifications');
    expect(await section.inputValue()).toBe('notifications');
    // In a browser, that is.
    await page.getByText('Notifications and sounds come from the tray app.').waitFor();
    expect(await page.getByRole('combobox', { name: /^Sound/ }).count()).toBe(0);
    await isSound(shown);
    await page.setViewportSize({ width: 1200, height: 800 });
    await section.waitFor({ state: 'hidden' });
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  });

  it('times in UTC say so', async () => {
    const at = Date.UTC(2026, 10, 20, 9, 30, 5);
    const { page, stack } = await pages.at('health', { rows: busyDays(5, at), context: { timezoneId: 'Asia/Tokyo' } });
    await stack.app.changePreferences({ timeZone: 'utc' });
    await page.getByRole('link', { name: 'Requests' }).click();
    await expect.poll(() => page.getByTestId('request-grid').innerText()).toContain('09:');
    expect(await page.getByTestId('request-grid').innerText()).not.toContain('18:30');
  });
});

describe('Claude Code', () => {
  it('names a model of its settings that is not offered any more, with the way out', async () => {
    const { page, stack, claudeFile, claudeSettings } = await pages.at('settings/claude-code', {
      claude: '{}\n',
      before: async ({ app }) => void (await app.applySetup((await app.planSetup('setup')).id)),
    });
    const named = JSON.parse(claudeSettings()).env.ANTHROPIC_DEFAULT_SONNET_MODEL;
    writeFileSync(claudeFile, claudeSettings().replaceAll(named, 'claude-sonnet-3.5'));
    await page.reload();
    const setting = page.locator('.settings_clients .settings_setting', { hasText: 'Claude Code' }).first();
    await setting.getByText(`ANTHROPIC_DEFAULT_SONNET_MODEL is claude-sonnet-3.5 instead of ${named}`).waitFor();
    await setting.getByRole('button', { name: 'Show changes' }).click();
    await page.getByRole('dialog').getByText('claude-sonnet-3.5').first().waitFor();
    expect(stack.app.state().isDemo).toBe(false);
    expect(await page.getByRole('note').count()).toBe(0);
  });

  it('is set up with the difference in sight, and undone to the byte', async () => {
    const before = '{\n  "theme": "dark",\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://old.example"\n  }\n}\n';
    const shown = await pages.at('settings/claude-code', { claude: before });
    const { page, stack, claudeSettings } = shown;
    await page.getByRole('button', { name: 'Set up Claude Code…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add to settings' }).waitFor();
    const difference = await dialog.locator('.difference_difference').innerText();
    expect(difference).toContain('−   "ANTHROPIC_BASE_URL": "https://old.example"');
    expect(difference).toContain(`+   "ANTHROPIC_BASE_URL": "${stack.baseUrl}"`);
    expect(difference).toContain('"ANTHROPIC_AUTH_TOKEN": "••••••••"');
    expect(difference).toContain('  "env": {');
    expect(difference).toMatch(/^\+ "modelSettings": \{[\s\S]*"gpt-5\.4": \{ "autoCompactWindow": 292000 \}/m);
    expect(await page.content()).not.toContain(stack.key);
    await isSound(shown);
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await page.getByText('Claude Code set up. It takes effect when you start claude.').waitFor();
    expect(JSON.parse(claudeSettings()).env).toMatchObject({
      ANTHROPIC_BASE_URL: stack.baseUrl,
      ANTHROPIC_AUTH_TOKEN: `${stack.key}.claude-code`,
    });
    await page.getByText('20 keys are ours.').waitFor();
    const undo = page.getByRole('button', { name: 'Undo setup of Claude Code…' });
    const top = () => undo.evaluate((button) => button.getBoundingClientRect().top);
    await page.locator('#settings-claude-code').evaluate((section) => section.scrollIntoView());
    expect(await top()).toBeLessThan(0);
    await page.getByRole('button', { name: 'Open Clients' }).click();
    await expect.poll(top).toBeGreaterThan(0);
    await undo.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo setup' }).click();
    await page.getByText('Claude Code setup undone.').waitFor();
    expect(claudeSettings()).toBe(before);
  });

  it.skipIf(process.platform === 'win32').each([
    ['closes', true, 0o600],
    ['leaves open', false, 0o644],
  ])('of a file that other users can read %s it, as the person chooses', async (_what, closes, mode) => {
    const shown = await pages.at('settings/claude-code', { claude: '{}\n' });
    const { page, claudeFile } = shown;
    for (const folder of [dirname(claudeFile), dirname(dirname(claudeFile))]) chmodSync(folder, 0o755);
    chmodSync(claudeFile, 0o644);
    await page.getByRole('button', { name: 'Set up Claude Code…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(`Other users of this machine can read ${claudeFile} (mode 0644), and so the local key`)
      .waitFor();
    const choice = dialog.getByRole('checkbox', { name: 'Make the file readable only for you (mode 0600)' });
    expect(await choice.isChecked()).toBe(true);
    await isSound(shown);
    if (!closes) await choice.uncheck();
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await page.getByText('Claude Code set up. It takes effect when you start claude.').waitFor();
    expect(statSync(claudeFile).mode & 0o777).toBe(mode);
  });

  it('what WebFetch asks Anthropic is chosen with what it means, undone and done again', async () => {
    const shown = await pages.at('settings/claude-code', { claude: '{}\n' });
    const { page, claudeSettings } = shown;
    const wanted = () => JSON.parse(claudeSettings()).skipWebFetchPreflight;
    await page.getByRole('button', { name: 'Set up Claude Code…' }).click();
    const dialog = page.getByRole('dialog');
    const choice = dialog.getByRole('checkbox', { name: 'Let WebFetch load pages without asking Anthropic first' });
    expect(await choice.isChecked()).toBe(false);
    await dialog.getByText('Anthropic’s list of harmful domains no longer protects you').waitFor();
    await choice.check();
    await dialog.getByText('"skipWebFetchPreflight": true').waitFor();
    await isSound(shown);
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await expect.poll(wanted).toBe(true);
    await page.getByRole('button', { name: 'Undo setup of Claude Code…' }).click();
    await dialog.getByRole('button', { name: 'Undo setup' }).click();
    await expect.poll(wanted).toBeUndefined();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(wanted).toBe(true);
  });

  it('conversations that Claude Code deletes soon are named, and kept for a year on a click', async () => {
    const shown = await pages.at('sessions', { claude: '{}\n' });
    const { page, claudeFile, claudeSettings } = shown;
    const kept = () => JSON.parse(claudeSettings()).cleanupPeriodDays;
    await page.evaluate(() => {
      window.location.hash = '#/health';
    });
    // Before any is about to go.
    const check = page.getByTestId('check-claude-code.conversations');
    await check.getByText(/30 days after their last message/).waitFor();
    await check.getByRole('button', { name: 'Keep for a year…' }).waitFor();
    const conversation = join(dirname(claudeFile), 'projects', 'some', 'one.jsonl');
    mkdirSync(dirname(conversation), { recursive: true });
    writeFileSync(conversation, '');
    const old = Date.now() / 1000 - 28 * 86_400;
    utimesSync(conversation, old, old);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText(/ 1 conversation will be deleted within 7 days, the first on /).waitFor();
    expect(await page.getByRole('button', { name: 'Keep for a year…' }).count()).toBe(1);
    await page.evaluate(() => {
      window.location.hash = '#/sessions';
    });
    const list = page.getByTestId('session-list');
    await list.getByText(/ 1 conversation will be deleted within 7 days, the first on /).waitFor();
    await isSound(shown);
    await list.getByRole('button', { name: 'Keep for a year…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Keep conversations for a year?' }).waitFor();
    await dialog.getByText('This sets Claude Code up for Jumpseat, too.').waitFor();
    await dialog.getByText('"cleanupPeriodDays": 365').waitFor();
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await page.getByText('Claude Code keeps conversations for a year.').waitFor();
    expect(kept()).toBe(365);
    await list.getByText(/will be deleted/).waitFor({ state: 'detached' });
    // That alone is taken back in Health, and the rest of the setup stays.
    await page.evaluate(() => {
      window.location.hash = '#/health';
    });
    await check.getByRole('button', { name: 'Undo…' }).click();
    await dialog.getByRole('heading', { name: 'Keep conversations as before?' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove the key' }).click();
    await expect.poll(kept).toBeUndefined();
    expect(JSON.parse(claudeSettings()).env).toHaveProperty('ANTHROPIC_BASE_URL');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(kept).toBe(365);
    await page.evaluate(() => {
      window.location.hash = '#/settings/claude-code';
    });
    await page.getByRole('button', { name: 'Undo setup of Claude Code…' }).click();
    await dialog.getByRole('button', { name: 'Undo setup' }).click();
    await expect.poll(kept).toBeUndefined();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(kept).toBe(365);
    expect(JSON.parse(claudeSettings()).skipWebFetchPreflight).toBeUndefined();
  });

  it('settings that are broken stay as they are, and the line is named', async () => {
    const broken = '{\n  "env": {\n    oops\n  }\n}\n';
    const { page, claudeSettings } = await pages.at('settings/claude-code', { claude: broken });
    await page.getByRole('button', { name: 'Set up Claude Code…' }).click();
    await page.getByText(/isn’t valid JSON \(line 3/).waitFor();
    expect(await page.getByRole('button', { name: 'Add to settings' }).count()).toBe(0);
    expect(claudeSettings()).toBe(broken);
  });

  it('where the key can’t be stored, copies the lines for the shell instead', async () => {
    const { page, stack } = await pages.at('settings/claude-code', {
      secrets: memorySecrets({ 'github-token': fakeGithubToken }),
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByRole('button', { name: 'Set up Claude Code…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up Claude Code' });
    await dialog.getByText('would stop working when Jumpseat quits').waitFor();
    await dialog.getByRole('button', { name: 'Copy lines for the shell' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Lines for Claude Code copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      `set -gx ANTHROPIC_AUTH_TOKEN ${stack.key}.claude-code`,
    );
  });

  it('a plan is applied once, and none that was shown before it afterwards', async () => {
    const { stack, claudeSettings } = await pages.at('settings', { claude: '{}\n' });
    const first = await stack.app.planSetup('setup');
    const second = await stack.app.planSetup('setup');
    await stack.app.applySetup(second.id);
    const written = claudeSettings();
    await expect(stack.app.applySetup(second.id)).rejects.toMatchObject({ code: 'changed' });
    await expect(stack.app.applySetup(first.id)).rejects.toMatchObject({ code: 'changed' });
    expect(claudeSettings()).toBe(written);
  });
});

describe('Clients', () => {
  const own = '# mine\r\nmodel = "o3"   # the best\r\n\r\n[analytics]\r\nenabled = false\r\n';

  it('a real Codex is set up as shown, seen at work, and its file is to the byte as before after undo', async () => {
    const shown = await pages.at('settings/clients', { path: dirname(codexBinary) });
    const { page, stack, home } = shown;
    const file = join(home, '.codex', 'config.toml');
    mkdirSync(dirname(file));
    writeFileSync(file, own);
    const codex = page.locator('.settings_clients > li', { hasText: /^Codex/ });
    await codex.getByText('Models: not set up').waitFor();
    await codex.getByRole('button', { name: 'Set up Codex…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up Codex' });
    await dialog.getByText('+ model_provider = "jumpseat"').waitFor();
    const added = await dialog.locator('.difference_difference .difference_added').allInnerTexts();
    const removed = await dialog.locator('.difference_difference .difference_removed').allInnerTexts();
    expect(removed).toEqual(['− model = "o3"   # the best']);
    expect(await page.content()).not.toContain(stack.key);
    await isSound(shown);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add to settings' }).press('Enter');
    await page.getByText('Codex is set up.').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Set up Codex…');
    await codex.getByText('Models: set up by Jumpseat ·').waitFor();
    const written = readFileSync(file, 'utf8');
    for (const line of added.map((text) => text.slice(2).replace('••••••••', `"${stack.key}.codex"`)))
      expect(written).toContain(line);
    expect(written).not.toContain('"o3"');

    if (existsSync(codexBinary)) {
      await codex.getByText(/^Codex 0\.\d+\.\d+$/).waitFor();
      const { code, err } = await new Started(codexBinary, ['exec', '--skip-git-repo-check', 'hello'], {
        cwd: home,
        withinMs: runPatienceMs,
        env: { HOME: home, PATH: process.env.PATH, HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
      }).ended();
      expect(code, err).toBe(0);
      await codex.getByText(/^Last request \d\d:\d\d:\d\d on gpt-5\.4 · [\d.]+ credits today$/).waitFor();
      const [today] = await stack.app.totals('client', new Date().setHours(0, 0, 0, 0));
      expect(today).toMatchObject({ key: 'codex', user: 1 });
    }

    await codex.getByRole('button', { name: 'Undo setup of Codex…' }).click();
    const undo = page.getByRole('dialog', { name: 'Undo the setup of Codex' });
    await undo.getByText('+ model = "o3"   # the best').waitFor();
    await isSound(shown);
    await undo.getByRole('button', { name: 'Undo setup' }).click();
    await page.getByText('Jumpseat’s entries are gone from Codex’s settings.').waitFor();
    expect(readFileSync(file, 'utf8')).toBe(own);
    await codex.getByText('Models: not set up').waitFor();
    await expect.poll(focused).toBe('Set up Codex…');
  });

  it('one use is chosen in the dialog, and what another tool writes is seen in the list and in Health', async () => {
    const shown = await pages.at('settings/clients', { context: { viewport: { width: 720, height: 480 } } });
    const { page, home } = shown;
    const file = join(home, '.codex', 'config.toml');
    const codex = page.locator('.settings_clients > li', { hasText: /^Codex/ });
    await codex.getByText('Not found').waitFor();
    await codex.getByRole('button', { name: 'Set up Codex…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set up Codex' });
    await dialog.getByRole('button', { name: 'Tools (MCP)' }).click();
    await dialog.getByText('+ [mcp_servers.jumpseat]').waitFor();
    expect(await dialog.locator('.difference_difference').innerText()).not.toContain('model_provider');
    await isSound(shown);
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await codex.getByText('Tools (MCP): set up by Jumpseat ·').waitFor();
    await codex.getByText('Models: not set up').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('[mcp_servers.jumpseat]', '[mcp_servers.other]'));
    const said = 'mcp_servers.jumpseat is gone from ~/.codex/config.toml.';
    await page.evaluate(() => {
      window.location.hash = '#/health';
    });
    await page.getByRole('button', { name: 'Check again' }).click();
    const check = page.getByTestId('check-machine.clients');
    await check.getByText(`Codex: ${said}`).waitFor();
    await check.getByRole('button', { name: 'Show changes' }).click();
    await dialog.getByText('+ [mcp_servers.jumpseat]').waitFor();
    await isSound(shown);
    // The file changes while the person looks.
    writeFileSync(file, '# other\n');
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await dialog.getByText('~/.codex/config.toml changed while you looked. Nothing was written.').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('# other\n');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(() => {
      window.location.hash = '#/settings/clients';
    });
    chmodSync(file, 0o444);
    await codex.getByRole('button', { name: 'Set up Codex…' }).click();
    await dialog.getByText('~/.codex/config.toml is read-only. Nothing was changed.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Add to settings' }).count()).toBe(0);
    chmodSync(file, 0o600);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Add to settings' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await codex.getByText(said).waitFor();
    await isSound(shown);
  });

  // Some twenty dialogs.
  it('each one is set up from its row, says what it still needs, and leaves no file after undo', async () => {
    const shown = await pages.at('settings/clients');
    const { page, stack, home } = shown;
    const before = readdirSync(home).toSorted();
    for (const { name, title, uses } of await stack.app.clients()) {
      const row = page.locator('.settings_clients > li', { hasText: new RegExp(`^${title}`) });
      for (const [index, { use, files }] of uses.entries()) {
        await row.getByRole('button', { name: `Set up ${title}…`, exact: true }).click();
        const dialog = page.getByRole('dialog', { name: `Set up ${title}` });
        if (index > 0) await dialog.getByRole('button', { name: useNames[use], exact: true }).click();
        const plan = await stack.app.planClient(name, use, 'setup');
        for (const { shown } of plan.files) await dialog.getByText(shown, { exact: true }).waitFor();
        expect(plan.files).toHaveLength(files.length);
        if (plan.next !== null) await dialog.getByText(plan.next).waitFor();
        expect(await dialog.innerText()).not.toContain(stack.key);
        await dialog.getByRole('button', { name: 'Add to settings' }).click();
        await dialog.waitFor({ state: 'detached' });
        await row.getByText(`${useNames[use]}: set up by Jumpseat`).waitFor();
      }
      await row.getByRole('button', { name: `Undo setup of ${title}…`, exact: true }).click();
      const undo = page.getByRole('dialog', { name: `Undo the setup of ${title}` });
      const { next } = await stack.app.planClient(name, null, 'undo');
      if (next !== null) await undo.getByText(next).waitFor();
      await undo.getByRole('button', { name: 'Undo setup' }).click();
      await undo.waitFor({ state: 'detached' });
      await row.getByRole('button', { name: `Undo setup of ${title}…`, exact: true }).waitFor({ state: 'detached' });
      expect(readdirSync(home).toSorted(), name).toEqual(before);
    }
    await isSound(shown);
  }, 240_000);

  it('show their lines without the key, and copy them with it', async () => {
    const shown = await pages.at('settings/clients', {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const { page, stack } = shown;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy lines: OpenAI’s SDKs and other programs' }).click();
    await page.getByText(`set -gx OPENAI_BASE_URL ${stack.baseUrl}/v1`).waitFor();
    await page.getByText('set -gx OPENAI_API_KEY ••••••••.openai').waitFor();
    await page.getByRole('button', { name: 'Copy variables: OpenAI’s SDKs and other programs' }).click();
    await page.getByText('Lines for OpenAI clients copied').waitFor();
    await expect
      .poll(copied)
      .toBe(`set -gx OPENAI_BASE_URL ${stack.baseUrl}/v1\nset -gx OPENAI_API_KEY ${stack.key}.openai\n`);

    await page.getByRole('button', { name: 'Copy lines: Codex' }).click();
    await page.getByText('set -gx JUMPSEAT_CODEX_KEY ••••••••.codex').waitFor();
    await page.getByText('wire_api = "responses"').waitFor();
    await page.getByRole('button', { name: 'Copy config: Codex' }).click();
    await expect.poll(copied).toContain('[model_providers.jumpseat]');
    await page.getByRole('button', { name: 'Copy key: Codex' }).click();
    await expect.poll(copied).toBe(`set -gx JUMPSEAT_CODEX_KEY ${stack.key}.codex\n`);

    await page.getByRole('button', { name: 'Copy lines: VS Code' }).click();
    await page.getByText('"apiKey": "••••••••.vscode"').waitFor();
    await page.getByRole('button', { name: 'Copy models: VS Code' }).click();
    await expect.poll(copied).toContain(`"apiKey": "${stack.key}.vscode"`);

    await page.getByRole('button', { name: 'Copy lines: Claude Code' }).click();
    await page.getByRole('button', { name: 'Copy MCP server: Claude Code' }).click();
    await page.getByText('MCP server for Claude Code copied').waitFor();
    expect(await copied()).toContain(`${stack.key}.`);
    await page.getByRole('button', { name: 'Copy lines: Zed' }).click();
    await page.getByRole('button', { name: 'Copy agent: Zed' }).click();
    await page.getByText('Agent for Zed copied').waitFor();
    expect(await copied()).not.toContain(stack.key);
    expect(await page.content()).not.toContain(stack.key);
    await isSound(shown);
  });

  it('are held to what was chosen at once', async () => {
    const { page, stack, settings } = await pages.at('settings/clients');
    await page.getByRole('switch', { name: 'Stream by default' }).click();
    await page.getByRole('combobox', { name: 'Messages to send' }).selectOption('The last turn');
    const atOnce = page.getByRole('textbox', { name: 'Requests at once' });
    await atOnce.fill('0');
    await atOnce.press('Enter');
    await page.getByText('Choose a number from 1 to 100.').waitFor();
    await atOnce.fill('3');
    await atOnce.press('Enter');
    const chosen = { atOnce: 3, streamByDefault: true, historyTurns: 1 };
    await expect.poll(() => stack.app.preferences().openai).toEqual(chosen);
    expect(settings().openai).toEqual(chosen);
    const messages = ['one', 'two'].map((content) => ({ role: 'user', content }));
    const answer = await stack.send({
      method: 'POST',
      path: '/v1/chat/completions',
      body: JSON.stringify({
        model: 'gpt-4.1',
        messages: [messages[0], { role: 'assistant', content: 'x' }, messages[1]],
      }),
    });
    expect(answer.headers['content-type']).toContain('text/event-stream');
    const sent = stack.simulator.requests.find(({ path }) => path === '/chat/completions');
    expect(sent?.body).toMatchObject({ messages: [messages[1]] });
  });

  it('say why where the models are not known', async () => {
    const { page } = await pages.at('settings/clients', { secrets: desktopSecrets(null) });
    await page.getByRole('button', { name: 'Copy lines: VS Code' }).click();
    await page.getByRole('button', { name: 'Copy models: VS Code' }).click();
    await page.getByText('The models of this account are not known now. Sign in').waitFor();
  });
});

describe('where secrets are kept', () => {
  it('is chosen while everything runs: the key moves along', async () => {
    const { page, stack } = await pages.at('settings/account', { secrets: noKeychain() });
    const key = await stack.app.localKey();
    await page.getByText('There is no keychain here.').first().waitFor();
    await page.getByRole('button', { name: 'Choose storage…' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Where is the token stored?' });
    expect(await dialog.getByRole('radio', { name: /A file.*Recommended here\.$/ }).isChecked()).toBe(true);
    expect(await dialog.getByRole('radio', { name: /In memory.*error 401 after a restart, until/ }).count()).toBe(1);
    const height = async () => (await dialog.boundingBox())?.height;
    const before = await height();
    await dialog.getByRole('radio', { name: /keychain\s*Not found on this machine\.$/ }).check();
    await dialog.getByRole('button', { name: 'Use the keychain' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await height()).toBe(before);
    await dialog.getByRole('radio', { name: /A file/ }).check();
    await dialog.getByRole('button', { name: 'Store in a file' }).click();
    await page.getByText('Token and key moved.').waitFor();
    expect(stack.app.state().secrets).toEqual({ storage: 'file', problem: null, needsFile: false });
    expect(await stack.app.localKey()).toBe(key);
    await page.getByRole('button', { name: 'Choose storage…' }).last().click();
    await dialog.getByRole('radio', { name: /In memory/ }).check();
    await dialog.getByRole('button', { name: 'Store until I quit' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Choose storage…' }).last().click();
    // Nobody knows whether there is one.
    expect(await dialog.getByRole('radio', { name: /keychain.*Recommended/ }).count()).toBe(0);
  });
});

describe('the history', () => {
  it('is deleted after a question whose safe answer has the focus', async () => {
    const { page, stack } = await pages.at('settings/privacy', { rows: busyDays(30, Date.now()) });
    await page.getByRole('button', { name: 'Delete history…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 30 requests?' });
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    expect(await stack.app.exchanges({ limit: 100 })).toHaveLength(30);
    await page.getByRole('button', { name: 'Delete history…' }).click();
    await dialog.getByRole('button', { name: 'Delete history' }).click();
    await expect.poll(async () => (await stack.app.exchanges({ limit: 100 })).length).toBe(0);
  });
});
