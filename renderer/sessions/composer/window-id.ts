/** A window that was reloaded lets go of its id within this time, in ms. */
const lettingGoMs = 1_000;
const stored = 'jumpseat-window';
const held = 'jumpseat-window ';

/** What a browser has to tell its windows apart. `locks` are absent where a page isn't served safely. */
export interface WindowSurroundings {
  locks: Pick<LockManager, 'request' | 'query'> | undefined;
  storage: () => Pick<Storage, 'getItem' | 'setItem'>;
}

export interface WindowId {
  id: string;
  /** Other windows of this browser that are open. */
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
