import { dirname } from 'node:path';
import type { Problem } from '../api/call.ts';
import type { Log } from '../ports.ts';
import { FileWatch } from './files.ts';
import { type Policy, PolicyError, type PolicySource, readPolicy } from './policy.ts';

const settleMs = 50;

/** The organization's policy as it is now. While a changed one can't be used the rules before it hold. */
export class PolicyWatch {
  readonly #source: PolicySource;
  readonly #log: Log;
  readonly #files: FileWatch[];
  /** Watches of the policy files’ folders, through the folder above each, since a folder may be created later. */
  readonly #folders: readonly FileWatch[];
  /** Null: there is none. Fields and no getters, since each request asks for warnings. */
  policy: Policy | null = null;
  /** Why it can't be used. */
  problem: PolicyError | null = null;

  /** @param changed the policy is another one, or can't be used any more, or can again */
  constructor(source: PolicySource, log: Log, changed: () => void) {
    this.#source = source;
    this.#log = log;
    this.#read();
    const look = (): void => {
      this.#read();
      changed();
    };
    const watchFile = (path: string): FileWatch => new FileWatch(path, look, { settleMs, log });
    this.#files = source.paths.map(watchFile);
    this.#folders = source.paths.map((path, at) => {
      const folderChanged = (): void => {
        // Another folder may have this name now: what is watched is the folder and not its name.
        this.#files[at]?.close();
        this.#files[at] = watchFile(path);
        look();
      };
      return new FileWatch(dirname(path), folderChanged, { settleMs, log });
    });
  }

  close(): void {
    for (const watch of [...this.#folders, ...this.#files]) watch.close();
  }

  #read(): void {
    try {
      this.policy = readPolicy(this.#source);
      this.problem = null;
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      this.problem = error;
      this.#log.write('error', 'policy.not-usable', { text: error.message });
    }
  }
}

/** Said wherever warnings are: nothing is served. */
export function policyWarning({ message: text, remedy }: PolicyError): Problem {
  return { code: 'policy', text, remedy };
}
