import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../api/call.ts';
import type { ListedSession } from '../api/session-list.ts';
import type { Clock, Log, Paths } from '../ports.ts';
import { isWithin } from '../settings/files.ts';
import { isSessionLabel, sessionTitle, untitledSession } from '../words/sessions.ts';
import { startedIn } from './agents/claude/open-sessions.ts';
import { GoneFolders } from './folders/named-path.ts';
import { upTo } from './host/past-turns.ts';
import { agentIdOf, forkOf } from './store/session-rows.ts';
import { SessionStore } from './store/session-store.ts';
import { type HistoryOfTranscript, TranscriptHistory } from './transcripts/transcript-history.ts';
import { TranscriptIndex } from './transcripts/transcript-index.ts';
import { TranscriptSearch } from './transcripts/transcript-search.ts';
import type { TranscriptTurn } from './transcripts/transcript-turns.ts';
import { type TranscriptEntry, Transcripts } from './transcripts/transcripts.ts';

interface SessionFilesDependencies {
  paths: Pick<Paths, 'sessions' | 'transcripts'>;
  clock: Clock;
  log: Log;
  /** A second process beside the one that owns the folder. */
  readOnly: boolean;
  /** Whether another process owns the folder now. */
  isOwnedElsewhere(): boolean;
  /** Called when something is wrong with sessions.db that wasn't before. */
  warned?(): void;
  /** Claude Code's own: `~/.claude` */
  claudeFolder: string;
  isSearchOn(): boolean;
}

/** Copies of copies that are followed: no person makes more, and a damaged file may name itself. */
const mostCopies = 20;
const mostRows = 100_000;

/** All files about sessions. Each is opened when it is first needed: most commands need none. */
export class SessionFiles {
  readonly history = new TranscriptHistory();
  readonly folders = new SessionFolders(this);
  readonly goneFolders: GoneFolders;
  readonly #given: SessionFilesDependencies;
  readonly #ending = new AbortController();
  #owns = false;
  #store: SessionStore | null = null;
  #index: TranscriptIndex | null = null;
  #transcripts: Transcripts | null = null;
  #search: TranscriptSearch | null = null;

  constructor(given: SessionFilesDependencies) {
    this.#given = given;
    this.goneFolders = new GoneFolders(given.clock);
  }

  get claudeFolder(): string {
    return this.#given.claudeFolder;
  }

