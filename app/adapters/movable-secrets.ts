import { type SecretName, type Secrets, SecretsError, secretNames } from '../ports.ts';
import { outOfLogs } from './redact.ts';

/** A store whose contents a person may move to another one while everything runs. */
export function movableSecrets(
  first: Secrets,
  open: (storage: Secrets['storage']) => Secrets | Promise<Secrets>,
): Secrets {
  let current = first;
  let keychain: Promise<boolean> | null = null;
  return {
    get storage() {
      return current.storage;
    },
    status: () => current.status(),
    get: (name) => current.get(name),
    set: (name, value) => current.set(name, value),
    delete: (name) => current.delete(name),

    async moveTo(storage, held, settle) {
      if (storage === current.storage) return settle();
      const from = current;
      const to = await open(storage);
      const status = await to.status();
      if (status.kind !== 'available') throw new SecretsError(status.reason, status.remedy);
      try {
        for (const name of secretNames) {
          const value = held[name] ?? (await readable(from, name));
          // Nothing of an earlier time may take its place there.
          await (value === null ? to.delete(name) : to.set(name, value));
        }
        await settle();
      } catch (error) {
        await empty(to);
        throw error;
      }
      current = to;
      // What stays behind in a store that is no longer used would only be found by others.
      await empty(from);
    },

    hasKeychain() {
      // Once: each look at a locked one may ask for its password.
      keychain ??= Promise.resolve(open('keychain'))
        .then((store) => store.status())
        .then(({ kind }) => kind !== 'unavailable');
      return keychain;
    },

    async follow(storage) {
      if (storage !== current.storage) current = await open(storage);
    },
  };
}

/** A store that cannot be read has nothing to take along. */
function readable(store: Secrets, name: SecretName): Promise<string | null> {
  return store.get(name).catch(() => null);
}

/** A store that can't be written is asked once: each question may take time. */
async function empty(store: Secrets): Promise<void> {
  try {
    for (const name of secretNames) await store.delete(name);
  } catch {}
}

/** Secrets that are gone when the process ends. */
export function memorySecrets(initial: Partial<Record<SecretName, string>> = {}): Secrets {
  const values = new Map(Object.entries(initial));
  return outOfLogs({
    storage: 'memory',
    status: async () => ({ kind: 'available' }),
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => {
      values.set(name, value);
    },
    delete: async (name) => {
      values.delete(name);
    },
  });
}
