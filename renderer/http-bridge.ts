import type { AppEvent } from '../app/api.ts';
import type { Bridge } from './bridge.ts';

/** The dashboard's bridge: the server that the page came from. Addresses are relative to the page. */
export const httpBridge: Bridge = {
  state: () => get('api/state'),
  exchanges: async (limit) => (await get<Awaited<ReturnType<Bridge['exchanges']>>>('api/exchanges')).slice(-limit),
  setProxy: null,
  listen(listener) {
    const source = new EventSource('api/events');
    source.onmessage = (message: MessageEvent<string>) => {
      const event: AppEvent = JSON.parse(message.data);
      listener(event);
    };
    return () => source.close();
  },
};

async function get<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}
