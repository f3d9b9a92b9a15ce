import type { ListedSession } from '../api/session-list.ts';
import { isWithin } from '../settings/within-folder.ts';
import { isSessionLabel, sessionTitle, untitledSession } from '../words/sessions.ts';
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

type Known = Pick<ListedSession, 'cwd' | 'title' | 'agentTitle' | 'firstPrompt'>;
const nameless: Known = { cwd: null, title: null, agentTitle: null, firstPrompt: null };

/** All are read anew no oftener, in ms. */
const newMs = 3_000;

/** What the sessions of this machine are called and in which folders they work, as far as that was asked for. */
export class SessionFolders {
  readonly #files: Files;
  /** By both ids of a session: ours and its agent's. */
  readonly #known = new Map<string, Known>();
  #learning: { done: Promise<void>; at: number } | null = null;

  constructor(files: Files) {
    this.#files = files;
  }

  /** Never rejects. */
  learnAll(): Promise<void> {
    if (this.#learning === null || performance.now() - this.#learning.at > newMs)
      this.#learning = { done: this.#learnAll(), at: performance.now() };
    return this.#learning.done;
  }

  /** As far as it was learned. */
  of(sender: Sender): { title: string | null; folder: string | null } {
    const id = idOf(sender);
    const known = id === null ? undefined : this.#known.get(id);
    if (id === null || known === undefined) return { title: null, folder: null };
    const title = sessionTitle({ ...known, id });
    return { title: title === untitledSession(id) ? null : title, folder: known.cwd };
  }

  /** Folders of all sessions that were learned, by both ids of each. */
  all(): Record<string, string> {
    return Object.fromEntries([...this.#known].flatMap(([id, { cwd }]) => (cwd === null ? [] : [[id, cwd]])));
  }

  async #learnAll(): Promise<void> {
    const { entries } = await this.#files.transcripts.list();
    for (const entry of entries) this.#keep(entry.id, entry);
    try {
      for (const row of this.#files.store.sessions.all()) {
        const names = this.#known.get(agentIdOf(row) ?? row.id) ?? row;
        // What the person or the agent calls it may stand in either.
        const known = {
          ...{ cwd: row.cwd ?? names.cwd, title: row.title ?? names.title },
          ...{ agentTitle: row.agentTitle ?? names.agentTitle, firstPrompt: row.firstPrompt ?? names.firstPrompt },
        };
        for (const id of [row.id, agentIdOf(row)]) this.#keep(id, known);
      }
    } catch {
      // What is wrong with the file is among the warnings.
    }
  }

  /** Never rejects. */
  async learn(sender: Sender): Promise<void> {
    const id = idOf(sender);
    if (id === null || this.#known.get(id)?.cwd != null) return;
    try {
      const row = this.#files.store.sessions.find(id) ?? this.#files.store.sessions.ofAgent(id);
      const cwd = row?.cwd ?? (await this.#elsewhere(id));
      this.#keep(id, { ...(row ?? nameless), cwd });
    } catch {
      // As above.
    }
  }

  /** Whether a session works in this folder or below it; false if that isn't known. */
  isIn(sender: Sender, folder: string): boolean {
    const id = idOf(sender);
    const cwd = id === null ? null : (this.#known.get(id)?.cwd ?? null);
    return cwd !== null && isWithin(cwd, folder);
  }

  async #elsewhere(id: string): Promise<string | null> {
    const entry = await this.#files.transcripts.find(id);
    return entry?.cwd ?? (await startedIn(this.#files.claudeFolder, id));
  }

  #keep(id: string | null, { cwd, title, agentTitle, firstPrompt }: Known): void {
    if (id !== null) this.#known.set(id, { cwd, title, agentTitle, firstPrompt });
  }
}

function idOf({ client, session }: Sender): string | null {
  return isSessionLabel(client) ? client : session;
}
