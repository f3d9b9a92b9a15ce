import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { isSessionLabel } from '../words/sessions.ts';
import { startedIn } from './agents/claude/open-sessions.ts';
import { agentIdOf } from './store/session-rows.ts';
import type { SessionStore } from './store/session-store.ts';
import type { Transcripts } from './transcripts/transcripts.ts';

/** Who sent a request: a hosted session by its key, any other by the name that its client gives its conversation. */
interface Sender {
  client: string;
  session: string | null;
}

interface Files {
  readonly store: Pick<SessionStore, 'sessions'>;
  readonly transcripts: Pick<Transcripts, 'list' | 'find'>;
  readonly claudeFolder: string;
}

/** In which folders the sessions of this machine work, as far as that was asked for. */
export class SessionFolders {
  readonly #files: Files;
  /** By both ids of a session: ours and its agent's. */
  readonly #known = new Map<string, string>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Never rejects. */
  async learnAll(): Promise<void> {
    const { entries } = await this.#files.transcripts.list();
    for (const { id, cwd } of entries) this.#keep(id, cwd);
    try {
      for (const row of this.#files.store.sessions.all()) {
        for (const id of [row.id, agentIdOf(row)]) this.#keep(id, row.cwd);
      }
    } catch {
      // What is wrong with the file is among the warnings.
    }
  }

  /** Never rejects. */
  async learn(sender: Sender): Promise<void> {
    const id = idOf(sender);
    if (id === null || this.#known.has(id)) return;
    try {
      const row = this.#files.store.sessions.find(id) ?? this.#files.store.sessions.ofAgent(id);
      this.#keep(id, row?.cwd ?? (await this.#elsewhere(id)));
    } catch {
      // As above.
    }
  }

  /** Whether a session works in this folder or below it; false if that isn't known. */
  isIn(sender: Sender, folder: string): boolean {
    const id = idOf(sender);
    const cwd = id === null ? undefined : this.#known.get(id);
    if (cwd === undefined) return false;
    const wanted = resolve(/^~(?=$|[/\\])/.test(folder) ? join(homedir(), folder.slice(1)) : folder);
    const own = resolve(cwd);
    return own === wanted || own.startsWith(wanted.endsWith(sep) ? wanted : wanted + sep);
  }

  async #elsewhere(id: string): Promise<string | null> {
    const entry = await this.#files.transcripts.find(id);
    return entry?.cwd ?? (await startedIn(this.#files.claudeFolder, id));
  }

  #keep(id: string | null, cwd: string | null): void {
    if (id !== null && cwd !== null) this.#known.set(id, cwd);
  }
}

function idOf({ client, session }: Sender): string | null {
  return isSessionLabel(client) ? client : session;
}
