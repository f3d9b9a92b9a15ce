import type { Check } from '../api/state.ts';

/** What one check found, without its name. */
export type Finding = Pick<Check, 'verdict' | 'finding' | 'remedy' | 'remedyFor' | 'found' | 'tookMs' | 'client'>;

export const passed = (finding: string): Finding => ({ verdict: 'passed', finding, remedy: null });
export const warning = (finding: string, remedy: string): Finding => ({ verdict: 'warning', finding, remedy });
export const failed = (finding: string, remedy: string): Finding => ({ verdict: 'failed', finding, remedy });
/** The remedy is what to type; a window has a button for it. */
export const typed = (finding: Finding): Finding => ({ ...finding, remedyFor: 'terminal' });
export const skipped = (finding: string): Finding => ({ verdict: 'skipped', finding, remedy: null });
