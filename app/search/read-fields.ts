import type { SearchResult } from '../api/search.ts';
import { isObject, type JsonObject } from '../formats/wire/json.ts';

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
