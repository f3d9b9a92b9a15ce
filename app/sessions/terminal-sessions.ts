import { isDeepStrictEqual } from 'node:util';
import type { TerminalSession } from '../api/session-list.ts';
import type { Clock, Log } from '../ports.ts';
import { livingNotes, type Noted, type NotesWatch } from './agents/claude/open-sessions.ts';
import type { SessionFiles } from './session-files.ts';

interface TerminalSessionsDependencies {
  files: Pick<SessionFiles, 'claudeFolder' | 'store' | 'transcripts'>;
  notes: NotesWatch;
  clock: Clock;
  log: Log;
  /** This Jumpseat has a process of the session; by the agent's own id of it. */
  leads(agentSessionId: string): boolean;
  /** `waiting` may be another number now. */
  changed(): void;
}

/** A process that was killed leaves its note: while one works or waits, it is looked at so often, in ms. */
const lookMs = 30_000;
/** How long one that is over is news, in ms. */
const newsMs = 60 * 60_000;

type Listener = (sessions: readonly TerminalSession[]) => void;

/**
 * The sessions of terminals that a person may have to look after, by the notes of Claude Code's processes. Nothing is
 * watched or read before somebody listens. The system tells of changes: at rest nothing runs.
 */
export class TerminalSessions {
  readonly #given: TerminalSessionsDependencies;
  readonly #listeners = new Set<Listener>();
  #following: Following | null = null;
  #isClosed = false;

  constructor(given: TerminalSessionsDependencies) {
    this.#given = given;
  }

  /** How many wait for a person; 0 where nobody listens. */
  get waiting(): number {
    return this.#following?.all.filter(({ is }) => is === 'waits').length ?? 0;
  }

  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#isClosed) this.#following ??= new Following(this.#given, () => this.#tell());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  saw(id: string): void {
    this.#following?.saw(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #end(): void {
    this.#following?.close();
    this.#following = null;
  }

  #tell(): void {
    const all = this.#following?.all ?? [];
    for (const listener of this.#listeners) listener(all);
    this.#given.changed();
  }
}

/** A process in a terminal, as it was when its note was last read. */
type Known = Pick<Noted, 'pid' | 'cwd' | 'state'>;

/** What is said of one, before it has a title. */
type Shown = Pick<TerminalSession, 'is' | 'at' | 'cwd'>;

class Following {
  readonly #given: TerminalSessionsDependencies;
  readonly #changed: () => void;
  readonly #ending = new AbortController();
  readonly #endNotes: () => void;
  #pause: AbortController | null = null;
  #looking: Promise<void> = Promise.resolve();
  /** By the agent's own id, as are the others. */
  #known = new Map<string, Known>();
  readonly #shown = new Map<string, Shown>();
  all: readonly TerminalSession[] = [];

  constructor(given: TerminalSessionsDependencies, changed: () => void) {
    this.#given = given;
    this.#changed = changed;
    this.#endNotes = given.notes.listen(() => this.#look());
    this.#look();
  }

  close(): void {
    this.#ending.abort();
    this.#pause?.abort();
    this.#endNotes();
  }

  saw(id: string): void {
    const found = this.all.find((one) => one.id === id && one.is !== 'waits');
    if (found !== undefined && this.#shown.delete(found.agentId)) this.#look();
  }

  #look(): void {
    this.#looking = this.#looking
      .then(() => this.#lookAtNotes())
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.name : 'unknown';
        this.#given.log.write('warn', 'terminals-not-followed', { why });
      });
  }

  async #lookAtNotes(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#given.notes.look();
    const { files, clock } = this.#given;
    const notes = await livingNotes(files.claudeFolder);
    if (this.#ending.signal.aborted) return;
    this.#compare(notes, clock.now());
    const all = (await Promise.all([...this.#shown].map(([id, shown]) => this.#named(id, shown)))).filter(
      (one) => one !== null,
    );
    if (this.#ending.signal.aborted) return;
    this.#lookAgain();
    if (isDeepStrictEqual(all, this.all)) return;
    this.all = all;
    this.#changed();
  }

  #compare(notes: readonly Noted[], now: number): void {
    const open = new Map(notes.filter(({ isTerminal }) => isTerminal).map((note) => [note.sessionId, note]));
    for (const [id, { cwd, state }] of open) {
      const before = this.#known.get(id)?.state;
      const isShown = this.#shown.get(id)?.is;
      if (state === 'waits') {
        if (isShown !== 'waits') this.#shown.set(id, { is: 'waits', at: now, cwd });
      } else if (state === 'rests' && (before === 'works' || before === 'waits')) {
        this.#shown.set(id, { is: 'done', at: now, cwd });
      } else if (isShown !== 'done' || state !== 'rests') this.#shown.delete(id);
    }
    for (const [id, { pid, cwd, state }] of this.#known) {
      if (open.has(id)) continue;
      // After `/clear` and the like the process goes on with another session.
      if (notes.some((note) => note.pid === pid)) this.#shown.delete(id);
      else this.#shown.set(id, { is: state === 'works' || state === 'waits' ? 'cut' : 'ended', at: now, cwd });
    }
    this.#known = open;
    const elsewhere = new Set(notes.filter(({ isTerminal }) => !isTerminal).map(({ sessionId }) => sessionId));
    for (const [id, { is, at }] of this.#shown) {
      const isOver = is !== 'waits' && now - at >= newsMs;
      const isLed = !open.has(id) && (elsewhere.has(id) || this.#given.leads(id));
      if (isOver || isLed) this.#shown.delete(id);
    }
  }

  /** Null: nothing was said in it, or it is one that goes on elsewhere. */
  async #named(id: string, { is, at, cwd }: Shown): Promise<TerminalSession | null> {
    const { transcripts, store } = this.#given.files;
    const entry = await transcripts.find(id);
    const row = store.sessions.ofAgent(id);
    // Nothing goes on with one that has no prompt.
    if (is !== 'waits' && entry?.wasAsked !== true) return null;
    return {
      ...{ id: row?.id ?? id, agentId: id, cwd: row?.cwd ?? entry?.cwd ?? cwd, is, at },
      title: row?.title ?? entry?.title ?? row?.agentTitle ?? entry?.agentTitle ?? null,
    };
  }

  /** Once, where something may change without a note. */
  #lookAgain(): void {
    this.#pause?.abort();
    const { clock } = this.#given;
    const now = clock.now();
    const ends = [...this.#shown.values()].map(({ is, at }) => (is === 'waits' ? lookMs : at + newsMs - now));
    if ([...this.#known.values()].some(({ state }) => state === 'works')) ends.push(lookMs);
    if (ends.length === 0) return;
    const pause = new AbortController();
    this.#pause = pause;
    clock.sleep(Math.max(0, Math.min(...ends)), pause.signal).then(
      () => this.#look(),
      () => undefined,
    );
  }
}
