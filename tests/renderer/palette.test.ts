import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { busyDays } from './example-exchanges.ts';
import { isSound, pagesOf } from './pages-of.ts';

const open = pagesOf('usage');
const field = (page: Page) => page.getByRole('combobox', { name: 'Search sessions, commands and settings' });

describe('the palette', () => {
  it('opens by Ctrl+K, goes to a setting by its name, and gives no key to what is below', async () => {
    const shown = await open();
    const { page } = shown;
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    expect(await page.getByRole('group', { name: 'Commands' }).getByRole('option').first().innerText()).toMatch(
      /^Go to Requests/,
    );
    await field(page).fill('no such thing');
    await page.getByText('Nothing matches').waitFor();
    // By its name in settings.json.
    await field(page).fill('theme');
    await page.getByRole('option', { name: /^Appearance/ }).waitFor();
    // By one of its choices, and a program by its name.
    await field(page).fill('dark');
    await page.getByRole('option', { name: /^Appearance/ }).waitFor();
    await field(page).fill('codex');
    await page.getByRole('option', { name: /^Clients/ }).waitFor();
    await field(page).fill('unix sock');
    await page.getByRole('option', { name: /^Unix socket/ }).waitFor();
    await isSound(shown);
    await field(page).press('Enter');
    await field(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/settings/proxy');
    await page.getByRole('switch', { name: 'Unix socket' }).waitFor();
  });

  it('does what a command says, with its key beside it', async () => {
    const { page } = await open();
    await page.keyboard.press('Control+k');
    await field(page).fill('go health');
    await page.getByRole('option', { name: /^Go to Health\s*Ctrl\+5$/ }).click();
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
    expect(await page.title()).toBe('Health – Jumpseat');
    await page.keyboard.press('Control+k');
    await field(page).fill('new sess');
    await field(page).press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/sessions/new');
    await page.keyboard.press('Control+k');
    await field(page).fill('new sess');
    await page.getByRole('option', { name: /^New session\s*Alt\+N$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await field(page).fill('sign out');
    await field(page).press('Enter');
    await page.getByRole('dialog', { name: 'Sign out of GitHub?' }).waitFor();
  });

  /** Its code comes when the gate is opened. */
  const opensLate = async (page: Page): Promise<PromiseWithResolvers<void>> => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.getByText('Loading…').waitFor();
    return gate;
  };

  it('does what was typed and entered while it still loads', async () => {
    const { page } = await open();
    const gate = await opensLate(page);
    await page.keyboard.type('go to models');
    await page.keyboard.press('Enter');
    gate.resolve();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/models');
    await field(page).waitFor({ state: 'detached' });
  });

  it('keeps what is typed while it still loads', async () => {
    const { page } = await open();
    const gate = await opensLate(page);
    await page.keyboard.type('go to hea');
    gate.resolve();
    await page.getByRole('option', { name: /^Go to Health/ }).waitFor();
    expect(await field(page).inputValue()).toBe('go to hea');
    await page.keyboard.type('lth');
    expect(await field(page).inputValue()).toBe('go to health');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/health');
  });

  it('opens in Requests, too, where Shift clears the list', async () => {
    const { page } = await open({ rows: busyDays(5, Date.now() - 60_000) });
    await page.evaluate(() => {
      location.hash = '#/requests';
    });
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await page
      .getByRole('row', { name: /octo|claude/ })
      .first()
      .click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/requests\//);
    await page.keyboard.press('Control+k');
    await field(page).fill('clear');
    await page.getByRole('option', { name: /^Clear list\s*Ctrl\+Shift\+K$/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/requests');
    expect(await page.getByRole('row', { name: /octo|claude/ }).count()).toBe(0);
    await page.keyboard.press('Control+Shift+K');
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await field(page).press('Escape');
    await field(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/requests');
  });
});
