import { type FSWatcher, statSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionHolder } from '../../../api/session-list.ts';
import type { Clock } from '../../../ports.ts';
import { processStart } from '../../../processes/process-start.ts';
import { isRunning } from '../../../settings/files.ts';

/** Note of a running session, written by Claude Code 2.1.328 into `sessions/<pid>.json` of its folder. */
export interface Noted {
  pid: number;
  sessionId: string;
  /** Where it was started; null if not said. */
  cwd: string | null;
  isTerminal: boolean;
  state: SessionHolder['state'] | undefined;
  /** When the process began, as `processStart` says it; null if not said. A number can be another process's by now. */
  procStart: string | null;
}

/** Where Claude Code notes them; below its own folder. */
function notesFolder(folder: string): string {
  return join(folder, 'sessions');
}

/**
 * The sessions that a process has open now, by Claude Code's own id of each; of several, a terminal. A note that a
 * killed process left behind counts for nothing. Never rejects.
 * @param folder Claude Code's own: `~/.claude`
 */
export async function openSessions(folder: string): Promise<Map<string, SessionHolder>> {
  const open = new Map<string, SessionHolder>();
  for (const noted of await livingNotes(folder)) {
    const { pid, sessionId, isTerminal, state } = noted;
    if (open.get(sessionId)?.program === 'terminal') continue;
    const there = { pid, program: 'terminal' as const, ...(state === undefined ? undefined : { state }) };
    open.set(sessionId, isTerminal ? there : { pid, program: 'other' });
  }
  return open;
}

/** Who has a session open now, of those that are noted in Claude Code's own folder; null: nobody. Never rejects. */
export function holderIn(folder: string): (id: string) => Promise<SessionHolder | null> {
  return async (id) => (await openSessions(folder)).get(id) ?? null;
}

/** Where the sessions were started that a process has open now, of those that are noted with it. */
export async function openFolders(folder: string): Promise<{ id: string; cwd: string; isTerminal: boolean }[]> {
  const notes = await livingNotes(folder);
  return notes.flatMap(({ sessionId, cwd, isTerminal }) => (cwd === null ? [] : { id: sessionId, cwd, isTerminal }));
}

/** The notes of processes that run. Never rejects. @param folder as for `openSessions` */
export async function livingNotes(folder: string): Promise<Noted[]> {
  const living: Noted[] = [];
  for (const noted of await readNotes(folder)) if (await lives(noted)) living.push(noted);
  return living;
}

/** Where a session was started that a process has open, which may have no transcript yet; null: not noted. */
export async function startedIn(folder: string, sessionId: string): Promise<string | null> {
  const notes = await readNotes(folder);
  return notes.find((noted) => noted.sessionId === sessionId)?.cwd ?? null;
}

async function readNotes(folder: string): Promise<Noted[]> {
  const notes = notesFolder(folder);
  const names = (await readdir(notes).catch(() => [])).filter((name) => /^\d+\.json$/.test(name));
  const read = names.map(async (name) => readNote(await readFile(join(notes, name), 'utf8').catch(() => '')));
  return (await Promise.all(read)).filter((noted) => noted !== null);
}

function readNote(text: string): Noted | null {
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof note !== 'object' || note === null || !('pid' in note) || !('sessionId' in note)) return null;
  const { pid, sessionId } = note;
  if (typeof pid !== 'number' || typeof sessionId !== 'string') return null;
  return {
    pid,
    sessionId,
    cwd: 'cwd' in note && typeof note.cwd === 'string' ? note.cwd : null,
    // `sdk-ts` and the like, where another program leads it; an editor's own name.
    isTerminal: 'entrypoint' in note && note.entrypoint === 'cli',
    state: 'status' in note && typeof note.status === 'string' ? states[note.status] : undefined,
    procStart: startIn(note),
  };
}

/** By the words of the note; with `waiting` it also says what it waits for, such as `permission prompt`. */
const states: Readonly<Record<string, SessionHolder['state']>> = { busy: 'works', waiting: 'waits', idle: 'rests' };

/** On Windows a file time, under a name of its own in some versions; an older one's date of .NET counts for nothing. */
function startIn(note: object): string | null {
  const names = ['procStart', 'procStartFt'];
  const found = Object.entries(note).find(([name, value]) => names.includes(name) && typeof value === 'string');
  const start = found === undefined ? null : String(found[1]);
  return Number(start) > largestFileTime ? null : start;
}

const largestFileTime = 300_000_000_000_000_000;

/** How long a start is remembered, in ms: to ask Windows takes a third of a second. */
const knownMs = 60_000;
const known = new Map<number, { procStart: string; at: number }>();

async function lives({ pid, procStart }: Noted): Promise<boolean> {
  if (!isRunning(pid)) {
    known.delete(pid);
    return false;
  }
  const before = known.get(pid);
  if (procStart === null || (before?.procStart === procStart && performance.now() - before.at < knownMs)) return true;
  const start = await processStart(pid);
  if (start === procStart) known.set(pid, { procStart, at: performance.now() });
  return start === null ? isRunning(pid) : start === procStart;
}

/** Several changes of a note are reported as one, in ms. */
const settleMs = 100;

/** Tells of changes of the notes of Claude Code's processes. One watch of the system's for all that listen. */
export class NotesWatch {
  readonly #notes: string;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #listeners = new Set<() => void>();
  #watcher: { inode: number; of: FSWatcher } | null = null;
  #telling: AbortController | null = null;

  /** @param folder Claude Code's own: `~/.claude` */
  constructor(folder: string, clock: Pick<Clock, 'sleep'>) {
    this.#notes = notesFolder(folder);
    this.#clock = clock;
  }

  /** Returns what ends it. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    this.look();
    return () => {
      this.#listeners.delete(changed);
      if (this.#listeners.size > 0) return;
      this.#telling?.abort();
      this.#telling = null;
      this.#watcher?.of.close();
      this.#watcher = null;
    };
  }

  /** Watches the folder of the notes, or the nearest one above it: Claude Code may not have run yet. */
  look(): void {
    if (this.#listeners.size === 0) return;
    for (const folder of [this.#notes, dirname(this.#notes), dirname(dirname(this.#notes))]) {
      try {
        // A folder that was deleted and made again has another inode.
        const inode = statSync(folder).ino;
        if (this.#watcher?.inode === inode) return;
        const of = watch(folder, { persistent: false }, () => this.#soon());
        this.#watcher?.of.close();
        this.#watcher = { inode, of };
        of.on('error', () => {
          of.close();
          if (this.#watcher?.of === of) this.#watcher = null;
        });
        return;
      } catch {
        // Not there, or the system has no watches left.
      }
    }
  }

  #soon(): void {
    if (this.#telling !== null) return;
    const telling = new AbortController();
    this.#telling = telling;
    this.#clock.sleep(settleMs, telling.signal).then(
      () => {
        this.#telling = null;
        this.look();
        for (const changed of [...this.#listeners]) changed();
      },
      () => undefined,
    );
  }
}
