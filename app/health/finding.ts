import type { Check } from '../api/state.ts';

/** What one check found, without its name. */
export type Finding = Pick<Check, 'verdict' | 'finding' | 'mend' | 'mendFor' | 'found'>;

export const passed = (finding: string): Finding => ({ verdict: 'passed', finding, mend: null });
export const warning = (finding: string, mend: string): Finding => ({ verdict: 'warning', finding, mend });
export const failed = (finding: string, mend: string): Finding => ({ verdict: 'failed', finding, mend });
/** The mend is what to type; a window has a button for it. */
export const typed = (finding: Finding): Finding => ({ ...finding, mendFor: 'terminal' });
export const skipped = (finding: string): Finding => ({ verdict: 'skipped', finding, mend: null });
