import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeLinkPage } from '../../app/adapters/open-url.ts';
import { startStack } from '../app/stack.ts';
import { pagesOf } from './pages-of.ts';

const at = pagesOf('');

it('a browser that is given the file with the link comes in, and stays in when it reloads', async () => {
  const { page, stack, complaints } = await at();
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-link-'));
  try {
    await page.context().clearCookies();
    const { dashboardUrl, dashboardUsed } = await stack.app.startProxy();
    const link = await writeLinkPage(dashboardUrl, folder);
    await page.goto(pathToFileURL(link.path).href);
    await page.waitForURL((url) => url.pathname === '/ui/');
    await dashboardUsed;
    await link.remove();
    const inside = page.getByRole('complementary', { name: 'Jumpseat' });
    await inside.waitFor();
    await page.reload();
    await inside.waitFor();
    expect(complaints).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a dashboard shows that a quit waits, and cancels it', async () => {
  const { page, stack } = await at();
  const { app } = stack;
  app.setQuitWait({ waits: 'quits when 1 session is done', stay: () => app.setQuitWait(null) });
  await page.getByText('Jumpseat quits when 1 session is done.').waitFor();
  await page.getByRole('button', { name: 'Don’t quit' }).click();
  await page.getByTestId('quit-banner').waitFor({ state: 'detached' });
  expect(app.state().quitWaits).toBeNull();
});

it('the dashboards of two Jumpseats stay open beside each other in one browser', async () => {
  const { page, complaints } = await at();
  const inside = (shown: Page) => shown.getByRole('complementary', { name: 'Jumpseat' }).waitFor();
  await inside(page);
  const other = await startStack();
  try {
    const second = await page.context().newPage();
    const entered = await second.goto((await other.app.startProxy()).dashboardUrl);
    expect(entered?.status()).not.toBe(401);
    await page.reload();
    await inside(page);
    expect((await second.reload())?.status()).not.toBe(401);
    expect(complaints).toEqual([]);
  } finally {
    await other.close();
  }
});

it('a link that was used names the command for another one, which ends nothing', async () => {
  const { page, stack } = await at();
  const { dashboardUrl } = await stack.app.startProxy();
  await page.context().clearCookies();
  await page.goto(dashboardUrl);
  await page.context().clearCookies();
  expect((await page.goto(dashboardUrl))?.status()).toBe(401);
  const words = await page.locator('body').innerText();
  expect(words).toContain('Run jumpseat dashboard in a terminal for a new one');
  expect(words).not.toMatch(/\bstop\b/i);
});

it('where Jumpseat is started by another command, the dashboard names that one', async () => {
  const { page, stack } = await at({ place: 'settings/proxy', stack: { app: { typedCommand: 'npx jumpseat' } } });
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByText('clipboard. Run "npx jumpseat env" in a terminal instead.').waitFor();
  await stack.app.createKey({ name: 'ci', clients: [], days: null });
  const name = page.getByRole('textbox', { name: 'Name of the key' });
  await name.fill('ci');
  const before = await name.boundingBox();
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('Choose another name, or revoke that key first.').waitFor();
  expect(await name.boundingBox()).toEqual(before);
  await page.context().clearCookies();
  await page.reload();
  await page.getByText('Run npx jumpseat dashboard in a terminal for a new one').waitFor();
});
