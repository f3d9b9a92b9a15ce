import type { SearchQuery } from '../api/search.ts';
import type { QueryLimit } from './engine.ts';

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

/**
 * `site:a.example OR site:b.example`, for engines that take domains in the query alone. What goes beyond their limit is
 * left out: what comes back is looked through once more.
 */
export function withSites(
  query: string,
  allowed: readonly string[],
  blocked: readonly string[],
  limit: QueryLimit,
): string {
  const sites = sitesWithin(allowed, (sites) => fits(`${query} ${sites}`, limit));
  let all = sites === '' ? query : `${query} ${sites}`;
  for (const host of blocked) if (fits(`${all} -site:${host}`, limit)) all = `${all} -site:${host}`;
  return all;
}

/**
 * What of a limit is left for the words of a query. Its domains keep a quarter, or what one of them needs, up to a
 * half: without them an engine would find pages that are left out afterwards.
 */
export function limitBesideSites(limit: QueryLimit, allowed: readonly string[]): QueryLimit {
  const part = (of: number): QueryLimit => ({
    characters: limit.characters / of,
    words: limit.words === null ? null : limit.words / of,
  });
  const kept = sitesWithin(allowed, (sites) => fits(sites, part(sites.includes(' ') ? 4 : 2)));
  if (kept === '') return limit;
  return {
    characters: limit.characters - kept.length - 1,
    words: limit.words === null ? null : limit.words - kept.split(' ').length,
  };
}

function sitesWithin(hosts: readonly string[], isWithin: (sites: string) => boolean): string {
  let sites = '';
  for (const host of hosts) {
    const more = sites === '' ? `site:${host}` : `${sites} OR site:${host}`;
    if (isWithin(more)) sites = more;
  }
  return sites;
}

function fits(text: string, { characters, words }: QueryLimit): boolean {
  return text.length <= characters && (words === null || text.split(' ').length <= words);
}
