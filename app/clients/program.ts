import type { ClientUse } from '../api/clients.ts';
import type { Message } from '../language/messages.ts';
import type { ClientModel, Door } from './client-model.ts';
import type { Format, Step } from './document.ts';
import type { Machine } from './machine.ts';

/** What a row of the table of programs is made of. */
export interface Program {
  title: string;
  /** Its command, to see whether it is there. */
  command: string;
  /** For a part of another program, which has no command of its own. */
  isThere?(machine: Machine): boolean;
  /** Its command opens a window, whatever it is asked. */
  isWindow?: boolean;
  /** By what Jumpseat is to it; the first one unless another is asked for. */
  uses: Partial<Record<ClientUse, (ClientFile | ClientFiles) & ClientWords>>;
  /** Profiles with models of their own, which stay as they are. */
  profiles?(machine: Machine): string[];
  /** The file of an organization that wins over the person's; null: none is known. */
  managedBy?(machine: Machine): string | null;
}

export interface ClientFile {
  path(machine: Machine): string;
  format: Format;
  entries(given: Given): Entry[];
  /** Nothing but Jumpseat's is in it: undo removes it whole, and one that somebody else wrote is never changed. */
  isOwnFile?: true;
}

/** Several files of one use: all are written, or none. The first one is named in lists. */
interface ClientFiles {
  files: readonly [ClientFile, ...ClientFile[]];
}

interface ClientWords {
  /** What the program still needs of the person. */
  next?: Message;
  /** What undo can't take back. */
  afterUndo?: Message;
}

export interface Given {
  door: Door;
  /** Those of the account that can be asked for. */
  models: readonly ClientModel[];
  /** How this Jumpseat is started, word by word. */
  command: readonly string[];
  machine: Machine;
}

/** What Jumpseat writes, and takes out again. */
export interface Entry {
  at: readonly Step[];
  value: unknown;
  /** Left alone where something stands there. */
  isDefault?: boolean;
  /**
   * Without it the program doesn't reach Jumpseat, though neither its place nor an address shows that. `name`: nobody
   * else writes this value.
   */
  leads?: 'name' | 'choice';
}
