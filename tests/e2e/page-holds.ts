import type { Page } from 'playwright-core';
import { until } from '../soon.ts';

/**
 * Waits until an expression holds in the page. Not Playwright's own `waitForFunction`: that evaluates in the page when
 * it looks again, which the page's policy forbids.
 */
export async function holds(page: Page, expression: string): Promise<void> {
  await until(
    // A page on its way to another has nothing to say.
    () => page.evaluate(`Boolean(${expression})`).catch(() => false),
    async () => ({ wanted: expression, text: await page.evaluate('document.body.innerText').catch(String) }),
  );
}

export const showsText = (page: Page, text: string): Promise<void> =>
  holds(page, `document.body.innerText.includes(${JSON.stringify(text)})`);
