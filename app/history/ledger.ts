import { randomBytes } from 'node:crypto';
import type { Clock } from '../ports.ts';
import type { JournalEntry } from './journal.ts';
import type { Store, Writer } from './store.ts';

/**
 * How the answer to an accepted prompt ended. `whole`: delivered to the end. `cut`: ended early by Copilot or by us.
 * `left`: the client broke it off.
 */
type LedgerEnding = 'running' | 'whole' | 'cut' | 'left';

interface Entry {
  firstSeen: number;
  acceptedAt: number | null;
  ending: LedgerEnding | null;
  exchangeId: string | null;
  refusals: number;
  lastStatus: number | null;
}

const lifeMs = 30 * 24 * 60 * 60 * 1000;
const pruneEveryMs = 24 * 60 * 60 * 1000;
const noteAgainMs = 24 * 60 * 60 * 1000;
/** Entries held in memory in front of the table, misses among them. */
const memoryLimit = 4_000;
const saltBytes = 32;

/**
 * Which prompts Copilot has accepted already, so that a repeat of the same words is not marked as a person's again.
 * Holds keyed hashes, never words. Answers come from memory with the table behind it; writes go out with the history's
 * next batch. When the database is missing, locked or damaged nothing is known, so that every prompt counts as a
 * person's.
 */
export class Ledger implements Writer {
  /**
   * Random per installation; part of every key. Never leaves this machine: exports have to leave it out. The same
   * object as long as it holds.
   */
  salt: Buffer;
  readonly #store: Store;
  readonly #clock: Clock;
  /** Null if the table does not know the key either. Oldest use first. */
  readonly #memory = new Map<string, Entry | null>();
  readonly #unwritten = new Map<string, Entry>();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.salt = readSalt(store);
    store.join(this);
  }

  /** Copilot accepted this prompt; its answer runs. */
  accept(key: string, exchangeId: string): void {
    const now = this.#clock.now();
    const entry = this.#entry(key) ?? newEntry(now);
    this.#put(key, { ...entry, acceptedAt: now, ending: 'running', exchangeId });
  }

  /** The answer ended. Does nothing for a prompt that was never accepted. */
  settle(key: string, ending: LedgerEnding): void {
    const entry = this.#entry(key);
    if (entry?.acceptedAt != null) this.#put(key, { ...entry, ending });
  }

  /** An attempt with this prompt failed before it was accepted. `status` null if there was no answer at all. */
  refuse(key: string, status: number | null): void {
    const entry = this.#entry(key) ?? newEntry(this.#clock.now());
    this.#put(key, { ...entry, refusals: entry.refusals + 1, lastStatus: status });
  }

  /**
   * Something else was seen: a session, the place of a cut. Written anew once a day, so that it lasts as long as it is
   * in use.
   */
  note(key: string, ending: 'whole' | 'cut' | 'left'): void {
    const now = this.#clock.now();
    const entry = this.#entry(key);
    if (entry?.acceptedAt != null && entry.ending === ending && entry.acceptedAt > now - noteAgainMs) return;
    this.#put(key, { ...(entry ?? newEntry(now)), acceptedAt: now, ending });
  }

  accepted(key: string): { ending: LedgerEnding } | null {
    const entry = this.#entry(key);
    return entry?.acceptedAt != null && entry.ending !== null ? { ending: entry.ending } : null;
  }

  refusals(key: string): { count: number; lastStatus: number | null } {
    const entry = this.#entry(key);
    return { count: entry?.refusals ?? 0, lastStatus: entry?.lastStatus ?? null };
  }

  /**
   * This process owns the folder from now on. What an owner before it wrote is read anew; what ran when that one ended
   * was ended early by us.
   *
   * @param journal what that one had gathered.
   */
  takeOver(journal: readonly JournalEntry[] = []): void {
    for (const item of journal) {
      const entry = 'prompt' in item ? entryOf(item.entry) : null;
      if (!('prompt' in item) || entry === null || isOlder(entry, this.#readEntry(item.prompt))) continue;
      this.#unwritten.set(item.prompt, endedWithOwner(entry));
    }
    this.#store.flush(this);
    this.#memory.clear();
    this.#store.change(() => {
      this.#store.prepare(`UPDATE ledger SET ending = 'cut' WHERE ending = 'running'`).run();
    });
  }

  write(): void {
    this.#prune();
    const put = this.#store.prepare(putSql);
    for (const [key, entry] of this.#unwritten) {
      put.run(key, entry.firstSeen, entry.acceptedAt, entry.ending, entry.exchangeId, entry.refusals, entry.lastStatus);
    }
  }

  written(): void {
    this.#unwritten.clear();
  }

  /** The table was lost while we ran: what memory knows goes into the new one, under the same salt. */
  renewed(): void {
    this.#store.prepare(putSaltSql).run(this.salt);
    for (const [key, entry] of this.#memory) if (entry) this.#unwritten.set(key, entry);
  }

  /** Before, the file may have been one without a salt, or none. Keys of another salt mean nothing. */
  reopened(): void {
    this.#memory.clear();
    const salt = readSalt(this.#store);
    if (salt.equals(this.salt)) return;
    this.salt = salt;
    this.#unwritten.clear();
  }

  #prune(): void {
    const now = this.#clock.now();
    if (now - this.#prunedAt < pruneEveryMs) return;
    this.#store.prepare('DELETE FROM ledger WHERE coalesce(accepted_at, first_seen) < ?').run(now - lifeMs);
    this.#prunedAt = now;
  }

  #entry(key: string): Entry | null {
    const known = this.#memory.get(key) ?? this.#unwritten.get(key);
    const entry = known !== undefined || this.#memory.has(key) ? (known ?? null) : this.#readEntry(key);
    this.#remember(key, entry);
    return entry !== null && (entry.acceptedAt ?? entry.firstSeen) >= this.#clock.now() - lifeMs ? entry : null;
  }

  #readEntry(key: string): Entry | null {
    return this.#store.read(() => entryOf(this.#store.prepare(findSql).get(key) ?? {}), null);
  }

  #put(key: string, entry: Entry): void {
    this.#remember(key, entry);
    this.#unwritten.set(key, entry);
    if (this.#unwritten.size > memoryLimit && !this.#store.relieve()) dropOldest(this.#unwritten);
    this.#store.gather(this, { prompt: key, entry });
  }

  #remember(key: string, entry: Entry | null): void {
    this.#memory.delete(key);
    this.#memory.set(key, entry);
    if (this.#memory.size > memoryLimit) dropOldest(this.#memory);
  }
}

