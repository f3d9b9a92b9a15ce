import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export interface Looked {
  /** Default: all of them. */
  rules?: string[];
  /** In the view and its banner alone. */
  view?: boolean;
  /** Within one element alone. */
  within?: string | null;
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** What axe finds wrong in a page. Default: by every rule that it has on. */
export async function axeViolations(
  page: Page,
  choose: (builder: AxeBuilder) => AxeBuilder = (builder) => builder,
): Promise<Violations> {
  // Half a megabyte to read, which the builder else gives to the page twice for every look.
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) })
    // What is in order needs no description.
    .options({ resultTypes: ['violations'] })
    // In this page alone: there are no frames of others in it, and a page more for every look takes longer than it.
    .setLegacyMode();
  const { violations } = await choose(builder).analyze();
  return violations;
}

/** What axe finds wrong in a page, by rule and element. */
export async function axeFindings(
  page: Page,
  { rules, view = false, within = view ? '#main' : null }: Looked = {},
): Promise<string[]> {
  const violations = await axeViolations(page, (builder) => {
    if (within !== null) builder.include(within);
    if (rules !== undefined) return builder.withRules(rules);
    return builder.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}
