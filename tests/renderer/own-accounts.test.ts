import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { soon } from '../soon.ts';
import { isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

describe('several accounts in Settings', () => {
  it('are added, bound, chosen and renamed by hand', async () => {
    const shown = await pages.at('settings/account');
    const { page, stack } = shown;
    await page.getByText('Signed in as octo-demo').waitFor();
    const adding = page.getByRole('textbox', { name: 'Name of another account' });
    await adding.fill('Work');
    await adding.press('Enter');
    const labels = page.getByRole('textbox', { name: 'Client labels of Work' });
    await page.getByText('Not signed in. Clients with one of its client labels use it,').waitFor();
    await labels.fill('work, ci');
    await labels.press('Enter');
    await page.getByText('Used by clients with the label work, ci.').waitFor();
    await page.getByText('octo-demo, in use').waitFor();
    await isSound(shown);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^Enter [A-Z0-9]{4}-[A-Z0-9]{4} at/).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Copy code and open GitHub' }).click();
    expect((await opened).url()).toContain('/login/device');
    stack.simulator.script.approve();
    await soon(() => expect(stack.app.state().accounts[1]?.state.kind).toBe('signed-in'));
    // Until the window has heard of it, the last one is the first account's.
    await expect.poll(() => page.getByRole('button', { name: 'Sign out…' }).count()).toBe(2);
    await page.getByRole('button', { name: 'Sign out…' }).last().click();
    const says = page.getByRole('dialog', { name: 'Sign out of Work?' }).getByText('stay signed in');
    expect(await says.innerText()).toContain(
      'The token of Work is deleted on this machine. A token stored for another way in stays.',
    );
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await soon(() =>
      expect(stack.app.state().accounts.map(({ state }) => state.kind)).toEqual(['signed-in', 'signed-out']),
    );
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByText('Work, in use').waitFor();
    expect(stack.app.state().account.kind).toBe('signed-out');
    const named = page.getByRole('textbox', { name: 'Name of Work' });
    await named.fill('Office');
    await named.press('Enter');
    await soon(() => expect(stack.app.state().accounts.map(({ name }) => name)).toEqual(['octo-demo', 'Office']));
  });

  it('change at a button alone: leaving a field adds, renames and binds nothing', async () => {
    const { page, stack } = await pages.at('settings/account');
    const names = () => stack.app.state().accounts.map(({ name, labels }) => [name, ...labels]);
    const adding = page.getByRole('textbox', { name: 'Name of another account' });
    await adding.fill('Work');
    await page.getByRole('heading', { name: 'Account', exact: true }).click();
    expect(names()).toHaveLength(1);
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByText('Work', { exact: true }).waitFor();
    expect(await adding.inputValue()).toBe('');
    const before = names();
    await page.getByRole('textbox', { name: 'Name of Work' }).fill('Office');
    const labels = page.getByRole('textbox', { name: 'Client labels of Work' });
    await labels.fill('ci');
    await page.getByRole('heading', { name: 'Account', exact: true }).click();
    expect(names()).toEqual(before);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Used by clients with the label ci.').waitFor();
    expect(names()[1]).toEqual(['Office', 'ci']);
    await page.getByRole('textbox', { name: 'Client labels of Office' }).fill('not saved');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('textbox', { name: 'Client labels of Office' }).inputValue()).toBe('ci');
    expect(await page.getByRole('button', { name: 'Save' }).last().isDisabled()).toBe(true);

    // It goes with its labels, which is asked first.
    await page.getByRole('button', { name: 'Remove…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove Office?' });
    await question.getByText('Clients with the label ci use the account in use from then on.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(names()[1]).toEqual(['Office', 'ci']);
    await page.getByRole('button', { name: 'Remove…' }).click();
    await question.getByRole('button', { name: 'Remove account' }).click();
    await soon(() => expect(names()).toHaveLength(1));
  });

  it('show why one could not be added until something else is typed', async () => {
    const { page } = await pages.at('settings/account', { stack: { app: { githubToken: fakeGithubToken } } });
    const adding = page.getByRole('textbox', { name: 'Name of another account' });
    await adding.fill('Work');
    await page.getByRole('button', { name: 'Add account' }).click();
    const refused = page.getByRole('alert').filter({ hasText: 'JUMPSEAT_GITHUB_TOKEN' });
    await refused.waitFor();
    await adding.press('Escape');
    await refused.waitFor({ state: 'detached' });
  });

  it('keep their buttons where they are while what can be done changes', async () => {
    const { page, stack } = await pages.at('settings/account', {
      before: async ({ app }) => {
        await app.addAccount('Work');
      },
    });
    const row = page.locator('.settings_setting', { has: page.getByRole('textbox', { name: 'Name of Work' }) });
    const button = (name: string) => row.getByRole('button', { name, exact: true });
    const place = async (name: string) => {
      const box = await button(name).boundingBox();
      const top = await row.boundingBox();
      return box === null || top === null ? null : [box.x, box.y - top.y, box.width];
    };
    const use = await place('Use');
    const signIn = await place('Sign in');
    expect(use).not.toBeNull();
    await button('Sign in').click();
    await row.getByText(/^Enter /).waitFor();
    expect([await place('Use'), await place('Sign in')]).toEqual([use, signIn]);
    stack.simulator.script.approve();
    await button('Sign out…').waitFor();
    expect([await place('Use'), (await place('Sign out…'))?.[0]]).toEqual([use, signIn?.[0]]);
    await row.getByRole('textbox', { name: 'Name of Work' }).fill('Office');
    await expect.poll(() => button('Save').isEnabled()).toBe(true);
    expect(await place('Use')).toEqual(use);
    await page.keyboard.press('Escape');
    await button('Use').click();
    await page.getByText('Work, in use').waitFor();
    expect((await place('Sign out…'))?.[0]).toEqual(signIn?.[0]);
    // What isn't shown can't be pressed by the keyboard.
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Save', 'Sign out…']);
  });

  it('have one button for signing out each', async () => {
    const { page, stack } = await pages.at('settings/account', {
      before: async ({ app }) => {
        await app.addAccount('Work');
      },
    });
    await page.getByText('octo-demo, in use').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out…' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out…' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await soon(() => expect(stack.app.state().account.kind).toBe('signed-out'));
  });
});
