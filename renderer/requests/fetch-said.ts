import type { Exchange } from '../../app/api/exchange.ts';
import type { BodyView, RecordedHeaders } from '../../app/api/recording.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** What was said in one request, as far as it is held: whole, without secrets. */
export interface Said {
  bodies: { received?: string; sent?: string; answer?: string; told?: string };
  headers: RecordedHeaders | null;
}

export type SaidById = ReadonlyMap<string, Said>;

const views = { received: 'received', sent: 'sent', answer: 'events', told: 'told' } as const satisfies Record<
  keyof Said['bodies'],
  BodyView
>;

/** For an export that a person wants bodies in: those of the exchanges whose bodies are held. */
export async function fetchSaid(bridge: Bridge, exchanges: readonly Exchange[]): Promise<SaidById> {
  const wanted = new Set(exchanges.map(({ id }) => id));
  const said = new Map<string, Said>();
  for (const id of await bridge.recordedIds()) if (wanted.has(id)) said.set(id, await fetchOne(bridge, id));
  return said;
}

async function fetchOne(bridge: Bridge, id: string): Promise<Said> {
  const recorded = await bridge.recorded(id);
  const bodies: Said['bodies'] = {};
  for (const part of ['received', 'sent', 'answer', 'told'] as const) {
    const view = views[part];
    if (!recorded.views.includes(view)) continue;
    const body = await bridge.recordedBody(id, view, { whole: true });
    if (body !== null) bodies[part] = body.text;
  }
  return { bodies, headers: recorded.headers };
}