  get store(): SessionStore {
    const { paths, clock, log, readOnly, isOwnedElsewhere, warned } = this.#given;
    this.#store ??= new SessionStore(paths.sessions, {
      ...{ clock, log, readOnly, warned },
      isOwnedElsewhere: () => !this.#owns && isOwnedElsewhere(),
    });
    return this.#store;
  }

  /** What is wrong with sessions.db, or was when it was opened; nothing before it was. */
  get warnings(): Problem[] {
    if (this.#store === null) return [];
    const problem = this.#store.problem();
    const { warnings } = this.#store;
    return problem === null || warnings.includes(problem) ? warnings : [...warnings, problem];
  }

  get transcripts(): Transcripts {
    const { log } = this.#given;
    this.#transcripts ??= new Transcripts({
      folder: join(this.claudeFolder, 'projects'),
      index: this.#openIndex(),
      log,
    });
    return this.#transcripts;
  }

  get search(): TranscriptSearch {
    const { clock, log, isSearchOn: isOn } = this.#given;
    this.#search ??= new TranscriptSearch({ index: this.#openIndex(), clock, log, isOn });
    return this.#search;
  }

  /**
   * The transcript of a session; null: there is none. Its agent may know it under an id of its own; a fork that has not
   * been copied yet is in that of another one.
   */
  async transcriptOf(id: string): Promise<TranscriptEntry | null> {
    return this.transcripts.find(this.#placeOf(id).agentSessionId);
  }

  /** The conversation of a session, and the message that it ends with; null if all of it is the session's. */
  #placeOf(id: string): { agentSessionId: string; last: string | null } {
    const row = this.store.sessions.find(id);
    const own = agentIdOf(row);
    const from = own === null ? forkOf(row) : null;
    return from ?? { agentSessionId: own ?? id, last: row?.resumeAt ?? null };
  }

  /** What was said in a session; null if there is no transcript of it. Rejects with Node's error. */
  async historyOf(id: string): Promise<HistoryOfTranscript | null> {
    const entry = await this.transcriptOf(id);
    if (entry === null) return null;
    const { turns, unreadable } = await this.history.of(entry.path);
    return { turns: [...upTo(turns, this.#placeOf(id).last)], unreadable };
  }

  /** All turns of a conversation of Claude Code's, by its own id of it; null if it can't be read. */
  async pastOf(agentSessionId: string): Promise<readonly TranscriptTurn[] | null> {
    const entry = await this.transcripts.find(agentSessionId);
    const read = entry === null ? null : await this.history.of(entry.path).catch(() => null);
    return read?.turns ?? null;
  }

  /**
   * Turns with the times of those that they are copies of: the last line of a copy has the time of the copying. Where
   * the original is gone, when it ended is not known.
   * @param id the session that has these turns: before its first message, a fork reads those of its original
   */
  async withTimes(turns: readonly TranscriptTurn[], id: string): Promise<TranscriptTurn[]> {
    const row = this.store.sessions.find(id);
    const uncopied = agentIdOf(row) === null ? forkOf(row) : null;
    const read = new Map<string, Promise<readonly TranscriptTurn[]>>();
    const originals = (sessionId: string): Promise<readonly TranscriptTurn[]> => {
      const found = read.get(sessionId) ?? this.#everyTurn(sessionId);
      read.set(sessionId, found);
      return found;
    };
    const original = async (turn: TranscriptTurn): Promise<Pick<TranscriptTurn, 'startedAt' | 'endedAt'>> => {
      let at = turn;
      let copyOf = turn.copyOf;
      for (let copies = 0; copyOf !== null && copies < mostCopies; copies++) {
        const { sessionId, turn: id } = copyOf;
        const found = (await originals(sessionId)).find((one) => one.id === id);
        if (found === undefined) break;
        if (found.copyOf === null) return this.#ledTimes(sessionId, found) ?? found;
        at = found;
        copyOf = found.copyOf;
      }
      return { startedAt: at.startedAt, endedAt: null };
    };
    const timed = async (turn: TranscriptTurn): Promise<TranscriptTurn> => {
      const led = turn.copyOf === null && uncopied !== null ? this.#ledTimes(uncopied.agentSessionId, turn) : null;
      if (turn.copyOf === null && led === null) return turn;
      const { startedAt, endedAt } = led ?? (await original(turn));
      return { ...turn, startedAt, endedAt };
    };
    return Promise.all(turns.map(timed));
  }

  /** All turns, including those on branches that a person left by going back. */
  async #everyTurn(agentSessionId: string): Promise<readonly TranscriptTurn[]> {
    const entry = await this.transcripts.find(agentSessionId);
    return entry === null ? [] : this.history.everyTurn(entry.path).catch(() => []);
  }

  /** Times that Jumpseat has, if it ran the turn; otherwise null. */
  #ledTimes(agentSessionId: string, { startedAt }: TranscriptTurn) {
    const session = this.store.sessions.ofAgent(agentSessionId);
    if (session === null || startedAt === null) return null;
    const rows = this.store.turns.of(session.id, { limit: mostRows });
    return rows.find((row) => row.startedAt <= startedAt && startedAt <= (row.endedAt ?? Infinity)) ?? null;
  }

  /** Ends work in the background. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The folder is this process's from now on. */
  own(): void {
    this.#owns = true;
    this.#store?.own();
  }

  /** What was said goes at once where it is no longer to be searched. */
  settingsChanged(): void {
    const { paths, isSearchOn } = this.#given;
    if (!isSearchOn() && existsSync(paths.transcripts)) this.search.forget();
  }

  close(): void {
    this.#ending.abort();
    this.#store?.close();
    this.#index?.close();
  }

  #openIndex(): TranscriptIndex {
    const { paths, log } = this.#given;
    this.#index ??= new TranscriptIndex(paths.transcripts, { log });
    return this.#index;
  }
}

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
class SessionFolders {
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