const putSql = `INSERT OR REPLACE INTO ledger (key, first_seen, accepted_at, ending, exchange_id, refusals, last_status)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const findSql = `SELECT first_seen AS firstSeen, accepted_at AS acceptedAt, ending, exchange_id AS exchangeId, refusals,
  last_status AS lastStatus FROM ledger WHERE key = ?`;
const putSaltSql = `INSERT OR REPLACE INTO meta (name, value) VALUES ('salt', ?)`;

function entryOf(read: Partial<Record<keyof Entry, unknown>>): Entry | null {
  const { firstSeen, acceptedAt, ending, exchangeId, refusals, lastStatus } = read;
  if (typeof firstSeen !== 'number') return null;
  return {
    firstSeen,
    acceptedAt: typeof acceptedAt === 'number' ? acceptedAt : null,
    ending: isEnding(ending) ? ending : null,
    exchangeId: typeof exchangeId === 'string' ? exchangeId : null,
    refusals: typeof refusals === 'number' ? refusals : 0,
    lastStatus: typeof lastStatus === 'number' ? lastStatus : null,
  };
}

/** A journal may have been left lying: by an owner whose disk was full, or beside owners of a version without one. */
function isOlder(entry: Entry, known: Entry | null): boolean {
  if (known?.acceptedAt == null) return false;
  if (entry.acceptedAt !== known.acceptedAt) return (entry.acceptedAt ?? 0) < known.acceptedAt;
  return entry.ending === 'running' && known.ending !== 'running';
}

function endedWithOwner(entry: Entry): Entry {
  return entry.ending === 'running' ? { ...entry, ending: 'cut' } : entry;
}

function newEntry(now: number): Entry {
  return { firstSeen: now, acceptedAt: null, ending: null, exchangeId: null, refusals: 0, lastStatus: null };
}

/** Reads the salt. If it can't be read, the table's keys are useless: makes a new salt and empties the table. */
function readSalt(store: Store): Buffer {
  const stored = store.read(() => store.prepare(`SELECT value FROM meta WHERE name = 'salt'`).get()?.value, null);
  if (stored instanceof Uint8Array && stored.byteLength === saltBytes) return Buffer.from(stored);
  const salt = randomBytes(saltBytes);
  store.change(() => {
    store.prepare('DELETE FROM ledger').run();
    store.prepare(putSaltSql).run(salt);
  });
  return salt;
}

function isEnding(value: unknown): value is LedgerEnding {
  return value === 'running' || value === 'whole' || value === 'cut' || value === 'left';
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
