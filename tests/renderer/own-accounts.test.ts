import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
    await labels.fill('work, ci');
    await labels.press('Enter');
    await page.getByText('Clients with the label work, ci go out with it.').waitFor();
    await page.getByText('octo-demo, in use').waitFor();
    await isSound(shown);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^Enter [A-Z0-9]{4}-[A-Z0-9]{4} at/).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Copy code and open GitHub' }).click();
    expect((await opened).url()).toContain('/login/device');
    stack.simulator.script.approve();
    await soon(() => expect(stack.app.state().accounts[1]?.state.kind).toBe('signed-in'));
    await page.getByRole('button', { name: 'Sign out…' }).last().click();
    await page.getByRole('dialog', { name: 'Sign out of Work?' }).getByText('stay signed in').waitFor();
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
});
