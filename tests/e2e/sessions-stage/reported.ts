import type { Page } from 'playwright-core';

/** Hears what a screen reader is told from now on: `assertive: Claude asks …`. Each change of a region once. */
export async function hear(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const reported: string[] = [];
    const live = '[aria-live], [role=status], [role=alert]';
    const last = new WeakMap<Element, string>();
    const heed = (region: Element): void => {
      const text = region.textContent?.trim() ?? '';
      if (last.get(region) === text) return;
      last.set(region, text);
      const isUrgent = region.matches('[aria-live=assertive], [role=alert]');
      if (text !== '') reported.push(`${isUrgent ? 'assertive' : 'polite'}: ${text}`);
    };
    for (const region of document.querySelectorAll(live)) last.set(region, region.textContent?.trim() ?? '');
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const around = target instanceof Element ? target : target.parentElement;
        const region = around?.closest(live);
        if (region) heed(region);
        for (const added of addedNodes) {
          if (!(added instanceof Element)) continue;
          // A region that comes with its words is told where it says that it is urgent.
          for (const one of [added, ...added.querySelectorAll('[role=alert]')])
            if (one.matches('[role=alert]')) heed(one);
        }
      }
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    Reflect.set(window, 'told', reported);
  });
  return () => page.evaluate(() => Reflect.get(window, 'told'));
}
