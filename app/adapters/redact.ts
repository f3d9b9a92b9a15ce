import type { Secrets } from '../ports.ts';

/**
 * Values that this process knows to be secret and that have no shape of their own: the local key, a token from the
 * environment.
 */
let kept: readonly string[] = [];
/** Copilot's tokens, of which there is another one every half an hour, and one for each conversation with Auto. */
let passing: readonly HiddenToken[] = [];
/** The spellings of them that are looked for; the longest first, since a secret may be the beginning of another. */
let spellings: readonly string[] = [];
/** The same for texts in which letters are spelled as `\\u0074`; made when such a text comes. */
let escaped: RegExp | null = null;
const keptLimit = 64;
const passingLimit = 32;
/** Shorter ones would black out ordinary words. */
const shortestKnown = 8;

/**
 * From now on `redact` takes this value out of every text. Shorter than 8 characters it is ignored; the last 64 are
 * known, 32 of those that pass.
 */
export function addSecret(value: string, life: 'kept' | 'passing' = 'kept'): void {
  if (value.length < shortestKnown) return;
  if (life === 'kept') {
    if (kept.includes(value)) return;
    kept = [...kept, value].slice(-keptLimit);
  } else {
    if (passing.some((token) => token.value === value)) return;
    passing = [...passing, hiddenToken(value)].slice(-passingLimit);
  }
  const known = [...kept, ...passing.flatMap(({ value, pieces }) => [value, ...pieces])];
  spellings = [...new Set(known.flatMap(spellingsOf))].sort((left, right) => right.length - left.length);
  escaped = null;
}

function spellingsOf(value: string): string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}

export const mark = '[redacted]';

/**
 * Every pattern starts with fixed letters and takes what follows in one go, so that a text costs its length and no
 * more. Tokens of GitHub: user, OAuth, personal, server, refresh and fine-grained. Keys of hosted sessions, and further
 * local keys. Copilot's tokens: `tid=…;exp=…;…:mac`, sometimes without its beginning.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/gh[oprsu]_[A-Za-z0-9_]{6,}/g, mark],
  [/github_pat_[A-Za-z0-9_]{6,}/g, mark],
  [/jss_[A-Za-z0-9_-]{16,}/g, mark],
  [/jsk_[A-Za-z0-9_-]{16,}/g, mark],
  [/\bsk-[A-Za-z0-9_-]{16,}/g, mark],
  [/tid=[^\s"'\\]+/g, mark],
  [/exp=\d{8,}[^\s"'\\]*/g, mark],
  [/\b(bearer)[ \t]{1,8}[^\s"'\\]{4,}/gi, `$1 ${mark}`],
  [
    /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)[^\r\n"'\\]+/gi,
    `$1$2${mark}`,
  ],
  [/([?&#][\w-]{0,32}(?:token|key|secret|password|code)=)[^&#\s"'\\]+/gi, `$1${mark}`],
  [/(:\/\/)[^\s/?#@"'\\]{1,1000}@/g, `$1${mark}@`],
];

/** Takes everything that is or looks like a token, a key or a password out of a text. */
export function redact(text: string): string {
  let clean = text;
  for (const secret of spellings) if (clean.includes(secret)) clean = clean.replaceAll(secret, mark);
  if (clean.includes('\\u00')) {
    escaped ??= escapedForms([...kept, ...passing.map(({ value }) => value)]);
    clean = clean.replace(escaped, mark);
  }
  for (const token of passing) clean = withoutEnds(clean, token, mark);
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A token that is looked for whole, in its parts, and cut off. */
interface HiddenToken {
  value: string;
  /**
   * Its parts that mean nothing but secrets: no names of hosts, plans or fields, which stand in other texts as well.
   */
  pieces: readonly string[];
}

/** Shorter parts occur in other texts by chance. */
const shortestPiece = 16;

function hiddenToken(value: string): HiddenToken {
  const parts = value.split(/[;:=.,&\s]+/);
  const pieces = parts.filter((part) => part.length >= shortestPiece && /\d/.test(part) && /[a-z]/i.test(part));
  return { value, pieces: pieces.filter((part) => part !== value) };
}

/** The text without the token's beginning and its end, wherever it was cut in two. */
function withoutEnds(text: string, { value }: HiddenToken, mark: string): string {
  if (value.length < shortestPiece * 2) return text;
  return withoutEnd(withoutBeginning(text, value, mark), value, mark);
}

function withoutBeginning(text: string, value: string, mark: string): string {
  const begins = value.slice(0, shortestPiece);
  let clean = text;
  for (let at = clean.indexOf(begins); at >= 0; at = clean.indexOf(begins, at + mark.length)) {
    let length = shortestPiece;
    while (length < value.length && clean[at + length] === value[length]) length++;
    clean = clean.slice(0, at) + mark + clean.slice(at + length);
  }
  return clean;
}

function withoutEnd(text: string, value: string, mark: string): string {
  const ends = value.slice(-shortestPiece);
  let clean = text;
  for (let at = clean.indexOf(ends); at >= 0; at = clean.indexOf(ends, at + 1)) {
    const stop = at + shortestPiece;
    let from = at;
    while (from > 0 && clean[from - 1] === value[value.length - (stop - from) - 1]) from--;
    clean = clean.slice(0, from) + mark + clean.slice(stop);
    at = from + mark.length - 1;
  }
  return clean;
}

/**
 * These values where some of their letters are spelled as JSON may spell them: `\\u0074` for `t`, or `\\/`. The longest
 * first.
 */
function escapedForms(values: readonly string[]): RegExp {
  const longestFirst = [...values].sort((left, right) => right.length - left.length);
  return new RegExp(longestFirst.map((value) => Array.from(value, letter).join('')).join('|') || '(?!)', 'g');
}

function letter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = Array.from(code, (digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit));
  return `(?:\\\\{0,3}${character.replace(/[^\w\s]/u, '\\$&')}|\\\\{1,4}u${digits.join('')})`;
}

/** The same store; every value that passes through it is known to the redaction of logs from then on. */
export function outOfLogs(secrets: Secrets): Secrets {
  return {
    storage: secrets.storage,
    status: () => secrets.status(),
    delete: (name) => secrets.delete(name),
    get: async (name) => {
      const value = await secrets.get(name);
      if (value !== null) hide(value);
      return value;
    },
    set: (name, value) => {
      hide(value);
      return secrets.set(name, value);
    },
  };
}

/** A token may stand behind the name of its host. */
function hide(value: string): void {
  addSecret(value);
  addSecret(value.slice(value.lastIndexOf(' ') + 1));
}
