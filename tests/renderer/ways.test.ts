import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PackageError } from '../../app/packages/package.ts';
import { fakeOwnAppToken } from '../../app/simulator/stage.ts';
import { standingOf } from '../../app/words/account.ts';
import { FakeInstalledRuntime } from '../app/account/runtime-way.ts';
import { prompt } from '../app/stack.ts';
import { desktopSecrets, isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

async function opened(place: string, change: Partial<FakeInstalledRuntime> = {}, token?: null) {
  const runtime = Object.assign(new FakeInstalledRuntime(), change);
  const shown = await pages.at(place, {
    ...(token === null && { secrets: desktopSecrets(null) }),
    stack: { app: { runtime } },
  });
  runtime.simulator = shown.stack.simulator;
  return { ...shown, runtime };
}

describe('Settings → Account', () => {
  it('changes the way with a token that the person made, and back without a sign-in', async () => {
    const shown = await opened('settings/account');
    const { page, stack } = shown;
    await page.getByText('As VS Code, with a sign-in of VS Code’s app; requests name vscode/').waitFor();
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'How do requests go to Copilot?' });
    const action = dialog.getByRole('button', { name: /this way$/ });
    expect(await action.isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: /with a token that you make/ }).check();
    await dialog.getByRole('textbox', { name: 'Token' }).fill('github_pat_refused0123456789');
    await dialog.getByText('experimental').first().waitFor();
    // The way in use stays marked while another way is selected.
    const inUse = dialog.locator('label', { hasText: 'This way is in use.' });
    expect(await inUse.allInnerTexts()).toEqual([expect.stringMatching(/^VS Code’s sign-in\n/)]);
    await isSound(shown);
    await action.click();
    await dialog.getByText('GitHub refused it. Nothing was stored.').waitFor();
    expect(stack.app.state().admission.way).toBe('vscode');
    await dialog.getByRole('textbox', { name: 'Token' }).fill(stack.simulator.ownToken);
    await page.keyboard.press('Enter');
    await page.getByText('Through GitHub’s Copilot SDK, with a token that you made; requests name copilot/').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(readFileSync(join(stack.home, 'settings.json'), 'utf8')).not.toContain(stack.simulator.ownToken);
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByRole('radio', { name: 'VS Code’s sign-in' }).check();
    await action.click();
    await page.getByText('As VS Code, with a sign-in').waitFor();
    expect(stack.app.state().account.kind).toBe('signed-in');
  });

  it('signs in anew where the client id of the own app was changed', async () => {
    const { page, stack, runtime } = await opened('sign-in', {}, null);
    const { simulator } = stack;
    runtime.simulator = { ownToken: fakeOwnAppToken, copilotUrl: simulator.copilotUrl };
    const dialog = page.getByRole('dialog', { name: 'How do requests go to Copilot?' });
    const action = dialog.getByRole('button', { name: /this way$/ });
    const clientId = dialog.getByRole('textbox', { name: 'Client id' });
    const asked = () =>
      simulator.githubRequests
        .filter(({ path }) => path === '/login/device/code')
        .map(({ body }) => Object(body).client_id);
    // Under the code of the way in use, which is given up for another one.
    await page.getByTestId('device-code').waitFor();
    const [vscode] = asked();
    await page.getByRole('button', { name: 'Choose another way…' }).click();
    await dialog.getByRole('radio', { name: /an OAuth app of your own/ }).check();
    await clientId.fill('Ov23liFirst');
    await action.click();
    await expect.poll(asked).toEqual([vscode, 'Ov23liFirst']);
    await page.getByTestId('device-code').waitFor();
    simulator.script.approve();
    await expect.poll(() => stack.app.state().account.kind).toBe('signed-in');
    await page.goto(`${page.url().split('#')[0]}#/settings/account`);
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    expect(await clientId.inputValue()).toBe('Ov23liFirst');
    expect(await action.isDisabled()).toBe(true);
    await clientId.fill(' Ov23liSecond ');
    await action.click();
    await page.getByTestId('device-code').waitFor();
    expect(asked()).toEqual([vscode, 'Ov23liFirst', 'Ov23liSecond']);
    expect(readFileSync(join(stack.home, 'settings.json'), 'utf8')).toContain('Ov23liSecond');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => stack.app.state().account.kind).toBe('signed-in');
  });

  it('signs in anew where GitHub took the stored sign-in back, and stays on the way in use until then', async () => {
    const { page, stack, runtime } = await opened('settings/account');
    const { simulator } = stack;
    const admission = () => stack.app.state().admission.credential;
    await stack.app.changePreferences({ githubClientId: 'Ov23liFirst' });
    runtime.simulator = { ownToken: fakeOwnAppToken, copilotUrl: simulator.copilotUrl };
    simulator.script.approve();
    await stack.app.signInWith({ kind: 'own-app' }, () => simulator.script.approve());
    expect(admission()).toBe('own-app');
    expect(await stack.app.chooseCredential('vscode')).toBe(true);
    runtime.simulator = { ...runtime.simulator, ownToken: 'gho_another' };

    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'How do requests go to Copilot?' });
    await dialog.getByRole('radio', { name: /an OAuth app of your own/ }).check();
    await dialog.getByRole('button', { name: 'Sign in this way' }).click();
    await page.getByTestId('device-code').waitFor();
    expect([admission(), (await stack.messages(prompt('hello'))).status]).toEqual(['vscode', 200]);
    runtime.simulator = { ...runtime.simulator, ownToken: fakeOwnAppToken };
    simulator.script.approve();
    await expect.poll(admission).toBe('own-app');

    // A sign-in that was used, and is refused later, isn't changed back to either.
    runtime.simulator = { ...runtime.simulator, ownToken: 'gho_another' };
    expect(await stack.app.chooseCredential('vscode')).toBe(true);
    expect(await stack.app.chooseCredential('own-app')).toBe(false);
  });

  it('a token that GitHub took back is pasted anew', async () => {
    const { page, stack, runtime } = await opened('sign-in');
    const { simulator } = stack;
    await stack.app.signInWith({ kind: 'token', token: simulator.ownToken });
    runtime.simulator = { ownToken: 'github_pat_another', copilotUrl: simulator.copilotUrl };
    simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
    await stack.messages(prompt('hello'));
    await page.getByText('Sign in again').waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'How do requests go to Copilot?' });
    await dialog.getByRole('textbox', { name: 'Token' }).waitFor();
    await dialog.getByRole('button', { name: 'Use this way' }).click();
    await dialog.getByText('Jumpseat has no token for this way that GitHub accepts. Paste one.').waitFor();
  });

  it('a request says in its detail as whom it went, and what GitHub calls that', async () => {
    const { page, stack } = await opened('requests');
    await stack.app.signInWith({ kind: 'token', token: stack.simulator.ownToken });
    await stack.messages(prompt('hello'));
    const [row] = await stack.rows(1);
    await page.goto(`${page.url().split('#')[0]}#/requests/${row?.id}`);
    await page.getByText('copilot/1.0.85 (copilot-sdk)').waitFor();
    await page.getByText('GitHub calls the call that this uses experimental').waitFor();
    expect(standingOf('vscode/1.139.1 (vscode-chat)')).toBe('GitHub supports VS Code’s sign-in only in VS Code.');
  });

  it('fetches the runtime when it is told to, and says what stood in the way', async () => {
    const trouble = new PackageError('network', 'Nobody answered.', 'Look at the connection.');
    const { page, runtime } = await opened('settings/account', { isHere: false, trouble });
    await page.setViewportSize({ width: 720, height: 480 });
    await page.locator('#settings-account').getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Fetch 47 MB' }).count()).toBe(0);
    await dialog.getByRole('radio', { name: /with the sign-in of the Copilot CLI/ }).check();
    await dialog.getByText('read and write your repositories').waitFor();
    expect(await dialog.getByRole('button', { name: 'Use this way' }).isDisabled()).toBe(true);
    const first = dialog.getByText('Fetch it first, then you can use this way.');
    const [hint, fetch] = [
      await first.boundingBox(),
      await dialog.getByRole('button', { name: /^Fetch/ }).boundingBox(),
    ];
    const use = await dialog.getByRole('button', { name: 'Use this way' }).boundingBox();
    expect((hint?.y ?? 0) + (hint?.height ?? 480)).toBeLessThan(use?.y ?? 0);
    expect(hint?.height).toBeLessThan(24);
    expect(hint?.y).toBeGreaterThan((fetch?.y ?? 0) + (fetch?.height ?? 0));
    await dialog.getByRole('button', { name: 'Fetch 47 MB' }).click();
    await dialog.getByText('Nobody answered. Look at the connection.').waitFor();
    runtime.trouble = null;
    await dialog.getByRole('button', { name: 'Fetch 47 MB' }).click();
    await dialog.getByText('GitHub’s runtime 1.0.14 is here.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Use this way' }).isDisabled()).toBe(false);
    expect(runtime.fetched).toBe(1);
  });
});

