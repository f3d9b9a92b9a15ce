import { writeTrouble } from '../../database/sqlite-error.ts';
import { t } from '../../language/translate.ts';

/** What a session needs kept could not be kept, or not be read. `message` says why, `remedy` what to do. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
  readonly code = 'sessions-not-written';
  readonly remedy: string;
  constructor(why: string, options?: { cause?: unknown }) {
    super(t('The record of sessions can’t be used: {why}.', { why }), options);
    this.remedy = t('{remedy}, then try again.', { remedy: writeTrouble(options?.cause, 'sessions.db').remedy });
  }
}
