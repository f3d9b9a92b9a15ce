/**
 * All words that were seen in catalogs and clients, lowest first. A word that is not here is taken for a newer, higher
 * one.
 */
const effortsInOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

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
  return effortsInOrder.includes(asked) ? asked : '(unknown)';
}

/**
 * `invalid_reasoning_effort`: an effort has to be in the model's list. The nearest lower one of the list costs no more
 * than what was asked for; where there is none, the lowest is taken. Null if a model with an empty list has no such
 * setting. An absent list lets every effort pass.
 */
export function clampEffort(asked: string, listed: readonly string[] | undefined): string | null {
  if (listed === undefined || listed.includes(asked)) return asked;
  const place = effortsInOrder.indexOf(asked);
  const most = place === -1 ? effortsInOrder.length : place;
  const known = effortsInOrder.filter((effort) => listed.includes(effort));
  return known.findLast((effort) => effortsInOrder.indexOf(effort) <= most) ?? known[0] ?? listed[0] ?? null;
}
