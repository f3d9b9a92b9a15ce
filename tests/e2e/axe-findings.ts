import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Looked {
  /** Default: all of them. */
  rules?: string[];
  /** In the view and its banner alone. */
  view?: boolean;
  /** Within one element alone. */
  within?: string | null;
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in a page, or within one element of it. Default: by every rule that it has on. */
export async function axeViolations(
  page: Page,
  options: axe.RunOptions = {},
  within: string | null = null,
): Promise<axe.Result[]> {
  // Half a megabyte to read: once for a page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(
    async ([element, given]) => {
      // What is in order needs no description.
      const results = await window.axe?.run(element ?? document, { ...given, resultTypes: ['violations'] });
      if (results === undefined) throw new Error('axe is not in the page.');
      return results.violations;
    },
    [within, options] as const,
  );
}

/** All rules that axe has on, but for these. */
export function without(...rules: string[]): axe.RunOptions {
  return { rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])) };
}

/** What axe finds wrong in a page, by rule and element. */
export async function axeFindings(
  page: Page,
  { rules, view = false, within = view ? '#main' : null }: Looked = {},
): Promise<string[]> {
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const violations = await axeViolations(
    page,
    { runOnly: { type: rules === undefined ? 'tag' : 'rule', values: runOnly } },
    within,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}
