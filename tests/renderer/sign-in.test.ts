import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prompt } from '../app/stack.ts';
import { desktopSecrets, fullKeychain, isSound, noKeychain, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const fast = { simulator: { deviceInterval: 0.2 } };
const signedOut = () => ({ secrets: desktopSecrets(null), stack: fast });

describe('sign-in', () => {
  it('asks for a code, shows it to read and to hear, counts down, and goes back when GitHub says yes', async () => {
    const shown = await pages.at('health', signedOut());
    const { page, stack } = shown;
    await page.getByRole('link', { name: 'Sign in' }).click();
    const code = page.getByTestId('device-code');
    await code.waitFor();
    const { account } = stack.app.state();
    const userCode = account.kind === 'signing-in' ? account.code.userCode : '';
    expect(await code.innerText()).toBe(userCode);
    expect(await code.getAttribute('aria-label')).toBe(`Code: ${[...userCode].join(' ')}`);
    expect(await page.getByText(/^Expires in 1[45]:\d\d$/).count()).toBe(1);
    await isSound(shown);
    stack.simulator.script.approve();
    await page.getByText('Signed in as octo-demo, Copilot Pro+.').waitFor();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  it('refused by GitHub: banner, foot and Health say it of the same name, and one click begins a new one', async () => {
    const shown = await pages.at('requests', { stack: fast });
    const { page, stack } = shown;
    const refused = 'octo-demo: GitHub refuses the sign-in.';
    await page.getByRole('button', { name: 'Account octo-demo' }).waitFor();
    stack.simulator.script.revokeGithubToken();
    stack.simulator.script.expireTokens();
    expect((await stack.messages(prompt('hello'))).status).toBe(401);
    await page.getByTestId('banner').getByText(refused).waitFor();
    expect(await page.locator('.shell_account-text').innerText()).toBe('octo-demo\nGitHub refuses the sign-in');
    expect(stack.app.state().health.problem?.text).toBe(refused);
    await page.getByRole('link', { name: /^Health/ }).click();
    await page.getByTestId('check-account.signed-in').getByText(refused, { exact: true }).waitFor();
    await isSound(shown);
    await page.getByTestId('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page.getByText('Signed in as octo-demo, Copilot Pro+.').waitFor();
    expect((await stack.messages(prompt('hello again'))).status).toBe(200);
    await page.getByTestId('banner').waitFor({ state: 'detached' });
  });

  it('one click asks for a code where GitHub takes back a sign-in that was made in the first run', async () => {
    const { page, stack } = await pages.at('welcome', signedOut());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page
      .getByText(/^Signed in as octo-demo/)
      .first()
      .waitFor();
    stack.simulator.script.revokeGithubToken();
    stack.simulator.script.expireTokens();
    expect((await stack.messages(prompt('hello'))).status).toBe(401);
    await page.evaluate(() => {
      location.hash = '#/models';
    });
    await page.getByTestId('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByTestId('device-code').waitFor();
  });

  it('copies the code', async () => {
    const { page, stack } = await pages.at('sign-in', {
      ...signedOut(),
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByRole('button', { name: 'Copy code', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const { account } = stack.app.state();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      account.kind === 'signing-in' ? account.code.userCode : '',
    );
  });

  it('cancel ends the waiting', async () => {
    const { page, stack } = await pages.at('sign-in', signedOut());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => stack.app.state().account.kind).toBe('signed-out');
    await page.getByRole('button', { name: 'Get a code' }).click();
    await page.getByTestId('device-code').waitFor();
  });

  it('denied and expired say so, and the next one works', async () => {
    const shown = await pages.at('sign-in', signedOut());
    const { page, stack } = shown;
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.deny();
    await page.getByText('You declined the sign-in on GitHub.').waitFor();
    await isSound(shown);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.expireDeviceCodes();
    await page.getByText('This code has expired.').waitFor();
    // Back to where other ways are offered.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This code has expired.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Get a code' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.expireDeviceCodes();
    await page.getByText('This code has expired.').waitFor();
    await page.getByRole('button', { name: 'Get a new code' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page.getByText('Signed in as octo-demo').first().waitFor();
  });

  it('an account without Copilot gets GitHub’s own words and two ways on', async () => {
    const shown = await pages.at('sign-in', signedOut());
    const { page, stack } = shown;
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.refuseMint('no_copilot_access');
    stack.simulator.script.approve();
    await page.getByRole('button', { name: 'Use another account' }).waitFor();
    const { account } = stack.app.state();
    const title = account.kind === 'signed-in' ? (account.notice?.title ?? '') : '';
    expect(await page.getByRole('alert').filter({ hasText: title }).count()).toBeGreaterThan(0);
    await isSound(shown);
  });

  it('a token that the keychain doesn’t keep goes into a file where the person says so', async () => {
    const { page, stack } = await pages.at('sign-in', { secrets: fullKeychain(), stack: fast });
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page.getByText('The sign-in could not be stored. The keychain is full.').waitFor();
    await page.getByRole('button', { name: 'Store in a file' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page.getByText('Signed in as octo-demo').first().waitFor();
    expect(stack.app.state().secrets).toEqual({ storage: 'file', problem: null, needsFile: false });
  });

  it('without a keychain it asks where the token goes before it asks for a code', async () => {
    const shown = await pages.at('sign-in', { secrets: noKeychain(), stack: fast });
    const { page, stack } = shown;
    const notice = page.getByRole('alert').filter({ hasText: 'There is no keychain here.' });
    await notice.getByText('Programs that run as your user can read that file.').waitFor();
    expect((await notice.innerText()).match(/keychain/g)).toHaveLength(1);
    expect(stack.app.state().account.kind).toBe('signed-out');
    await isSound(shown);
    await page.getByRole('button', { name: 'Choose another way…' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Until I quit' }).click();
    await page.getByTestId('device-code').waitFor();
    stack.simulator.script.approve();
    await page.getByTestId('banner').getByText('No keychain on this machine.').waitFor();
    expect(stack.app.state()).toMatchObject({
      secrets: { storage: 'memory', problem: null, needsFile: true },
      account: { kind: 'signed-in', login: 'octo-demo' },
    });
  });
});
