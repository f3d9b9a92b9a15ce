import type { Exchange } from '../app/api.ts';

/** The list, newest first, with one exchange put in or brought up to date. */
export function withExchange(list: readonly Exchange[], exchange: Exchange, limit: number): Exchange[] {
  const known = list.findIndex(({ id }) => id === exchange.id);
  if (known >= 0) return list.with(known, exchange);
  return [exchange, ...list].slice(0, limit);
}
