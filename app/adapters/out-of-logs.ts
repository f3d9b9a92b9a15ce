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
      if (value !== null) hide(value);
      return value;
    },
    set: (name, value) => {
      hide(value);
      return secrets.set(name, value);
    },
  };
}

/** A token may stand behind the name of its host. */
function hide(value: string): void {
  addSecret(value);
  addSecret(value.slice(value.lastIndexOf(' ') + 1));
}
