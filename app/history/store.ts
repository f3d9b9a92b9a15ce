import { basename } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Problem } from '../api/call.ts';
import { unreadableFile } from '../database/open-database.ts';
import { type DatabaseDependencies, OwnedDatabase } from '../database/owned-database.ts';
import { reasonOf, saysDamaged, writeTrouble } from '../database/sqlite-error.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import { ownedElsewhere } from './history-error.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { historyForm } from './schema.ts';

/** What has rows to write. All calls come from the store. */
export interface Writer {
  /** How many of its rows that wait are requests. */
  requests?(): number;
  /** Writes all rows that wait, inside a transaction; may throw. Absent: it writes none. */
  write?(): void;
  /** Called when they are committed. */
  written?(): void;
  /** The file was damaged while we ran and was replaced by an empty one. */
  renewed(): void;
  /** The file is gone and a new one follows: queues again what this process wrote into it. Says how many requests. */
  carry?(): number;
  /** Called when this process now owns a file that another one owned: what was read before may have changed. */
  reopened(): void;
}

const retryMs = 5_000;
/**
 * So long rows are gathered for one transaction, or until there are so many: writing them holds up the bytes (measured:
 * 0.03 ms a row).
 */
const gatherMs = 500;
const mostGathered = 60;
const sayAgainMs = 60_000;

/**
 * The one owner of the database. Rows are written behind: all that were queued in one turn of the event loop go out in
 * one transaction, after that turn; or, between `gatherFromNow` and `letGo`, all of half a second, with what may not be
 * lost meanwhile in the journal. A write that fails is said, kept and tried again; it never reaches the exchange that
 * caused it.
 */
export class Store {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #warned: () => void;
  readonly #database: OwnedDatabase;
  readonly #writers: Writer[] = [];
  /** Those that may have rows to write. */
  readonly #due = new Set<Writer>();
  readonly #journal: Journal;
  readonly #onExit = (): void => void this.flush();
  /** Entries that are not in the journal yet. */
  #unnoted: JournalEntry[] = [];
  /** Rows gathered since the last write. */
  #gathered = 0;
  #gathering = false;
  #scheduled = false;
  #retrying = false;
  #problem: Problem | null;
  /** Why the last write failed; null if it didn't. */
  #unwritable: unknown = null;
  #saidAt: number | null = null;

  constructor(path: string, dependencies: DatabaseDependencies) {
    this.#path = path;
    this.#journal = new Journal(`${path}-waiting`);
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#warned = dependencies.warned ?? (() => {});
    this.#database = new OwnedDatabase(historyForm, path, dependencies, (error) => this.#failed(error));
    this.#problem = this.#database.openingProblem;
  }

