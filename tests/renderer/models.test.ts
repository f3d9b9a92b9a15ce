import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { SettingsStore } from '../../app/settings/settings.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { exchange } from '../exchange.ts';
import { desktopSecrets } from './page-of-health-and-settings.ts';
import { isSound, pagesOf } from './pages-of.ts';
import type { Shown } from './usage-models-page.ts';

/** The models view in a real browser, against the real app and the catalog of a simulated Copilot. */

// A browser with a checker of accessibility in it takes its time.
const models = pagesOf('models');

const row = ({ page }: Shown, asked: string) => page.getByTestId(`model-row-${asked}`);
const question = (model: string) => ({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });

describe('names', () => {
  it('say what they run on and why, those that were asked for of late among them', async () => {
    const now = Date.now();
    const asked = ['claude-opus-5-5', 'claude-opus-4-5', '<img src=x onerror=alert(1)>'];
    const shown = await models({
      rows: [
        ...asked.map((askedModel, index) => exchange({ id: `a${index}`, askedModel, startedAt: now - 1000 })),
        exchange({ id: 'old', askedModel: 'claude-3-opus', startedAt: now - 31 * 86_400_000 }),
      ],
    });
    const cells = async (name: string): Promise<(string | null)[]> =>
      (await row(shown, name).locator('th,td').allTextContents()).slice(0, 8);
    await row(shown, 'opus').waitFor();
    expect(await cells('opus')).toEqual([
      'opus',
      'claude-opus-4.8',
      'Newest of family',
      '936k',
      '64k',
      '500',
      '50',
      '2,500',
    ]);
    expect((await cells('claude-opus-5-5')).slice(1, 3)).toEqual(['claude-opus-4.8', 'Nearest lower']);
    expect((await cells('claude-opus-4-5')).slice(1, 4)).toEqual(['–', 'Off on GitHub', '168k']);
    expect((await cells('claude-haiku-4-5')).slice(1, 3)).toEqual(['claude-haiku-4.5', 'Same model']);
    expect((await cells('<img src=x onerror=alert(1)>')).slice(0, 3)).toEqual([
      '<img src=x onerror=alert(1)>',
      '–',
      'Not in catalog',
    ]);
    expect(await row(shown, 'claude-3-opus').count()).toBe(0);
    await row(shown, 'claude-opus-4-5').getByRole('button', { name: 'Enable on GitHub', exact: true }).waitFor();
    await isSound(shown);
    await shown.page.emulateMedia({ colorScheme: 'dark' });
    await isSound(shown);
  });

  it('lead to GitHub where a model is off, in a tab of its own', async () => {
    const shown = await models();
    await shown.page.context().route('https://github.com/**', (route) => route.fulfill({ body: 'GitHub' }));
    const [tab] = await Promise.all([
      shown.page.context().waitForEvent('page'),
      shown.page.getByRole('button', { name: 'Enable on GitHub: claude-opus-4.5' }).click(),
    ]);
    expect(tab.url()).toBe('https://github.com/settings/copilot/features');
  });

  it('have multipliers in place of prices on older plans', async () => {
    const shown = await models({ stack: { simulator: { user: { tokenBased: false, entitlement: 300 } } } });
    await row(shown, 'opus').getByText('1×').waitFor();
    await shown.page.getByRole('columnheader', { name: 'Multiplier' }).first().waitFor();
    expect(await shown.page.getByText('Credits per million').count()).toBe(0);
    await isSound(shown);
  });
});

it('are shown anew at once when the organization’s policy goes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-policy-'));
  const path = join(folder, 'policy.json');
  const rules = { allowedModels: { value: ['claude-sonnet-4.6'] } };
  writeFileSync(path, JSON.stringify({ version: 1, organization: 'Octo', settings: rules }), { mode: 0o644 });
  const source = { paths: [path], owner: process.getuid?.() ?? null, convert: () => '' };
  const { store } = SettingsStore.open(join(folder, 'settings.json'), { write: () => undefined }, null, source);
  const shown = await models({ stack: { app: { settings: { store, warnings: [] } } } });
  await row(shown, 'opus').waitFor();
  expect(await row(shown, 'opus').getByText('claude-opus-4.8').count()).toBe(0);
  rmSync(path);
  await row(shown, 'opus').getByText('claude-opus-4.8').first().waitFor();
  rmSync(folder, { recursive: true });
});

