/**
 * SQLite's primary result code of an error that `node:sqlite` threw (https://sqlite.org/rescode.html); null for any
 * other error.
 */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

const generic = 1;
const full = 13;
const corrupt = 11;
const tooBig = 18;
const constraint = 19;
const mismatch = 20;
const range = 25;
const notADatabase = 26;

/** The file itself is not what it should be. */
export function saysDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === corrupt || code === notADatabase;
}

/** There is no room left on the disk. */
export function saysFull(error: unknown): boolean {
  return sqliteCode(error) === full || /\b(ENOSPC|EDQUOT)\b/.test(reasonOf(error));
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
