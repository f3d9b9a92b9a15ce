import type { AppEvent } from '../app/api.ts';
import { type Bridge, BridgeError } from './bridge.ts';

/** The dashboard's bridge: the server that the page came from. Addresses are relative to the page. */
export const httpBridge: Bridge = {
  state: () => get('api/state'),
  exchanges: async ({ limit }) => (await get<Awaited<ReturnType<Bridge['exchanges']>>>('api/exchanges')).slice(-limit),
  models: null,
  totals: null,
  checks: null,
  setProxy: null,
  useFreePort: null,
  signIn: null,
  cancelSignIn: null,
  copyCode: null,
  signOut: null,
  refresh: null,
  copyLines: null,
  openOutside: null,
  updateState: null,
  checkForUpdates: null,
  restartToUpdate: null,
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
  if (response.ok) return response.json();
  throw new BridgeError({
    code: `http-${response.status}`,
    text: `The server answered ${response.status}.`,
    mend: 'Open this page again from the tray, or run "jumpseat serve --open".',
  });
}
