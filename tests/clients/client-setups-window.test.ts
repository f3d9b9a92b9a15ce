import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchForShortPages } from '../chromium.ts';
import { clientPrograms, expectOwn, expectWork, putOwn } from './client-programs.ts';
import { type Product, startProduct } from './product.ts';

/** Programs of others, set up by clicks: a prompt with a tool works, and after undo their files are as before. */
let product: Product;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  if (chromiumPath() === null) return;
  // A key that works tomorrow.
  product = await startProduct({}, null, { JUMPSEAT_KEY: 'k'.repeat(40) });
  browser = await launchForShortPages();
  page = await browser.newPage();
  await page.goto(`${product.dashboardUrl}#/settings/clients`);
});
afterAll(async () => {
  await browser?.close();
  await product?.close();
});

describe.skipIf(chromiumPath() === null).each(clientPrograms)('the real $name', (program) => {
  const { title } = program;
  it('is set up and undone by clicks, and what it asked is in its row', async () => {
    putOwn(program, product.home);
    const row = page.locator('.settings_clients > li', { hasText: new RegExp(`^${title}`) });
    await row.getByRole('button', { name: `Set up ${title}…`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Set up ${title}` });
    await dialog.locator('.difference_difference .difference_added').first().waitFor();
    expect(await page.content()).not.toContain(product.key);
    await dialog.getByRole('button', { name: 'Add to settings' }).click();
    await row.getByText('Models: set up by Jumpseat').waitFor();

    await expectWork(program, product, ['runs']);
    await row.getByText(/^Last request \d\d:\d\d:\d\d on \S+ · [\d.]+ credits today$/).waitFor();

    await row.getByRole('button', { name: `Undo setup of ${title}…`, exact: true }).click();
    const undo = page.getByRole('dialog', { name: `Undo the setup of ${title}` });
    await undo.getByRole('button', { name: 'Undo setup' }).click();
    await row.getByText('Models: not set up').waitFor();
    expectOwn(program, product.home);
  });
});
