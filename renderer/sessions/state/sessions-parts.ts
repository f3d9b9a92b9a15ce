import type { Bridge } from '../../bridge/bridge.ts';
import { toast } from '../../state/notices.ts';
import type { Services } from '../../state/services.ts';
import { SessionsFeed } from './sessions-feed.ts';
import { createSessionsStore, type SessionsStore } from './sessions-store.ts';

export interface SessionsParts {
  bridge: Bridge;
  store: SessionsStore;
  feed: SessionsFeed;
  tell(text: string, kind: 'failed' | 'told'): void;
}

const made = new WeakMap<Services, SessionsParts>();

/** Made when the view is opened first, and kept as long as the window: another view may be looked at meanwhile. */
export function sessionsOf(services: Services): SessionsParts {
  const known = made.get(services);
  if (known !== undefined) return known;
  const { bridge, store: window } = services;
  const store = createSessionsStore();
  const feed = new SessionsFeed({ bridge, store, window, feed: services.feed });
  const parts: SessionsParts = { bridge, store, feed, tell: (text, kind) => toast(window, text, { kind }) };
  made.set(services, parts);
  feed.start();
  return parts;
}