it('Models says that GitHub chooses, where it does', async () => {
  const runtime = new FakeInstalledRuntime();
  const shown = await pages.at('models', {
    stack: { simulator: { plan: 'student' }, app: { runtime } },
    before: async ({ app, simulator }) => {
      runtime.simulator = simulator;
      await app.signInWith({ kind: 'token', token: simulator.ownToken });
      await app.refresh();
    },
  });
  const auto = shown.page.getByTestId('model-row-auto');
  await auto.getByText('GitHub chooses').waitFor();
  await shown.page.getByText('GitHub chooses a model for each conversation (Auto)').waitFor();
  expect(await shown.page.getByTestId('banner').count()).toBe(0);
  await isSound(shown);
  const { page, stack } = shown;
  await page.getByRole('button', { name: 'Override opus', exact: true }).click();
  await page.getByRole('combobox').fill('auto');
  await page.getByRole('option', { name: /auto/ }).first().click();
  await page.getByRole('button', { name: 'Save override' }).click();
  await page.getByTestId('model-row-opus').getByText('GitHub chooses').waitFor();
  const answer = await stack.messages(prompt('hello', { model: 'opus' }));
  expect(answer.status).toBe(200);
  expect((await stack.rows(1))[0]).toMatchObject({ askedModel: 'opus', servedModel: 'claude-sonnet-4.6' });
});

describe('the first run', () => {
  it('offers the other way, with an app of one’s own', async () => {
    const { page, stack } = await opened('welcome', {}, null);
    await page.getByRole('button', { name: 'Choose another way…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /an OAuth app of your own/ }).check();
    await dialog.getByRole('textbox', { name: 'Client id' }).fill('Ov23liSimulated');
    await dialog.getByRole('button', { name: 'Sign in this way' }).click();
    const code = page.getByTestId('device-code');
    await code.waitFor();
    const started = stack.simulator.githubRequests.find(({ path }) => path === '/login/device/code');
    expect(started?.body).toMatchObject({ client_id: 'Ov23liSimulated', scope: 'read:user' });
  });
});
