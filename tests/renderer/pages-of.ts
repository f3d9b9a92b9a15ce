import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchForShortPages } from '../chromium.ts';
import { axeViolations } from '../e2e/axe-findings.ts';
import { type BuiltDashboard, buildDashboard, type Shown, type ShowOptions, show } from './usage-models-page.ts';

/**
 * Opens pages at one place of the dashboard, for the tests of a file: one build and one browser for all, and everything
 * put away again.
 */
export function pagesOf(place: string): (options?: Partial<ShowOptions>) => Promise<Shown> {
  const open: Shown[] = [];
  let dashboard: BuiltDashboard;
  let browser: Browser;
  beforeAll(async () => {
    [dashboard, browser] = await Promise.all([buildDashboard(), launchForShortPages()]);
  });
  afterEach(async () => {
    for (const shown of open.splice(0)) await shown.close();
  });
  afterAll(async () => {
    await browser?.close();
    dashboard?.remove();
  });
  return async (options = {}) => {
    const shown = await show({ dashboard: dashboard.folder, browser, place, ...options });
    open.push(shown);
    return shown;
  };
}

/** Nothing of accessibility is broken, and the page’s own policy refused nothing. */
export async function isSound({ page, complaints }: Pick<Shown, 'page' | 'complaints'>): Promise<void> {
  const violations = await axeViolations(page);
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(complaints).toEqual([]);
}
