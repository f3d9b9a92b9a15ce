import type { Exchange } from '../../app/api/exchange.ts';
import type { BodyView, RecordedHeaders } from '../../app/api/recording.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Services } from '../state/services.ts';

/**
 * One whole exchange, for its detail: kept here if it is one of the last, else asked of the app. Null: the history has
 * it no more.
 */
export async function fetchExchange({ log, bridge }: Services, id: string): Promise<Exchange | null> {
  return log.exchange(id) ?? (await bridge.exchange(id));
}

const page = 1000;

/** Whole exchanges for an export, oldest first; null if all there are. */
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

/** What was said in one request, as far as it is held: whole, without secrets. */
interface Said {
  bodies: { received?: string; sent?: string; answer?: string; returned?: string };
  headers: RecordedHeaders | null;
}

export type SaidById = ReadonlyMap<string, Said>;

const views = { received: 'received', sent: 'sent', answer: 'events', returned: 'returned' } as const satisfies Record<
  keyof Said['bodies'],
  BodyView
>;

/** Bodies for an export that includes them: of the exchanges whose bodies are held. */
export async function fetchSaid(bridge: Bridge, exchanges: readonly Exchange[]): Promise<SaidById> {
  const wanted = new Set(exchanges.map(({ id }) => id));
  const said = new Map<string, Said>();
  for (const id of await bridge.recordedIds()) if (wanted.has(id)) said.set(id, await fetchOne(bridge, id));
  return said;
}

async function fetchOne(bridge: Bridge, id: string): Promise<Said> {
  const recorded = await bridge.recorded(id);
  const bodies: Said['bodies'] = {};
  for (const part of ['received', 'sent', 'answer', 'returned'] as const) {
    const view = views[part];
    if (!recorded.views.includes(view)) continue;
    const body = await bridge.recordedBody(id, view, { whole: true });
    if (body !== null) bodies[part] = body.text;
  }
  return { bodies, headers: recorded.headers };
}
