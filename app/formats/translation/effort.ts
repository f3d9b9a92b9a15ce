/**
 * All words that were seen in catalogs and clients, lowest first. A word that is not here is taken for a newer, higher
 * one.
 */
export const effortsInOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const known: readonly string[] = effortsInOrder;

/** For models that think by a budget. */
export function budgetOf(effort: string): number {
  switch (effort) {
    case 'none':
    case 'minimal':
    case 'low':
      return 1024;
    case 'medium':
      return 8192;
    case 'high':
      return 24_576;
    default:
      return 32_768;
  }
}

/** An effort as a note names it: what a client made up is in no log. */
export function effortName(asked: string): string {
  return known.includes(asked) ? asked : '(unknown)';
}

/**
 * `invalid_reasoning_effort`: an effort has to be in the model's list. The nearest lower one of the list costs no more
 * than what was asked for; where there is none, the lowest is taken. Null if a model with an empty list has no such
 * setting. An absent list lets every effort pass.
 */
export function clampEffort(asked: string, listed: readonly string[] | undefined): string | null {
  if (listed === undefined || listed.includes(asked)) return asked;
  const place = known.indexOf(asked);
  const most = place === -1 ? known.length : place;
  const taken = known.filter((effort) => listed.includes(effort));
  return taken.findLast((effort) => known.indexOf(effort) <= most) ?? taken[0] ?? listed[0] ?? null;
}
