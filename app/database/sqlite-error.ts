import { t } from '../language/translate.ts';
/**
 * SQLite's primary result code of an error that `node:sqlite` threw (https://sqlite.org/rescode.html); null for any
 * other error.
 */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

const generic = 1;
const readOnly = 8;
const inputOutput = 10;
const cantOpen = 14;
const full = 13;
const corrupt = 11;
const tooBig = 18;
const constraint = 19;
const mismatch = 20;
const range = 25;
const notADatabase = 26;

/** The file can be opened, but it is not ours. */
export class DamagedError extends Error {}

/** The file itself is not what it should be. */
export function saysDamaged(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  const code = sqliteCode(error);
  return code === corrupt || code === notADatabase;
}

/** There is no room left on the disk. */
function saysFull(error: unknown): boolean {
  return sqliteCode(error) === full || /\b(ENOSPC|EDQUOT)\b/.test(reasonOf(error));
}

/** Why a write failed, and what a person can do. @param file its name, for a person */
export function writeTrouble(error: unknown, file: string): { why: string; remedy: string } {
  const why = reasonOf(error);
  if (saysFull(error))
    return { why: t('the disk is full'), remedy: t('Free some space on the disk that holds {file}', { file }) };
  switch (sqliteCode(error)) {
    case readOnly:
      return {
        why: t('{file} is read-only', { file }),
        remedy: t('Make {file} and its folder writable for your user', { file }),
      };
    case cantOpen:
      return { why, remedy: t('Check that {file} and its folder exist and are writable for your user', { file }) };
    case inputOutput:
      return { why, remedy: t('Check the disk that holds {file}', { file }) };
    default:
      return { why, remedy: t('Check that no other program uses {file}', { file }) };
  }
}

/** While opening, a statement that does not fit the tables says as much. */
export function saysForeign(error: unknown): boolean {
  return sqliteCode(error) === generic;
}

/** This row cannot be stored, and others can. */
export function saysBadRow(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === null || code === tooBig || code === constraint || code === mismatch || code === range;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