  /** The folder is this process's from now on. Another one owned it when the file was opened: it is written to now. */
  own(): void {
    if (!this.#database.own()) return;
    this.#problem = this.#database.openingProblem;
    for (const writer of this.#writers) writer.reopened();
  }

  /**
   * The owner of the folder calls it when it begins to serve, and `letGo` when it does no more: rows are gathered
   * meanwhile. Returns what an owner that was killed had gathered.
   */
  gatherFromNow(): JournalEntry[] {
    this.own();
    if (!this.mayWrite || !this.onDisk) return [];
    // After an uncaught error: no further turn of the event loop comes.
    process.off('exit', this.#onExit);
    process.on('exit', this.#onExit);
    return this.#journal.begin();
  }

  /** Writes what is queued. Another process may own the folder from now on. */
  letGo(): void {
    process.off('exit', this.#onExit);
    if (this.flush()) this.#journal.remove();
    else this.#journal.end();
  }

  get warnings(): Problem[] {
    return this.#database.warnings;
  }

  get onDisk(): boolean {
    return this.#database.onDisk;
  }

  /** Whether this process may change the file now: another one may own it. */
  get mayWrite(): boolean {
    return this.#database.mayWrite;
  }

  /** Throws `HistoryError` where another process owns the file. */
  requireOwned(): void {
    if (this.#database.isReadOnly) throw ownedElsewhere();
  }

  /** What is wrong with the history now: rows that cannot be written, or a database in memory. */
  problem(): Problem | null {
    this.#lookAtFile();
    if (this.#unwritable === null) return this.#problem;
    if (this.#database.isReadOnly) return unreadableFile(historyForm, this.#unwritable);
    const requests = this.#waiting();
    const waiting =
      requests === 0
        ? ''
        : t('{requests, plural, one {# request waits} other {# requests wait}} in memory.', { requests });
    const { why, remedy } = writeTrouble(this.#unwritable, basename(this.#path));
    return {
      code: 'history-not-written',
      text: sentences(t('The request history can’t be written: {why}.', { why }), waiting),
      remedy: t('{remedy}. Jumpseat tries to write again automatically.', { remedy }),
    };
  }

  /** How many requests, for a person. */
  #waiting(): number {
    return this.#writers.reduce((sum, writer) => sum + (writer.requests?.() ?? 0), 0);
  }

  /**
   * Makes room for a writer that holds too much: true when all rows are written, false when it has to let go of some.
   */
  relieve(): boolean {
    return !this.#retrying && this.flush();
  }

  join(writer: Writer): void {
    this.#writers.push(writer);
  }

  /** The prepared statement, made once. It may not be kept: the database under it can be replaced. */
  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  /** Has the rows of a writer written soon. Costs nothing on the way of the caller. */
  schedule(writer: Writer): void {
    this.#due.add(writer);
    this.#flushSoon();
  }

  #flushSoon(): void {
    // While writing fails, the retry alone tries: a full or locked disk must not be asked in every turn.
    if (this.#scheduled || this.#retrying || this.#database.isClosed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** The same with what comes within half a second. A killed process leaves `entry` from the next turn on. */
  gather(writer: Writer, entry?: JournalEntry): void {
    this.#due.add(writer);
    if (!this.#journal.isOpen) {
      this.#flushSoon();
      return;
    }
    if (this.#retrying || this.#database.isClosed) return;
    if (entry !== undefined && this.#unnoted.push(entry) === 1) {
      setImmediate(() => {
        if (!this.#note()) this.#flushSoon();
      });
    }
    if (++this.#gathered >= mostGathered) this.#flushSoon();
    else this.#flushLater();
  }

  /** The same, and a killed process leaves it from now on. False: nothing is gathered. */
  gatherNow(writer: Writer, entry: JournalEntry): boolean {
    if (!this.#journal.isOpen || this.#retrying || this.#database.isClosed) return false;
    this.#unnoted.push(entry);
    if (!this.#note()) return false;
    this.#due.add(writer);
    this.#flushLater();
    return true;
  }

  #note(): boolean {
    const entries = this.#unnoted;
    this.#unnoted = [];
    return this.#journal.add(entries);
  }

  #flushLater(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#clock.sleep(gatherMs, this.#database.closing).then(
      () => {
        this.#gathering = false;
        if (!this.#retrying) this.flush();
      },
      () => {},
    );
  }

  /** Writes all queued rows now, also a writer's own. False: they could not be written and are still queued. */
  flush(writer?: Writer): boolean {
    if (writer !== undefined) this.#due.add(writer);
    this.#lookAtFile();
    if (!this.#database.mayWrite) return false;
    if (this.#due.size > 0) {
      try {
        this.#database.transact(() => {
          for (const writer of this.#due) writer.write?.();
        });
      } catch (error) {
        this.#failed(error);
        return false;
      }
      for (const writer of this.#due) writer.written?.();
      this.#due.clear();
      this.#unnoted = [];
      this.#gathered = 0;
      this.#database.wrote();
    }
    this.#journal.clear();
    this.#unwritable = null;
    return true;
  }

  /** Looks at the file itself: what SQLite remembers of one that was overwritten can still be read. */
  checkFile(): void {
    this.#lookAtFile();
    this.read(() => this.#database.checkFile(), undefined);
  }

  /** Answers `question`, or `otherwise` when the database cannot. */
  read<Answer>(question: () => Answer, otherwise: Answer): Answer {
    if (this.#database.isClosed) return otherwise;
    try {
      return question();
    } catch (error) {
      this.#failed(error);
      return otherwise;
    }
  }

  /** Runs one change in a transaction of its own. False: it could not be made. */
  change(work: () => void): boolean {
    if (!this.mayWrite) return false;
    try {
      this.#database.transact(work);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /**
   * Runs one statement, which is a transaction by itself; but not while writing fails: for what can be missed, and may
   * not wait.
   */
  runIfWell(sql: string, ...values: SQLInputValue[]): void {
    if (this.#retrying || !this.mayWrite) return;
    try {
      this.prepare(sql).run(...values);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Writes what is queued and closes the file. Nothing can be read afterwards. */
  close(): void {
    if (this.#database.isClosed) return;
    this.letGo();
    this.#database.close();
  }

  #failed(error: unknown): void {
    if (saysDamaged(error) && this.onDisk && !this.#database.isReadOnly) {
      this.#renew(error);
      return;
    }
    this.#unwritable = error;
    // Told with how many wait, so not before one does: it is tried again soon.
    if (this.#waiting() > 0) this.#warned();
    const ticks = this.#clock.ticks();
    if (this.#saidAt === null || ticks - this.#saidAt >= sayAgainMs) {
      this.#saidAt = ticks;
      this.#log.write('error', 'history-not-written', { why: reasonOf(error), waiting: this.#waiting() });
    }
    this.#retry();
  }

  #retry(): void {
    if (this.#retrying || !this.mayWrite) return;
    this.#retrying = true;
    this.#clock.sleep(retryMs, this.#database.closing).then(
      () => {
        this.#retrying = false;
        this.flush();
      },
      () => {},
    );
  }

  /** The file went bad under us: keep it, start anew with what is known. */
  #renew(error: unknown): void {
    this.#database.renew(error);
    this.#warned();
    this.#unwritable = null;
    this.#problem = this.warnings.at(-1) ?? null;
    // Nothing more of this process comes into a file: what a later owner would read there grows old.
    if (!this.onDisk) this.#journal.remove();
    this.#log.write('error', 'history-damaged', { file: basename(this.#path), text: this.#problem?.text });
    this.#beginAnew();
  }

  /** Where a person deleted or moved the file, what this process wrote into it comes into a new one. */
  #lookAtFile(): void {
    if (!this.#database.isGone) return;
    const carried = this.#writers.reduce((sum, writer) => sum + (writer.carry?.() ?? 0), 0);
    this.#database.replaceGone(() =>
      t('A new file was started with the last {carried, plural, one {# request} other {# requests}}.', { carried }),
    );
    this.#unwritable = null;
    this.#problem = this.#database.openingProblem;
    this.#beginAnew();
  }

  #beginAnew(): void {
    for (const writer of this.#writers) {
      this.#due.add(writer);
      try {
        writer.renewed();
      } catch (cause) {
        this.#log.write('error', 'history-not-written', { why: reasonOf(cause) });
      }
    }
    this.#flushSoon();
  }
}
