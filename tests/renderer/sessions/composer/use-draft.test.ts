import { expect, it } from 'vitest';
import { type WindowSurroundings, windowId } from '../../../../renderer/sessions/composer/use-draft.ts';

/** One browser's locks, and a window of it that can be closed. */
function browser() {
  const held = new Map<string, () => void>();
  const waiting: (() => void)[] = [];
  const opened = (kept: Map<string, string>) => {
    const mine: string[] = [];
    const locks = {
      request: async (name: string, { signal }: LockOptions, holding: () => Promise<unknown>) => {
        while (held.has(name)) {
          const free = new Promise<void>((resolve) => waiting.push(resolve));
          const late = new Promise<never>((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
          });
          await Promise.race([free, late]);
        }
        held.set(name, () => undefined);
        mine.push(name);
        return holding();
      },
      query: async () => ({ held: [...held.keys(), 'of another page'].map((name) => ({ name })) }),
    } as never as WindowSurroundings['locks'];
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const close = (): void => {
      for (const name of mine) held.delete(name);
      for (const free of waiting.splice(0)) free();
    };
    return { id: windowId({ locks, storage: () => storage }), close };
  };
  return { opened };
}

it('a window has its id again after a reload, also where the page before it goes late', async () => {
  const { opened } = browser();
  const kept = new Map<string, string>();
  const before = opened(kept);
  const { id } = await before.id;
  const after = opened(kept);
  before.close();
  expect((await after.id).id).toBe(id);
  expect(await (await after.id).living()).toEqual([]);
});

it('a duplicated tab is another window, and each knows the others that are open', async () => {
  const { opened } = browser();
  const kept = new Map<string, string>();
  const one = await opened(kept).id;
  const copied = opened(new Map(kept));
  const two = await copied.id;
  expect(two.id).not.toBe(one.id);
  expect([await one.living(), await two.living()]).toEqual([[two.id], [one.id]]);
  copied.close();
  expect(await one.living()).toEqual([]);
});

it('a browser that keeps nothing and tells nothing still has windows', async () => {
  const storage = (): never => {
    throw new DOMException('It is forbidden.', 'SecurityError');
  };
  const one = await windowId({ locks: undefined, storage });
  expect(one.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await one.living()).toEqual([]);
});
