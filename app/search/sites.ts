import type { QueryLimit } from './engine.ts';

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
