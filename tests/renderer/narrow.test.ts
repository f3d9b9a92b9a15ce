import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isSound, pagesOf } from './pages-of.ts';
import { monthOfWork } from './usage-models-page.ts';

/** A window as narrow as a phone: the page stays where it is, and what is wide scrolls in its own frame. */
const pages = { requests: pagesOf('requests'), usage: pagesOf('usage'), models: pagesOf('models') };

/** What sticks out of the window, and what scrolls sideways, by class. */
function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('*')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter(
        (element) => element.matches('html, body, main') || /auto|scroll/.test(getComputedStyle(element).overflowX),
      )
      .map(({ tagName, classList }) => classList[0] ?? tagName),
  );
}

/** Words of each that are in sight at once. */
async function inSight(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, right } = one.getBoundingClientRect();
      return one.checkVisibility() && left >= 52 && right <= innerWidth ? [one.textContent ?? ''] : [];
    }),
  );
}

it.each([
  ['requests', ['requests_grid'], '.requests_row-head > div', ['Time', 'Status', 'Initiator', 'Model']],
  ['usage', ['usage_usage-tree'], '.usage_tree-head > span', ['Session', 'Credits']],
  [
    'models',
    ['models_models-frame', 'models_models-frame'],
    '.models_names-table thead th',
    ['Claude Code asks for', 'Copilot runs'],
  ],
] as const)('%s at 360 px scrolls nothing sideways but its tables', async (place, frames, heads, seen) => {
  const shown = await pages[place]({
    rows: monthOfWork(Date.now() - 60_000, 5),
    context: { viewport: { width: 360, height: 640 } },
  });
  const { page } = shown;
  await page.locator(`.${frames[0]}`).first().waitFor();
  await expect.poll(() => sideways(page)).toEqual(frames);
  expect(await inSight(page, heads)).toEqual(seen);
  const pictures = process.env.JUMPSEAT_TEST_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `narrow-${place}.png`) });
  await isSound(shown);
});
