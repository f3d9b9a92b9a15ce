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
  if (host === '' || (page.hostname !== host && !page.hostname.endsWith(`.${host}`))) return false;
  return path === '' || page.pathname === path || page.pathname.startsWith(`${path}/`);
}

/** A host, perhaps with a path (`example.com/blog`), as Anthropic's tool takes it; people write more around it. */
function partsOf(domain: string): { host: string; path: string } {
  const [host = '', ...rest] = domain
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^\*\./, '')
    .split('/');
  const path = rest.filter((part) => part !== '').map((part) => `/${part}`);
  return { host: host.toLowerCase(), path: path.join('') };
}
