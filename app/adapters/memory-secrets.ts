import type { SecretName, Secrets } from '../ports.ts';
import { outOfLogs } from './redact.ts';

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
