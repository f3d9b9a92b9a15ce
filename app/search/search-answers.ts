import type { AnswersTo, App } from '../api/app.ts';
import type { searchCalls } from '../api/calls/search.ts';
import type { EngineName, SearchOutcome, SearchRecord, SearchReport } from '../api/search.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import { searchServed } from '../exchange/features/web-search/port.ts';
import type { SearchTable } from '../history/totals.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { searchModels } from './copilot.ts';
import { engineOrder } from './engine-order.ts';
import type { SearchFromOutside } from './from-outside.ts';
import type { SearchKeys } from './keys.ts';
import { forOneself, type Search } from './search.ts';

interface SearchAnswersDependencies {
  search: Search;
  exchanger: Pick<Exchanger, 'here'>;
  keys: SearchKeys;
  searched: RecentSearches;
  table: SearchTable;
  settings: SettingsStore;
  outside: SearchFromOutside;
  /** Catalog of the account in use. */
  catalog(): Pick<Catalog, 'known'>;
}

export function searchAnswers(
  dependencies: SearchAnswersDependencies,
): AnswersTo<typeof searchCalls> & Pick<App, 'search'> {
  const { search, exchanger, keys, searched, table, settings } = dependencies;
  return {
    search: (words, { engine = null } = {}, signal) => {
      const [query, { cause, ...context }] = forOneself(words, signal);
      return exchanger.here({ client: cause.client, signal: context.signal }, async (cause) => {
        const result = await search.search(query, { ...context, cause }, engine);
        return { result, ...searchServed(result) };
      });
    },
    searchReport: () => searchReport(dependencies),
    setSearchKey: (engine, key) => keys.set(engine, key),
    searched: async (id) => searched.of(id),
    searchTotals: async (since) => table.totals(since, settings.current().timeZone),
  };
}

/** Engines that search now, and whether they can; none is asked. */
export async function searchReport(
  dependencies: Pick<SearchAnswersDependencies, 'keys' | 'settings' | 'outside' | 'catalog'>,
): Promise<SearchReport> {
  const { keys, settings, outside, catalog } = dependencies;
  const { search } = settings.current();
  const known = catalog().known();
  return {
    engines: inForce(engineOrder(settings, outside)),
    enginesFixedBy: outside.engines === null ? null : 'JUMPSEAT_SEARCH_ENGINES',
    keys: await keys.states(),
    models: known === null ? null : searchModels(known).map(({ id }) => id),
    reach: settings.current().reach,
    searxng: addressState(outside, search.searxngUrl),
  };
}

function addressState({ addresses }: SearchFromOutside, url: string | null): SearchReport['searxng'] {
  if (addresses.searxng !== undefined) return 'usable';
  if (url === null || url === '') return 'none';
  return allowedAddress(url) === null ? 'refused' : 'usable';
}

function inForce(engines: readonly EngineName[]): EngineName[] {
  const end = engines.indexOf('off');
  return engines.slice(0, end === -1 ? engines.length : end);
}

/** Searches that are held, of all exchanges together; each takes some kilobytes. */
const mostHeld = 200;
/** A model may search again and again for one answer: the last ones stay. */
const mostOfOne = 20;

/** What was searched for, by the exchanges that it belongs to: in memory alone, for the detail of a row. */
export class RecentSearches {
  readonly #held = new Map<string, readonly SearchRecord[]>();
  #count = 0;

  keep(query: string, outcome: SearchOutcome, exchange: string | null): void {
    const own = outcome.kind === 'found' ? outcome.cost.exchange : null;
    for (const id of [exchange, own]) {
      if (id === null) continue;
      const before = this.#drop(id);
      const now = [...before, { query, outcome }].slice(-mostOfOne);
      this.#held.set(id, now);
      this.#count += now.length;
    }
    for (const oldest of this.#held.keys()) {
      if (this.#count <= mostHeld) return;
      this.#drop(oldest);
    }
  }

  /** Searches in the order in which they were made. */
  of(exchange: string): SearchRecord[] {
    return [...(this.#held.get(exchange) ?? [])];
  }

  forget(): void {
    this.#held.clear();
    this.#count = 0;
  }

  #drop(exchange: string): readonly SearchRecord[] {
    const held = this.#held.get(exchange) ?? [];
    this.#held.delete(exchange);
    this.#count -= held.length;
    return held;
  }
}
