/**
 * Ids as rows keep them, where they stand in an index as well: a UUID is 22 characters of its bytes behind a mark that
 * says how it was written. Every other text stays as it is, behind a mark of its own where it begins like one.
 */
const marks = { '~': '', '=': 'req_' } as const;
const plainMark = '!';

const uuid = /^(req_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const compact = /^([~=])([\w-]{22})$/;

export function compactId(id: string): string {
  const [, prefix, digits] = uuid.exec(id) ?? [];
  if (digits === undefined) return /^[~=!]/.test(id) ? `${plainMark}${id}` : id;
  const bytes = Buffer.from(digits.replaceAll('-', ''), 'hex').toString('base64url');
  return `${prefix === undefined ? '~' : '='}${bytes}`;
}

/** Of a text that `compactId` made, or that an earlier version kept. */
export function plainId(kept: string): string {
  if (kept.startsWith(plainMark)) return kept.slice(plainMark.length);
  const [, mark, bytes] = compact.exec(kept) ?? [];
  if (bytes === undefined || (mark !== '~' && mark !== '=')) return kept;
  const hex = Buffer.from(bytes, 'base64url').toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `${marks[mark]}${parts.join('-')}`;
}

/** How rows may keep an id: in today's form, and in that of earlier versions as long as they are not compacted. */
export function formsOf(id: string): [string, string] {
  return [compactId(id), id];
}
