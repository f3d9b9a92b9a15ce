import type { Secrets } from '../ports.ts';
import { addSecret } from './redact.ts';

/** The same store; every value that passes through it is known to the redaction of logs from then on. */
export function outOfLogs(secrets: Secrets): Secrets {
  return {
    storage: secrets.storage,
    status: () => secrets.status(),
    delete: (name) => secrets.delete(name),
    get: async (name) => {
      const value = await secrets.get(name);
      if (value !== null) addSecret(value);
      return value;
    },
    set: (name, value) => {
      addSecret(value);
      return secrets.set(name, value);
    },
  };
}
