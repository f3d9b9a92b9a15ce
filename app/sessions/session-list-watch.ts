import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ListedSession } from '../api/session-list.ts';
import type { Clock, Log } from '../ports.ts';
import { type NotesWatch, openSessions } from './agents/claude/open-sessions.ts';
import { listedSession, type OpenElsewhere, surroundingOf } from './listed-session.ts';
import type { SessionFiles } from './session-files.ts';
import type { SessionRow } from './store/session-rows.ts';
import { TranscriptWatch } from './transcripts/transcript-watch.ts';
import type { TranscriptEntry } from './transcripts/transcripts.ts';

/** A change of the list of sessions, for fronts. */
export type ListChange = { session: ListedSession } | { gone: string };

interface SessionListWatchDependencies {
  files: SessionFiles;
  notes: NotesWatch;
  clock: Clock;
  log: Log;
  /** This Jumpseat has a process of the session; by the agent's own id of it. */
  leads(agentSessionId: string): boolean;
  /** A terminal has opened a session. */
  openedInTerminal(agentSessionId: string): void;
  /** A front listens. */
  isHeard(): boolean;
  tell(change: ListChange): void;
}

/** A process that was killed leaves its note: whether it lives is looked at so often, in ms. */
const lookMs = 5_000;

/**
 * Follows the sessions of this machine while a front that asked for their list listens: which transcripts come, grow
 * and go, and which sessions other programs open. No session is resumed by it, and only a transcript that changed is
 * opened.
 */
export class SessionListWatch {
  readonly #given: SessionListWatchDependencies;
  #following: Following | null = null;
  #isClosed = false;

  constructor(given: SessionListWatchDependencies) {
    this.#given = given;
  }

  /** A front that lists the sessions afterwards is told of every change since. Nothing where none listens. */
  async follow(): Promise<void> {
    if (this.#isClosed || !this.#given.isHeard()) return;
    this.#following ??= new Following(this.#given, () => this.#end());
    await this.#following.ready;
  }

  /** What other programs have open now. */
  async open(): Promise<OpenElsewhere> {
    return openElsewhere(this.#given);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #end(): void {
    this.#following?.close();
    this.#following = null;
  }
}

/** The watch from its first listener to its last. */
class Following {
  readonly ready: Promise<void>;
  readonly #given: SessionListWatchDependencies;
  readonly #unheard: () => void;
  readonly #ending = new AbortController();
  readonly #transcripts: TranscriptWatch;
  readonly #endNotes: () => void;
  /** Running looks by transcript: a later one waits, so that the newest result is reported last. */
  readonly #looking = new Map<string, Promise<void>>();
  #open: OpenElsewhere = new Map();
  /** Reported by the agent's own id, without a session known here. */
  readonly #strange = new Set<string>();

  constructor(given: SessionListWatchDependencies, unheard: () => void) {
    this.#given = given;
    this.#unheard = unheard;
    const { files, clock, log } = given;
    const changed = (path: string): void => this.#look(path, () => this.#transcriptChanged(path));
    this.#transcripts = new TranscriptWatch(files.transcripts.folder, { clock, log }, changed);
    this.#endNotes = given.notes.listen(() => this.#look('', () => this.#lookAtNotes()));
    this.ready = Promise.all([this.#transcripts.ready, this.#lookAtNotes()]).then(() => undefined);
    void this.ready.then(() => this.#lookAgain()).catch(() => undefined);
  }

  close(): void {
    this.#ending.abort();
    this.#transcripts.close();
    this.#endNotes();
  }

  get #isOver(): boolean {
    if (!this.#ending.signal.aborted && !this.#given.isHeard()) this.#unheard();
    return this.#ending.signal.aborted;
  }

  #look(key: string, work: () => Promise<void>): void {
    if (this.#isOver) return;
    const before = this.#looking.get(key);
    const looking = (before ?? Promise.resolve()).then(work).catch((error: unknown) => {
      const why = error instanceof Error ? error.name : 'unknown';
      this.#given.log.write('warn', 'session-not-followed', { why });
    });
    this.#looking.set(key, looking);
    void looking.then(() => {
      if (this.#looking.get(key) === looking) this.#looking.delete(key);
    });
  }

  async #transcriptChanged(path: string): Promise<void> {
    const { files } = this.#given;
    const id = basename(path, '.jsonl');
    const entry = (await files.transcripts.look(path)) ?? (await files.transcripts.find(id));
    if (this.#isOver) return;
    const row = files.store.sessions.ofAgent(id);
    // The agent writes a copy before the session that goes on with it knows.
    if (row !== null && row.id !== id && this.#strange.delete(id)) this.#given.tell({ gone: id });
    if (row === null) this.#strange.add(id);
    // Of a session that is led here, the row stays without it.
    if (entry === null && row?.hosted !== true) this.#given.tell({ gone: row?.id ?? id });
    // One without a prompt yet, or a subagent's, is in no list.
    else if (entry === null || (entry.wasAsked && !entry.isSubagent)) {
      await this.#tell(entry, row);
    }
  }

  async #tell(entry: TranscriptEntry | null, row: SessionRow | null): Promise<void> {
    const around = await surroundingOf(this.#given.files, this.#open, [row?.cwd ?? entry?.cwd]);
    if (!this.#isOver) this.#given.tell({ session: listedSession(entry, row, around) });
  }

  async #lookAgain(): Promise<void> {
    const { clock } = this.#given;
    while (!this.#isOver) {
      await clock.sleep(lookMs, this.#ending.signal);
      this.#given.notes.look();
      this.#look('', () => this.#lookAtNotes());
    }
  }

  async #lookAtNotes(): Promise<void> {
    const before = this.#open;
    const now = await openElsewhere(this.#given);
    this.#open = now;
    for (const id of new Set([...before.keys(), ...now.keys()])) {
      if (isDeepStrictEqual(before.get(id), now.get(id))) continue;
      if (now.get(id)?.program === 'terminal') this.#given.openedInTerminal(id);
      await this.#openedOrClosed(id);
    }
  }

  async #openedOrClosed(id: string): Promise<void> {
    const { files } = this.#given;
    const entry = await files.transcripts.find(id);
    const row = files.store.sessions.ofAgent(id);
    if (this.#isOver || (entry === null && row?.hosted !== true)) return;
    await this.#tell(entry, row);
  }
}

async function openElsewhere(given: SessionListWatchDependencies): Promise<OpenElsewhere> {
  const open = await openSessions(given.files.claudeFolder);
  // A terminal is never ours, and may have opened a session that we lead.
  for (const [id, { program }] of open) if (program !== 'terminal' && given.leads(id)) open.delete(id);
  return open;
}
