import type { Check } from '../api/health.ts';

/** What one check found, without its name. */
export type Finding = Pick<Check, 'verdict' | 'finding' | 'mend' | 'mendFor' | 'found'>;
