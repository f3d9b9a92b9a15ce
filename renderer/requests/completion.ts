import { writeTerm } from '../state/log/filter/language.ts';
import { type FilterContext, keys, offered } from '../state/log/filter/match.ts';
import type { Row } from '../state/log/row.ts';

/** One way to go on with the word that is being typed. */
export interface Completion {
  /** What the list shows. */
  label: string;
  /** Shown beside it: how many rows have it, or what it means. Null if nothing. */
  more: number | string | null;
  /** The whole query with it. */
  query: string;
}

const most = 8;
/** Counting all of a long history would be felt while typing; the newest say enough. */
const counted = 5_000;

const fromRows: ReadonlyMap<string, (row: Row) => string | null> = new Map(
  Object.entries({
    model: (row) => row.model,
    asked: (row) => row.asked,
    agent: (row) => row.agentType,
    client: (row) => row.client,
    key: (row) => row.key ?? null,
    account: (row) => row.account ?? null,
    session: (row) => row.session?.slice(0, 8) ?? null,
    prompt: (row) => row.prompt?.slice(0, 8) ?? null,
    initiator: (row) => row.initiator,
    class: (row) => row.requestClass ?? 'none',
    reason: (row) => row.reason?.code ?? null,
    status: (row) => (row.status === null ? null : String(row.status)),
  }),
);

/** What the word at the end of the query can become. Nothing for a finished word. */
export function completions(query: string, rows: readonly Row[], context: FilterContext): Completion[] {
  const word = /(?:^|\s)(-?)([a-z]*)(:?)([^\s:]*)$/i.exec(query);
  if (word === null) return [];
  const [whole, minus = '', key = '', colon, typed = ''] = word;
  const before = query.slice(0, query.length - whole.trimStart().length);
  if (colon === '') {
    if (key === '') return [];
    return [...keys.keys()]
      .filter((name) => name.startsWith(key.toLowerCase()) && name !== key)
      .slice(0, most)
      .map((name) => ({ label: `${name}:`, more: null, query: `${before}${minus}${name}:` }));
  }
  const name = key.toLowerCase();
  const start = typed.replaceAll('"', '').toLowerCase();
  const counts = countValues(name, rows, context) ?? countOffered(name, rows, context);
  const values =
    counts === null ? (offered.get(name) ?? []) : [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  return values
    .filter((value) => value.toLowerCase().startsWith(start) && value.toLowerCase() !== start)
    .slice(0, most)
    .map((value) => ({
      label: value,
      more: counts?.get(value) ?? null,
      query: `${before}${minus}${writeTerm(name, value)} `,
    }));
}

/** Keys whose values are few and known: how many rows have each, none among them. */
const counting: ReadonlySet<string> = new Set(['is', 'has', 'endpoint', 'path']);

function countOffered(key: string, rows: readonly Row[], context: FilterContext): Map<string, number> | null {
  if (!counting.has(key)) return null;
  const newest = rows.slice(-counted);
  const counts = new Map<string, number>();
  for (const value of offered.get(key) ?? []) {
    const test = keys.get(key)?.(value, context) ?? null;
    if (test !== null)
      counts.set(
        value,
        newest.reduce((count, row) => count + (test(row) ? 1 : 0), 0),
      );
  }
  return counts;
}

function countValues(key: string, rows: readonly Row[], { folderOf }: FilterContext): Map<string, number> | null {
  const pick = key === 'folder' ? folderOf : fromRows.get(key);
  if (pick === undefined) return null;
  const counts = new Map<string, number>();
  for (let index = rows.length - 1; index >= Math.max(0, rows.length - counted); index -= 1) {
    const row = rows[index];
    const value = row === undefined ? null : (pick(row) ?? (key === 'folder' ? 'none' : null));
    if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
