import { isAbsolute, join, relative } from 'node:path';
import { isLoopback } from '../../app/settings/github-addresses.ts';

/** The window's own scheme and origin: its files are served under it and nothing else is. */
export const scheme = 'app';
export const origin = `${scheme}://bundle`;
/** A secure origin of its own, without the way past the content security policy that a scheme can be given. */
export const schemePrivileges = { standard: true, secure: true, supportFetchAPI: true } as const;

/** Of the page that plays a sound and is never seen; what a window's page may load is not touched by it. */
export const soundScheme = 'jumpseat-sound';
export const soundPrivileges = { standard: true, secure: true } as const;

export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

/**
 * The file below `folder` that an address of ours means, and its type. Null for any other host, for a way out of the
 * folder, and for kinds of files that the window does not consist of.
 */
export function fileFor(address: string, folder: string): { path: string; type: string } | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== `${scheme}:` || url.host !== 'bundle') return null;
  const asked = decode(url.pathname === '/' ? '/index.html' : url.pathname);
  if (asked === null || asked.includes('\0')) return null;
  const path = join(folder, asked);
  const inside = relative(folder, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null;
  const type = types[path.slice(path.lastIndexOf('.') + 1)];
  return type === undefined ? null : { path, type };
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Whether an address belongs to our own page. Compared as parsed: `app://bundle.evil` begins like ours and is not. */
export function isOurs(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${scheme}:` && url.host === 'bundle';
}

const externalHosts = new Set(['github.com', 'docs.github.com', 'nodejs.org']);

/**
 * Whether the browser may be sent there: https, known hosts and the one where people sign in. A GitHub that is
 * simulated on this machine has http and a port.
 */
export function mayOpenOutside(address: string, signInHost: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'http:') return isLoopback(url.hostname) && url.host === signInHost;
  return url.protocol === 'https:' && url.port === '' && (externalHosts.has(url.host) || url.host === signInHost);
}
