export interface Address {
  /** With a host as it is asked for: look-alike letters as `xn--…`. */
  whole: string;
  host: string;
  /** Where the host stands in it: a user name in front may read like it. */
  at: number;
}

const schemes = new Set(['https:', 'http:', 'mailto:']);

/** An address that may be asked about; null: it is of another scheme, or none at all. */
export function safeAddress(text: string): Address | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!schemes.has(url.protocol)) return null;
  const host = url.protocol === 'mailto:' ? (url.pathname.split('@').at(-1) ?? '') : url.host;
  if (host === '') return null;
  const { href: whole, protocol } = url;
  const end = protocol === 'mailto:' ? whole.search(/[?#]|$/) : whole.indexOf('/', `${protocol}//`.length);
  return { whole, host, at: end - host.length };
}

/** A file as `src/a.ts`, `src/a.ts:12` or `./a.ts#L12`; null: the text names none. */
export function pathIn(text: string): { path: string; line: number | null } | null {
  if (text === '' || text.startsWith('#') || text.startsWith('//') || /^[a-z][a-z\d+.-]+:/i.test(text)) return null;
  const { path = '', line } = /^(?<path>.*?)(?:(?:#L|:)(?<line>\d{1,7})(?:[-:].*)?)?$/s.exec(text)?.groups ?? {};
  if (path === '' || /[\p{Cc}\u2028\u2029]/u.test(path)) return null;
  return { path, line: line === undefined ? null : Number(line) };
}