it('offer no other try while the organization’s policy is broken, and say what helps', async () => {
  // As in the tray app's window: the dashboard isn't served then.
  const problem = {
    code: 'policy',
    text: 'The policy /etc/p.json can’t be used: …',
    remedy: 'Ask your administrator.',
  };
  const shown = await models({ stack: { app: { warnings: [problem] } } });
  const { page } = shown;
  await row(shown, 'opus').waitFor();
  const tries = page.getByRole('button', { name: /^(Try again|Refresh)$/ });
  expect(await tries.count()).toBe(0);
  await page.route('**/api/call/models', (route) => route.fulfill({ json: { ok: false, problem } }));
  await page.reload();
  await page.getByRole('heading', { name: 'The model list can’t be read' }).waitFor();
  await page.locator('.view-frame_empty').getByText(`${problem.text} ${problem.remedy}`).waitFor();
  expect(await tries.count()).toBe(0);
  await isSound(shown);
});

describe('an override', () => {
  it('is written by the keyboard alone, kept in the settings, and holds for the next request', async () => {
    const shown = await models();
    const { page, stack } = shown;
    await stack.messages(question('haiku'));
    await row(shown, 'haiku').getByRole('button', { name: 'Override haiku' }).press('Enter');
    const model = page.getByRole('combobox', { name: 'Model' });
    await page.getByText('was claude-haiku-4.5, newest of family').waitFor();
    await model.focus();
    await page.keyboard.type('sonnet 4.6');
    await page.getByRole('option', { name: /claude-sonnet-4\.6 300 \/ 30 \/ 1,500/ }).waitFor();
    await isSound(shown);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await row(shown, 'haiku').getByText('Your override').waitFor();
    await page.getByText('Override saved.').waitFor();
    expect(await page.getByText(/The lines for Claude Code have changed/).count()).toBe(0);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Change the override of haiku');
    expect(JSON.parse(readFileSync(join(stack.home, 'settings.json'), 'utf8')).modelOverrides).toEqual({
      haiku: 'claude-sonnet-4.6',
    });
    await stack.messages(question('haiku'));
    expect((await stack.rows(2)).map(({ servedModel }) => servedModel)).toEqual([
      'claude-haiku-4.5',
      'claude-sonnet-4.6',
    ]);
    await isSound(shown);

    await row(shown, 'haiku').getByRole('button', { name: 'Change the override of haiku' }).click();
    await page.getByRole('button', { name: 'Remove override' }).click();
    await row(shown, 'haiku').getByText('Newest of family').waitFor();
    expect(JSON.parse(readFileSync(join(stack.home, 'settings.json'), 'utf8')).modelOverrides).toEqual({});
  });

  it('of a name for which a rule names the model says that it changes nothing, and so does the explanation', async () => {
    const shown = await models();
    const { page, stack } = shown;
    const { app } = stack;
    await app.setOverride('haik*', 'claude-sonnet-4.6');
    await app.changePreferences({ models: { rules: [{ when: { model: 'haiku' }, use: { model: 'gpt-5.4' } }] } });
    await page.reload();
    await row(shown, 'haiku').getByText('Your override').waitFor();
    await row(shown, 'haiku')
      .getByRole('button', { name: /verride.* haiku$/ })
      .click();
    const words = 'Now by your override haik*. Rule 1 names the model, so an override changes nothing';
    await page.getByText(words).waitFor();
    expect(await app.explainModel('haiku')).toMatchObject({
      rule: 1,
      text:
        '"haiku" runs on gpt-5.4. Rule 1 (models containing haiku) decides. ' +
        'Your override “haik*” counts only where no rule names a model.',
    });
  });

  it('is written below its row, so that no column moves', async () => {
    const shown = await models();
    const { page } = shown;
    await row(shown, 'opus').waitFor();
    const heads = () =>
      page
        .getByRole('table', { name: 'Models for Claude Code’s names' })
        .locator('thead th')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    const before = await heads();
    await row(shown, 'opus').getByRole('button', { name: 'Override opus' }).click();
    await page.getByRole('form', { name: 'Override of opus' }).waitFor();
    expect(await heads()).toEqual(before);
    await row(shown, 'opus').getByText('Newest of family').waitFor();
  });

  it('says that copied lines are old, only where lines were copied', async () => {
    const { page, ...shown } = await models({
      before: async ({ app }) => void (await app.lines('bash', 'claude-code')),
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByRole('button', { name: 'Override sonnet' }).click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: /^claude-sonnet-4\.5/ }).click();
    await page.getByRole('button', { name: 'Save override' }).click();
    const banner = page.getByText(
      'The lines for Claude Code have changed since you copied them. Terminals with the old lines go on with the ' +
        'old models: copy the lines again, and paste them there.',
    );
    await banner.waitFor();
    await isSound({ page, ...shown });
    await page.getByRole('button', { name: 'Copy again' }).click();
    await banner.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('ANTHROPIC_DEFAULT_SONNET_MODEL=claude-sonnet-4.5');
  });

  it('that settings.json doesn’t have yet is shown there, and written from there', async () => {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-claude-'));
    const file = join(home, 'settings.json');
    const written = () => JSON.parse(readFileSync(file, 'utf8')).env.ANTHROPIC_DEFAULT_SONNET_MODEL;
    try {
      const shown = await models({
        stack: {
          secrets: desktopSecrets(),
          app: { environment: { HOME: home, CLAUDE_CONFIG_DIR: home, PATH: '' } },
        },
        before: async ({ app }) => {
          await app.lines('bash', 'claude-code');
          await app.applySetup((await app.planSetup('setup')).id);
        },
      });
      const { page, stack } = shown;
      await row(shown, 'sonnet').getByRole('button', { name: 'Override sonnet' }).click();
      expect(written()).toBe('claude-sonnet-4.6');
      await page.getByRole('combobox', { name: 'Model' }).click();
      await page.getByRole('option', { name: /^claude-sonnet-4\.5/ }).click();
      await page.getByRole('button', { name: 'Save override' }).click();
      const banner = page.getByText(/settings\.json still has the old model\. Claude Code asks for/);
      expect(await banner.innerText()).toContain('asks for claude-sonnet-4.6 instead of claude-sonnet-4.5.');
      expect(await page.getByText(/The lines for Claude Code have changed/).count()).toBe(0);
      expect((await stack.app.check('claude-code.settings'))?.finding).toBe(
        '1 of 10 keys has another value: ANTHROPIC_DEFAULT_SONNET_MODEL is claude-sonnet-4.6 ' +
          'instead of claude-sonnet-4.5.',
      );
      await isSound(shown);
      // As it is when the view is opened later.
      await page.reload();
      await banner.waitFor();
      await page.getByRole('button', { name: 'Show changes' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add to settings' }).click();
      await banner.waitFor({ state: 'detached' });
      expect(written()).toBe('claude-sonnet-4.5');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('for many names ends with a star, and says so beside each', async () => {
    const shown = await models({ rows: [exchange({ askedModel: 'claude-3-5-haiku', startedAt: Date.now() })] });
    const { page } = shown;
    await page.getByRole('button', { name: 'Add override' }).click();
    await page.getByRole('textbox', { name: 'Claude Code asks for' }).fill('claude-3-*');
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: /^gpt-5-mini/ }).click();
    await page.getByRole('button', { name: 'Save override' }).click();
    await row(shown, 'claude-3-5-haiku').getByText('claude-3-*').waitFor();
    await row(shown, 'claude-3-*').getByText('Your override').waitFor();
    expect(await page.getByText(/The lines for Claude Code have changed/).count()).toBe(0);
  });

  it('that cannot be is not saved, and says why', async () => {
    const shown = await models({
      before: async ({ app }) => void (await app.setOverride('opus', 'claude-opus-4.6')),
    });
    const { page } = shown;
    await page.getByRole('button', { name: 'Add override' }).click();
    const name = page.getByRole('textbox', { name: 'Claude Code asks for' });
    const save = page.getByRole('button', { name: 'Save override' });
    await save.click();
    await page.getByText('Write a name.').waitFor();
    await name.fill('OPUS');
    await page.getByText('This name already has an override.').waitFor();
    await isSound(shown);
    await name.fill('claude-opus-4');
    await page.getByText('Choose a model.').waitFor();
    await page.getByRole('combobox', { name: 'Model' }).fill('opus-4.5');
    await page.getByRole('option', { name: /claude-opus-4\.5 Off on GitHub/ }).click();
    await page.getByText('claude-opus-4.5 is off on GitHub. Requests would get error 404.').waitFor();
    await save.click();
    await row(shown, 'claude-opus-4').getByText('Off on GitHub').waitFor();
  });

  it('that the app refuses keeps the form, with the reason', async () => {
    const shown = await models();
    const { page } = shown;
    const problem = { code: 'SettingsError', text: 'The settings can’t be saved: EROFS.', remedy: 'Make room.' };
    await page.route('**/api/call/setOverride', (route) => route.fulfill({ json: { ok: false, problem } }));
    await row(shown, 'opus').getByRole('button', { name: 'Override opus' }).click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: /^claude-opus-4\.6/ }).click();
    await page.getByRole('button', { name: 'Save override' }).click();
    await page.getByText('The settings can’t be saved: EROFS. Make room.').waitFor();
    await page.keyboard.press('Escape');
    await row(shown, 'opus').getByText('Newest of family').waitFor();
  });
});

describe('the catalog', () => {
  it('is read anew on request, also when a model that was used is gone', async () => {
    const shown = await models();
    await row(shown, 'opus').getByText('claude-opus-4.8').waitFor();
    shown.stack.simulator.script.setModels(withoutModel('claude-opus-4.8'));
    await shown.page.getByRole('button', { name: 'Refresh' }).click();
    await row(shown, 'opus').getByText('claude-opus-4.6').waitFor();
  });

  it('wants a sign-in', async () => {
    const shown = await models({ stack: { secrets: memorySecrets({}) } });
    await shown.page.getByRole('heading', { name: 'Sign in to see your models' }).waitFor();
    await isSound(shown);
    await shown.page.getByRole('main').getByRole('button', { name: 'Sign in' }).last().click();
    await shown.page.waitForURL(/#\/sign-in$/);
  });

  it('is grey rows at first, then why it can’t be read, then there', async () => {
    const shown = await models({ place: 'health' });
    const { page } = shown;
    let fail = true;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/call/models', async (route) => {
      await held;
      const problem = { code: 'catalog', text: 'Copilot answered 502: Bad Gateway', remedy: 'Try again.' };
      if (fail) await route.fulfill({ json: { ok: false, problem } });
      else await route.continue();
    });
    await page.getByRole('link', { name: /^Models/ }).click();
    await page.locator('.models_grey-models').waitFor({ state: 'attached' });
    release();
    await page.getByRole('heading', { name: 'The model list can’t be read' }).waitFor();
    await page.getByText('Copilot answered 502: Bad Gateway').waitFor();
    await isSound(shown);
    fail = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(shown, 'opus').waitFor();
  });

  it('stays, muted, with its time, when it can’t be read again', async () => {
    const shown = await models();
    const { page } = shown;
    await row(shown, 'opus').waitFor();
    const problem = { code: 'catalog', text: 'Copilot answered 502: Bad Gateway', remedy: 'Try again.' };
    await page.route('**/api/call/models', (route) => route.fulfill({ json: { ok: false, problem } }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The model list can’t be read now. Copilot answered 502: Bad Gateway').waitFor();
    await row(shown, 'opus').waitFor();
    await page.getByText(/^Catalog from \d/).waitFor();
    expect(await page.locator('.models_models.models_old').count()).toBe(1);
    await isSound(shown);
  });
});

it('fits a narrow window: prices go into the row’s own detail and nothing scrolls sideways', async () => {
  const shown = await models({
    rows: [exchange({ askedModel: 'claude-haiku-4-5-20251001', startedAt: Date.now() })],
    context: { viewport: { width: 720, height: 480 } },
  });
  const { page } = shown;
  await row(shown, 'opus').waitFor();
  const beyond = await page.evaluate(() => {
    const view = document.querySelector('.view-scroll');
    return view === null ? null : view.scrollWidth - view.clientWidth;
  });
  expect(beyond).toBe(0);
  await page.getByRole('button', { name: 'Prices of opus' }).first().click();
  await page.getByText('Input credits per million').waitFor();
  await isSound(shown);
});

function withoutModel(id: string): unknown[] {
  return defaultModels().filter((model) => JSON.stringify(model).includes(`"${id}"`) === false);
}
