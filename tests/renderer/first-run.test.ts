import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stepStates } from '../../renderer/first-run/steps.ts';
import { appState, portTaken, signedIn, signingIn } from '../main/app-state.ts';
import { desktopSecrets, isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const hello = { model: 'opus', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hello' }] };

describe('a step', () => {
  const notice = { id: 'no_copilot_access', title: '', message: '', url: null };
  it.each([
    [{ account: { kind: 'signed-out' } } as const, 'now', 'waits', 'waits'],
    [{ account: signingIn }, 'now', 'waits', 'waits'],
    [{ account: { ...signedIn, notice } }, 'now', 'waits', 'waits'],
    [{ proxy: { kind: 'off' } } as const, 'done', 'now', 'waits'],
    [{ proxy: portTaken }, 'done', 'now', 'waits'],
    [{}, 'done', 'done', 'now'],
  ])('is done when the app says so: %#', (change, signIn, proxy, connect) => {
    expect(stepStates(appState(change), { connected: false })).toEqual({ signIn, proxy, connect });
  });
});

describe('the first run', () => {
  it('C19.1 tells the risk before the first sign-in, on whatever way one comes to it', async () => {
    const risk =
      'GitHub doesn’t support other programs on this service and may limit or suspend accounts that use them.';
    const { page, stack } = await pages.at('sign-in', { secrets: desktopSecrets(null) });
    await page.getByTestId('device-code').waitFor();
    await page.getByText(risk).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/welcome`);
    await page.getByRole('heading', { name: 'Run Claude Code on your Copilot subscription' }).waitFor();
    await page.getByText(risk).waitFor();
    await stack.app.changePreferences({ welcomed: true });
    await page.goto(`${page.url().split('#')[0]}#/sign-in`);
    await page.getByTestId('device-code').waitFor();
    expect(await page.getByText(risk).count()).toBe(0);
  });

  it('explains the risk in the README’s words, and says what the later steps do', async () => {
    const shown = await pages.at('welcome', { secrets: desktopSecrets(null) });
    const { page } = shown;
    await page.getByTestId('first-run-step-2').getByText('The proxy passes Claude Code’s requests on').waitFor();
    await page.getByTestId('first-run-step-3').getByText('Claude Code’s settings get the proxy’s address.').waitFor();
    await page.getByRole('button', { name: 'Learn more' }).click();
    const dialog = page.getByRole('dialog', { name: 'The risk' });
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').split('## The risk\n')[1] ?? '';
    const words = readme.replaceAll(/\s+/g, ' ').replaceAll("'", '’');
    const paragraphs = (await dialog.locator('.dialog-body p').allTextContents()).slice(0, -1);
    expect(paragraphs.length).toBeGreaterThan(1);
    for (const paragraph of paragraphs) expect(words).toContain(paragraph);
    const boxes = await dialog
      .locator('.dialog-body p')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })));
    const gaps = boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? top));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8);
    await isSound(shown);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('says in Japanese, without blanks between sentences, who is signed in and that Copilot answered', async () => {
    const { page, stack } = await pages.at('welcome', {});
    await stack.app.changePreferences({ language: 'ja' });
    const step = (number: number) => page.getByTestId(`first-run-step-${number}`);
    await step(2)
      .getByText(/待ち受けています。 Copilot が \d+ ms で応答しました。$/)
      .waitFor();
    await step(1)
      .getByText(/サインイン済みです。トークンは、.*キーチェーンにあります。リクエストは/)
      .waitFor();
  });

  it('goes from nothing to the first request, each step checked, and does not come again', async () => {
    const shown = await pages.at('', {
      secrets: desktopSecrets(null),
      stack: { simulator: { deviceInterval: 0.2 } },
      claude: '{ "theme": "dark" }\n',
    });
    const { page, stack, claudeSettings } = shown;
    await page.goto((await stack.app.startProxy()).dashboardUrl);
    await page.getByRole('heading', { name: 'Run Claude Code on your Copilot subscription' }).waitFor();
    expect(await page.getByRole('complementary', { name: 'Jumpseat' }).count()).toBe(0);
    const step = (number: number) => page.getByTestId(`first-run-step-${number}`);
    await isSound(shown);
    await step(1).getByRole('button', { name: 'Sign in' }).click();
    await step(1).getByTestId('device-code').waitFor();
    expect(await step(2).getByRole('button').count()).toBe(0);
    await isSound(shown);
    stack.simulator.script.approve();
    await step(1).getByText('Signed in as octo-demo, Copilot Pro+. The token is in the system keychain.').waitFor();
    await step(2)
      .getByText(/Copilot answered in [\d.]+ m?s\./)
      .waitFor();
    await step(3).getByText('Jumpseat adds 20 keys to your settings and makes a backup.').waitFor();
    await isSound(shown);
    await step(3).getByRole('button', { name: 'Add to settings' }).click();
    await step(3).getByText('Waiting for the first request.').waitFor();
    expect(JSON.parse(claudeSettings()).env.ANTHROPIC_BASE_URL).toBe(stack.baseUrl);
    await step(3)
      .getByText(/^Added 20 keys to .*settings\.json and made a backup\.$/)
      .waitFor();
    await isSound(shown);
    await step(3).getByRole('button', { name: 'Undo…' }).click();
    const undo = page.getByRole('dialog', { name: /^Remove Jumpseat’s keys from .*settings\.json\?$/ });
    await undo.getByRole('button', { name: 'Undo setup' }).click();
    await step(3).getByRole('button', { name: 'Add to settings' }).waitFor();
    expect(claudeSettings()).toBe('{ "theme": "dark" }\n');
    expect(await step(3).getByText('Waiting for the first request.').count()).toBe(0);
    await step(3).getByRole('button', { name: 'Add to settings' }).click();
    await step(3).getByText('Waiting for the first request.').waitFor();
    expect((await stack.messages(hello)).status).toBe(200);
    await step(3)
      .getByText(/First request at \d\d:\d\d:\d\d, first token after \d+\.\d\d s\./)
      .waitFor();
    await isSound(shown);
    // It can still be undone, and is seen to be where another process did it.
    await step(3).getByRole('button', { name: 'Undo…' }).waitFor();
    const { id } = await stack.app.planSetup('undo');
    await stack.app.applySetup(id);
    expect(claudeSettings()).toBe('{ "theme": "dark" }\n');
    await step(3)
      .getByText('The setup was undone. A claude that you start now doesn’t use Jumpseat. To set it up again:')
      .waitFor();
    // Its tick is gone, and both ways are offered again.
    await step(3).getByRole('heading', { name: 'Connect Claude Code (To do)' }).waitFor();
    await step(3).getByRole('button', { name: 'Add to settings' }).waitFor();
    await step(3).getByRole('button', { name: 'Copy lines for the shell' }).waitFor();
    await isSound(shown);
    await page.getByRole('button', { name: 'Finish later' }).click();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await expect.poll(() => shown.settings().welcomedAt).toEqual(expect.any(Number));
  });

  it('says that a settings.json which isn’t there is made, and shows all of it', async () => {
    const { page } = await pages.at('welcome', {});
    const step = page.getByTestId('first-run-step-3');
    await step.getByText(/^Jumpseat makes .*settings\.json with 20 keys\. You can undo this at any time\.$/).waitFor();
    await step.getByRole('button', { name: '… 17 more' }).click();
    const lines = (await step.locator('.difference_difference pre').innerText())
      .split('\n')
      .filter((line) => line !== '');
    const file = JSON.parse(lines.map((line) => line.replace(/^\+/, '')).join('\n'));
    expect(Object.keys(file)).toEqual(['env', 'modelSettings']);
    expect(Object.keys(file.env)).toHaveLength(10);
    expect(file.modelSettings['gpt-5.4']).toEqual({ autoCompactWindow: 292_000 });
  });

  it('still offers the settings after the lines were copied', async () => {
    const { page, stack, claudeSettings } = await pages.at('welcome', {
      claude: '{}\n',
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const step = page.getByTestId('first-run-step-3');
    await step.getByRole('button', { name: 'Copy lines for the shell' }).click();
    await step.getByText('Paste the lines and run').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${stack.key}.claude-code`);
    // Waiting for the lines, it speaks of the settings as of another way.
    await step
      .getByText(/^The copied lines work only in that terminal\. For every terminal, “Add to settings” /)
      .waitFor();
    expect(await step.getByText(/^Jumpseat (adds|makes)/).count()).toBe(0);
    await step.getByRole('button', { name: 'Add to settings' }).click();
    await step.getByRole('button', { name: 'Add to settings' }).waitFor({ state: 'detached' });
    expect(JSON.parse(claudeSettings()).env.ANTHROPIC_BASE_URL).toBe(stack.baseUrl);
  });

  it('offers another storage where the key is in memory, which would not last in the settings', async () => {
    const { page, stack } = await pages.at('welcome', { claude: '{}\n' });
    const step = page.getByTestId('first-run-step-3');
    await step.getByRole('button', { name: 'Add to settings' }).waitFor();
    await stack.app.moveSecrets('memory');
    await step.getByText('The local key can’t be stored here').waitFor();
    expect(await step.getByRole('button').allInnerTexts()).toEqual(['Choose storage…', 'Copy lines for the shell']);
    await step.getByRole('button', { name: 'Choose storage…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where is the token stored?' });
    await dialog.getByRole('radio', { name: /System keychain/ }).check();
    await dialog.getByRole('button', { name: 'Use the keychain' }).click();
    await step.getByRole('button', { name: 'Add to settings' }).waitFor();
  });

  it('says where a plan has no model to choose, and offers the way that has Auto', async () => {
    const shown = await pages.at('welcome', { stack: { simulator: { plan: 'student' } } });
    const step = shown.page.getByTestId('first-run-step-1');
    await step.getByText('Copilot Student has no model to choose. GitHub chooses the model there (Auto)').waitFor();
    await isSound(shown);
    await step.getByRole('button', { name: 'Choose another way…' }).click();
    await shown.page.getByRole('dialog', { name: 'How do requests go to Copilot?' }).waitFor();
  });

  it('can be skipped, and what was asked for wins over it', async () => {
    const { page, stack, settings } = await pages.at('health', { secrets: desktopSecrets(null) });
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.goto((await stack.app.startProxy()).dashboardUrl);
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await expect.poll(() => settings().welcomedAt).toEqual(expect.any(Number));
    await page.goto((await stack.app.startProxy()).dashboardUrl);
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
  });
});
