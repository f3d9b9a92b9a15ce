import type { Check } from '../../app/api/state.ts';
import { addressCheck } from '../../app/words/checks.ts';

/** A proxy that a person switched off is no warning: the first sentence says it, with its button. */
export function whileOff(check: Check): Check {
  if (check.id !== addressCheck || check.verdict !== 'warning') return check;
  return { ...check, verdict: 'skipped', finding: 'Off', mend: null };
}
