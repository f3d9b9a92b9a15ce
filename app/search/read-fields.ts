import type { SearchResult } from '../api/search.ts';
import { isObject, type JsonObject } from '../formats/wire/json.ts';
import type { QueryLimit } from './engine.ts';

/** The objects of a list; null where it is none. */
export function objectsIn(list: unknown): JsonObject[] | null {
  return Array.isArray(list) ? list.filter(isObject) : null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string' && text !== '') : [];
}

/** A page without an address is none. */
export function pageOf(url: unknown, title: unknown, facts: Partial<SearchResult>): SearchResult[] {
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  const named = textOf(title) === '' ? new URL(url).hostname : textOf(title);
  return [{ title: named, url, pageAge: null, text: '', snippets: [], ...facts }];
}

/**
 * `site:a.example OR site:b.example`, for engines that take domains in the query alone. What goes beyond their limit is
 * left out: what comes back is looked through once more.
 */
export function withSites(
  query: string,
  allowed: readonly string[],
  blocked: readonly string[],
  { characters, words }: QueryLimit,
): string {
  const fits = (text: string): boolean =>
    text.length <= characters && (words === null || text.split(' ').length <= words);
  let sites = '';
  for (const host of allowed) {
    const more = sites === '' ? `site:${host}` : `${sites} OR site:${host}`;
    if (fits(`${query} ${more}`)) sites = more;
  }
  let all = sites === '' ? query : `${query} ${sites}`;
  for (const host of blocked) if (fits(`${all} -site:${host}`)) all = `${all} -site:${host}`;
  return all;
}
