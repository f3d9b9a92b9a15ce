import type { Page } from 'playwright-core';

export interface Tabbed {
  /** Controls of the view that Tab did not come to. */
  missed: string[];
  /** The part of the view that each stop stands in. */
  order: string[];
}

/** More stops than any view has. */
const mostStops = 150;

/** Goes through the view with Tab, from its beginning until the focus leaves it or comes around. */
export async function tabbed(page: Page): Promise<Tabbed> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('[data-tabbed]')) element.removeAttribute('data-tabbed');
    const main = document.querySelector<HTMLElement>('#main');
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement) activeElement.blur();
    main?.setAttribute('tabindex', '-1');
    main?.focus();
    // What comes later, with the focus or with the place that is read, needs no key of its own.
    for (const element of document.querySelectorAll('#main :is(button, a[href], input, textarea, select)')) {
      element.setAttribute('data-awaits-tab', '');
    }
  });
  const order: string[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab');
    const part = await page.evaluate(() => {
      const focused = document.activeElement;
      // What it stood on has gone, such as the way to the end once that is in sight.
      if (focused === null || focused === document.body) return 'lost';
      if (focused.closest('#main') === null || focused.hasAttribute('data-tabbed')) return 'left';
      focused.setAttribute('data-tabbed', '');
      if (focused.closest('.panes_list') !== null) return 'list';
      if (focused.closest('.panes_dock') !== null) return 'dock';
      if (focused.closest('footer.panes_session-foot') !== null) return 'foot';
      return focused.closest('.panes_pane > header') !== null ? 'head' : 'transcript';
    });
    if (part === 'left') break;
    if (part !== 'lost') order.push(part);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#main [data-awaits-tab]')]
      .filter(
        (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.hasAttribute('data-tabbed'),
      )
      .filter((element) => !element.matches(':disabled, [tabindex="-1"], [type="file"], .sr, .shell_skip'))
      // Of a group of radio buttons Tab comes to one, of rows and steps their list has the arrows.
      .filter((element) => !element.matches('[type="radio"]') && element.closest('[role="treegrid"]') === null)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName),
  );
  return { missed, order };
}
