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

/** What axe finds wrong in a page, by rule and element. */
export async function axeFindings(
  page: Page,
  { rules, view = false, within = view ? '#main' : null }: Looked = {},
): Promise<string[]> {
  // In this page alone: there are no frames of others in it, and a page more for every look takes longer than the look.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  if (within !== null) builder.include(within);
  if (rules === undefined) builder.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);
  else builder.withRules(rules);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}
