import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { toast } from '../../state/notices.ts';
import { type Services, useServices } from '../../state/services.ts';
import type { PromptBlock } from '../state/conversation.ts';
import { type Draft, emptyDraft, isSameMessage, putBack, sessionKey } from './draft.ts';
import { type DraftCalls, DraftKeeper, takenUp } from './draft-keeper.ts';
import { draftOf } from './prompt-blocks.ts';

const keepers = new WeakMap<Bridge, DraftKeeper>();

/** The window's one keeper of drafts. */
export function draftKeeper({ bridge, store }: Pick<Services, 'bridge' | 'store'>): DraftKeeper {
  const known = keepers.get(bridge);
  if (known !== undefined) return known;
  const window = ownWindow();
  const calls: DraftCalls = {
    draft: async (key) => {
      const { id, living } = await window;
      return bridge.draft({ key, window: id, living: await living() });
    },
    keepDraft: async ({ key, draft }) => bridge.keepDraft({ key, window: (await window).id, draft }),
    takenUp: (messageId) => takenUp({ bridge, store }, messageId),
  };
  const keeper = new DraftKeeper(calls, () => {
    toast(store, t('Your draft couldn’t be saved to disk. It stays here until the window is closed.'), {
      kind: 'failed',
    });
  });
  keepers.set(bridge, keeper);
  store.subscribe(({ connection }, { connection: before }) => {
    if (connection.kind === 'live' && before.kind !== 'live') void keeper.flush();
  });
  addEventListener('pagehide', () => void keeper.leave());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void keeper.flush();
  });
  return keeper;
}

let own: Promise<WindowId> | null = null;

/** This window's id. Asked for once: the second time it would be held already. */
export function ownWindow(): Promise<WindowId> {
  own ??= windowId({ locks: navigator.locks, storage: () => sessionStorage });
  return own;
}

export interface UsedDraft {
  draft: Draft;
  /** What was kept on disk is in it. */
  isRead: boolean;
  change: (change: (draft: Draft) => Draft) => void;
  /** Empties the field while its draft is sent, and brings it back where it isn't. */
  sending: (sent: Draft, send: () => Promise<boolean>) => Promise<void>;
}

export function useDraft(key: string): UsedDraft {
  const keeper = draftKeeper(useServices());
  const { draft, isRead } = useSyncExternalStore(
    keeper.listen,
    useCallback(() => keeper.held(key), [keeper, key]),
  );
  useEffect(() => {
    void keeper.read(key);
    return () => void keeper.flush();
  }, [keeper, key]);
  const change = useCallback((next: (draft: Draft) => Draft) => keeper.change(key, next), [keeper, key]);
  const sending = useCallback<UsedDraft['sending']>((sent, send) => keeper.sending(key, sent, send), [keeper, key]);
  return { draft, isRead, change, sending };
}

/** Removes a prompt that was put back from the field, if it is unchanged: it is in its session again. */
export function takeOut(
  services: Pick<Services, 'bridge' | 'store'>,
  session: Pick<Session, 'id' | 'cwd'>,
  prompt: readonly PromptBlock[],
): void {
  const returned = draftOf(prompt, session.cwd, () => crypto.randomUUID());
  draftKeeper(services).change(sessionKey(session.id), (now) =>
    isSameMessage(now, returned) ? { ...emptyDraft, choices: now.choices } : now,
  );
}

/** Puts a prompt back into its session's field, before the text there: it was cut off, or is to be changed. */
export function bringBack(
  services: Pick<Services, 'bridge' | 'store'>,
  session: Pick<Session, 'id' | 'cwd'>,
  prompt: readonly PromptBlock[],
): void {
  const returned = draftOf(prompt, session.cwd, () => crypto.randomUUID());
  draftKeeper(services).change(sessionKey(session.id), (now) => putBack(returned, now));
}

/** A window that was reloaded lets go of its id within this time, in ms. */
const lettingGoMs = 1_000;
const stored = 'jumpseat-window';
const held = 'jumpseat-window ';

/** How a browser distinguishes its windows. `locks` are absent on a page that isn't served securely. */
export interface WindowSurroundings {
  locks: Pick<LockManager, 'request' | 'query'> | undefined;
  storage: () => Pick<Storage, 'getItem' | 'setItem'>;
}

interface WindowId {
  id: string;
  /** Ids of the browser's other open windows. */
  living: () => Promise<string[]>;
}

/**
 * This window's own id: the same after a reload, and no other's that is open. A tab that was duplicated comes with the
 * id of the one before; as long as that one is open, the id is taken.
 */
export async function windowId({ locks, storage }: WindowSurroundings): Promise<WindowId> {
  const known = before(storage);
  const id = known !== null && (await holds(locks, known)) ? known : crypto.randomUUID();
  if (id !== known) {
    void holds(locks, id);
    try {
      storage().setItem(stored, id);
    } catch {
      // After a reload it is another window then, and finds what this one left.
    }
  }
  const living = async (): Promise<string[]> => {
    const names = ((await locks?.query().catch(() => null))?.held ?? []).map(({ name }) => name ?? '');
    const ids = names.filter((name) => name.startsWith(held)).map((name) => name.slice(held.length));
    return ids.filter((one) => one !== id);
  };
  return { id, living };
}

function before(storage: WindowSurroundings['storage']): string | null {
  try {
    const id = storage().getItem(stored);
    return id === null || id === '' || id.length > 100 ? null : id;
  } catch {
    return null;
  }
}

/** Holds it until the window is gone. False: another window does. */
function holds(locks: WindowSurroundings['locks'], id: string): Promise<boolean> {
  if (locks === undefined) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const holding = (): Promise<never> => {
    resolve(true);
    return new Promise(() => undefined);
  };
  locks.request(held + id, { signal: AbortSignal.timeout(lettingGoMs) }, holding).catch((error: unknown) => {
    resolve(!(error instanceof DOMException && error.name === 'TimeoutError'));
  });
  return promise;
}
