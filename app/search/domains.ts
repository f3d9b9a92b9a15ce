import type { SearchQuery } from '../api/search.ts';

/** Whether a page may be shown: on a domain that is allowed and none that is blocked. Domains below count, too. */
export function isWanted(url: string, { allowed, blocked }: Pick<SearchQuery, 'allowed' | 'blocked'>): boolean {
  const page = pageOf(url);
  if (page === null) return false;
  const isOn = (domain: string): boolean => isBelow(page, domain);
  return (allowed.length === 0 || allowed.some(isOn)) && !blocked.some(isOn);
}

/** The hosts alone, for engines that know no paths. */
export function hostsOf(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => partsOf(domain).host))].filter((host) => host !== '');
}

/** Addresses of other kinds than those of web pages are never passed on. */
function pageOf(url: string): URL | null {
  const page = URL.canParse(url) ? new URL(url) : null;
  return page !== null && (page.protocol === 'https:' || page.protocol === 'http:') ? page : null;
}

function isBelow(page: URL, domain: string): boolean {
  const { host, path } = partsOf(domain);
  const on = withoutDot(page.hostname);
  return host !== '' && (on === host || on.endsWith(`.${host}`)) && isPathBelow(page.pathname, path);
}

/** `*` stands for anything in between; Anthropic's tool takes one of them, behind the host. */
function isPathBelow(page: string, path: string): boolean {
  const [begin = '', end] = path.split('*');
  if (end !== undefined) return page.startsWith(begin) && page.slice(begin.length).includes(end);
  return path === '' || page === path || page.startsWith(`${path}/`);
}

/**
 * A host, perhaps with a path (`example.com/blog`), as Anthropic's tool takes it; people write more around it. The host
 * as addresses have it: `münchen.example` is `xn--mnchen-3ya.example` there.
 */
function partsOf(domain: string): { host: string; path: string } {
  const bare = domain
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^\*\./, '');
  const url = bare === '' ? null : URL.parse(`https://${bare}`);
  if (url === null) return { host: '', path: '' };
  return { host: withoutDot(url.hostname), path: url.pathname.replace(/\/+/g, '/').replace(/\/$/, '') };
}

/** `example.com.` is the same host. */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}
