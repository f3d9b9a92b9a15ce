import { type SecretName, type Secrets, SecretsError } from '../ports.ts';

const names: readonly SecretName[] = ['github-token', 'local-key'];

/**
 * A store whose contents a person may move to another one while everything runs.
 */
export function movableSecrets(
  first: Secrets,
  open: (storage: Secrets['storage']) => Secrets | Promise<Secrets>,
): Secrets {
  let current = first;
  return {
    get storage() {
      return current.storage;
    },
    status: () => current.status(),
    get: (name) => current.get(name),
    set: (name, value) => current.set(name, value),
    delete: (name) => current.delete(name),

    async moveTo(storage) {
      if (storage === current.storage) return;
      const from = current;
      const to = await open(storage);
      const status = await to.status();
      if (status.kind !== 'available') throw new SecretsError(status.reason, status.mend);
      for (const name of names) {
        // A store that cannot be read has nothing to take along.
        const value = await from.get(name).catch(() => null);
        if (value !== null) await to.set(name, value);
      }
      current = to;
      // What stays behind in a store that is no longer used would only be found by others.
      for (const name of names) await from.delete(name).catch(() => undefined);
    },
  };
}
