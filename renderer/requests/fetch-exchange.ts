import type { Exchange } from '../../app/api/exchange.ts';
import type { Services } from '../state/services.ts';

/**
 * One whole exchange, for its detail: kept here if it is one of the last, else asked of the app. Null: the history has
 * it no more.
 */
export async function fetchExchange({ log, bridge }: Services, id: string): Promise<Exchange | null> {
  return log.exchange(id) ?? (await bridge.exchange(id));
}

const page = 1000;

/** Whole exchanges for an export, oldest first; null: all there are. */
export async function fetchExchanges(services: Services, wanted: ReadonlySet<string> | null): Promise<Exchange[]> {
  const { log, bridge } = services;
  if (wanted !== null) {
    const kept = [...wanted].map((id) => log.exchange(id)).filter((exchange) => exchange !== null);
    if (kept.length === wanted.size) return kept;
  }
  const found: Exchange[][] = [];
  let count = 0;
  let before: string | null = null;
  for (;;) {
    const next: Exchange[] = await bridge.exchanges(before === null ? { limit: page } : { limit: page, before });
    const fit = wanted === null ? next : next.filter(({ id }) => wanted.has(id));
    found.unshift(fit);
    count += fit.length;
    const oldest: string | undefined = next[0]?.id;
    if (next.length < page || oldest === undefined || oldest === before || count === wanted?.size) return found.flat();
    before = oldest;
  }
}
