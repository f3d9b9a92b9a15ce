import { useState } from 'react';
import { keep, recall } from '../state/remembered.ts';

/** Filters that a person has given a name, kept on this machine. */

export interface SavedFilter {
  readonly name: string;
  readonly query: string;
}

export const mostFilters = 12;
const longestName = 40;

const key = 'jumpseat.filters';

/** What was edited by hand and can’t be read is left out. */
export function readFilters(text: string | null): SavedFilter[] {
  const filters: SavedFilter[] = [];
  for (const { name, query } of listOf(text)) {
    if (typeof name !== 'string' || typeof query !== 'string' || query.trim() === '') continue;
    const next = withFilter(filters, { name, query });
    if (next !== null) filters.splice(0, filters.length, ...next);
  }
  return filters;
}

/** One more, or in place of the one of that name. Null: there is no room, or no name. */
export function withFilter(filters: readonly SavedFilter[], filter: SavedFilter): SavedFilter[] | null {
  const saved = { name: filter.name.trim().slice(0, longestName), query: filter.query.trim() };
  if (saved.name === '') return null;
  const at = filters.findIndex(({ name }) => name.toLowerCase() === saved.name.toLowerCase());
  if (at >= 0) return filters.with(at, saved);
  return filters.length >= mostFilters ? null : [...filters, saved];
}

export interface SavedFilters {
  filters: readonly SavedFilter[];
  save: (filter: SavedFilter) => void;
  remove: (name: string) => void;
}

export function useSavedFilters(): SavedFilters {
  const [filters, setFilters] = useState<readonly SavedFilter[]>(() => readFilters(recall(key)));
  const change = (next: readonly SavedFilter[] | null): void => {
    if (next === null) return;
    keep(key, JSON.stringify(next));
    setFilters(next);
  };
  return {
    filters,
    save: (filter) => change(withFilter(filters, filter)),
    remove: (name) => change(filters.filter((one) => one.name !== name)),
  };
}

function listOf(text: string | null): { name?: unknown; query?: unknown }[] {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}
