import classNames from 'classnames/bind';
import { t } from '../../../app/language/translate.ts';
import { Dialog } from '../../parts/dialog.tsx';
import styles from './text.module.css';

const css = classNames.bind(styles);

/** Asks before an agent's address is opened. Hosts with look-alike letters are shown as `xn--…`. */
export function AddressDialog(props: { address: string; open: (address: string) => void; close: () => void }) {
  const { address, open, close } = props;
  const found = safeAddress(address);
  if (found === null) return null;
  return (
    <Dialog
      title={t('Open this address?')}
      close={close}
      action={{
        label: t('Open'),
        run: () => {
          close();
          open(found.whole);
        },
      }}
    >
      <p className={css('address', 'mono')}>
        {found.whole.slice(0, found.at)}
        <b>{found.host}</b>
        {found.whole.slice(found.at + found.host.length)}
      </p>
    </Dialog>
  );
}

interface Address {
  /** Host in its encoded form: look-alike letters as `xn--…`. */
  whole: string;
  host: string;
  /** Offset of the host: a user name before it may look like a host. */
  at: number;
}

const schemes = new Set(['https:', 'http:', 'mailto:']);

/** An address that may be asked about; null if it is of another scheme, or none at all. */
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

/** Folders, then a name with an ending, then perhaps a line: `./src/a.ts:12`. */
const bare = new RegExp(
  String.raw`(?<![\w@+/\\:.~-])(?:(?:\.{1,2}|~)?\/)?(?:[\w.@+-]+\/)*` +
    String.raw`[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z\d]{0,7}(?:(?::|#L)\d{1,7})?(?![\w/])`,
  'g',
);
const source =
  /\.(?:[cm]?[jt]sx?|json[c5]?|mdx?|py|rb|go|rs|java|kts?|c|h|cc|cpp|hpp|cs|php|swift|sh|bash|zsh|s?css|html?|xml|ya?ml|toml|ini|sql|txt|csv|svg|vue|svelte|lua|proto|lock)$/;

/**
 * A text and the paths that stand in it. One without a folder counts where it has a line, or, with `isCode`, the
 * ending of a source: `Node.js` is a name. What begins like a host is no path.
 */
export function withPaths(text: string, isCode: boolean): { text: string; isPath: boolean }[] {
  const parts: { text: string; isPath: boolean }[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(bare)) {
    const [first = '', ...rest] = found.split('/');
    const hasFolder = rest.length > 0 && (!first.includes('.') || /^\.{1,2}$/.test(first) || first.startsWith('.'));
    const named = rest.length === 0 && source.test(found.replace(/(?::|#L)\d+$/, ''));
    if (!hasFolder && !(named && (isCode || found.length > found.replace(/(?::|#L)\d+$/, '').length))) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isPath: false });
    parts.push({ text: found, isPath: true });
    end = index + found.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), isPath: false }] : parts;
}

/** A file as `src/a.ts`, `src/a.ts:12` or `./a.ts#L12`; null if the text names none. */
export function pathIn(text: string): { path: string; line: number | null } | null {
  if (text === '' || text.startsWith('#') || text.startsWith('//')) return null;
  const [, scheme, digit] = /^([a-z][a-z\d+.-]+):(\d?)/i.exec(text) ?? [];
  // `main.go:7` is a file and its line.
  if (scheme !== undefined && (digit === '' || !source.test(scheme))) return null;
  const { path = '', line } = /^(?<path>.*?)(?:(?:#L|:)(?<line>\d{1,7})(?:[-:].*)?)?$/s.exec(text)?.groups ?? {};
  if (path === '' || /[\p{Cc}\u2028\u2029]/u.test(path)) return null;
  return { path, line: line === undefined ? null : Number(line) };
}
