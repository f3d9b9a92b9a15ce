/** The language of the search field: words joined with "and"; `key:value`, `-key:value`, `a,b`, `"with spaces"`. */

/** One word of a query, with its place in it. */
export interface Term {
  /** Null for free text. */
  key: string | null;
  negated: boolean;
  /** Any of them. At least one, none empty, lower case. */
  values: string[];
  start: number;
  end: number;
}

/** Something in a query that means nothing. */
export interface QueryProblem {
  start: number;
  end: number;
  text: string;
}

const word = /(-)?(?:([a-z]+):)?((?:"[^"]*"?|[^\s"])*)/iy;

/** Reads what can be read. `key:` without a value is no term yet. */
export function readTerms(query: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < query.length) {
    word.lastIndex = at;
    const [whole = '', minus, key, rest = ''] = word.exec(query) ?? [];
    if (whole === '') {
      at += 1;
      continue;
    }
    const end = at + whole.length;
    const values = splitValues(rest, key !== undefined);
    if (values.length > 0) {
      terms.push({ key: key?.toLowerCase() ?? null, negated: minus !== undefined, values, start: at, end });
    }
    at = end;
  }
  return terms;
}

/** Commas part the values of a key; in free text they are letters as others. */
function splitValues(text: string, ofKey: boolean): string[] {
  const values: string[] = [];
  let value = '';
  let quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (letter === ',' && ofKey && !quoted) {
      values.push(value);
      value = '';
    } else value += letter;
  }
  values.push(value);
  return values.map((one) => one.trim().toLowerCase()).filter((one) => one !== '');
}

/** `key:value` as it has to be typed. */
export function writeTerm(key: string, value: string): string {
  return `${key}:${/[\s,"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;
}

/** A query with this term in place of those it has of that key. */
export function withTerm(query: string, key: string, value: string): string {
  const others = readTerms(query)
    .filter((term) => term.key !== key)
    .map(({ start, end }) => query.slice(start, end));
  return [...others, writeTerm(key, value)].join(' ');
}

/** The known word that is nearest to a mistyped one; null if none is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(typed.length / 2)) + 1;
  for (const name of known) {
    const distance = name.startsWith(typed) ? 0.5 : distanceBetween(typed, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
