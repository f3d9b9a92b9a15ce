import { capital } from './capital.ts';

/** `High` for `high`; a word that is not known is shown with a capital. */
export function effortWords(effort: string): string {
  return effort === 'xhigh' ? 'Extra high' : capital(effort);
}
