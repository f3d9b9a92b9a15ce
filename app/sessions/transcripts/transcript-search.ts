import { open } from 'node:fs/promises';
import type { SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Log } from '../../ports.ts';
import { type Said, saidIn } from './line.ts';
import type { TranscriptIndex } from './transcript-index.ts';
import type { TranscriptEntry } from './transcripts.ts';

/** A place where something was said. */
interface SaidPlace {
  sessionId: string;
  /** The uuid of the line: an id of a turn, or of a message in it. */
  message: string;
  who: 'user' | 'agent';
  /** ms since the epoch; null if unknown. */
  at: number | null;
  /** Text around the found words, and their ranges in it: from, to. */
  excerpt: string;
  marks: [number, number][];
}

interface SearchedTranscripts {
  /** The best place of each session, the best session first. */
  places: SaidPlace[];
  /** Sessions whose conversation was looked into. */
  searched: number;
  /** All that was said is in the index. */
  isComplete: boolean;
}

interface TranscriptSearchDependencies {
  index: TranscriptIndex;
  clock: Clock;
  log: Log;
  /** True if the person wants conversations to be searchable; checked at each step. */
  isOn(): boolean;
}

/** Bytes read before other work gets its turn; measured: 3 to 8 ms with writing into the index. */
const sliceBytes = 256 * 1024;
/** After a slice the work rests, so that it never has more than a part of a core. */
const restMs = 15;
/** A line that is longer is passed over: it is not what was said. */
const longestLine = 8 * 1024 * 1024;
const longestQuery = 200;

/** Characters of a range that no text uses. */
const [opening, closing] = ['\ue000', '\ue001'];
const searchSql = `SELECT path, message, who, at, snippet(said, 4, '${opening}', '${closing}', '…', 24) AS excerpt
  FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?`;

/** What was said in all sessions, found by words. The index is built in the background and can be forgotten. */
export class TranscriptSearch {
  readonly #given: TranscriptSearchDependencies;
  #building: Promise<void> | null = null;
  #isComplete = false;

  constructor(given: TranscriptSearchDependencies) {
    this.#given = given;
  }

  /**
   * Brings the index up to these transcripts, in slices; what is in it already is not read again. Never rejects. A
   * second call while one runs is that one.
   */
  build(entries: readonly TranscriptEntry[], signal?: AbortSignal): Promise<void> {
    this.#building ??= this.#build(entries, signal).finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  /** Throws everything away that was said; the next `build` begins anew. */
  forget(): void {
    this.#isComplete = false;
    const holds = this.#given.index.use((prepare) => prepare('SELECT 1 FROM read_up_to LIMIT 1').get(), undefined);
    if (holds === undefined) return;
    this.#given.index.change((prepare) => {
      prepare(`INSERT INTO said (said, rank) VALUES ('secure-delete', 1)`).run();
      for (const table of ['said', 'said_rows', 'read_up_to']) prepare(`DELETE FROM ${table}`).run();
    });
    // Into the file, and out of what was written before it.
    for (const sql of ['VACUUM', 'PRAGMA wal_checkpoint(TRUNCATE)']) {
      this.#given.index.use((prepare) => void prepare(sql).all(), undefined);
    }
  }

  /**
   * @param words all of them have to stand in one message; the last may be the beginning of one
   * @param entries the sessions to look into
   */
  search(words: string, entries: readonly TranscriptEntry[], limit = 50): SearchedTranscripts {
    const query = toQuery(words);
    const nothing = { places: [], searched: 0, isComplete: this.#isComplete };
    if (!this.#given.isOn() || query === null) return nothing;
    const ids = new Map(entries.map(({ path, id }) => [path, id]));
    const rows = this.#given.index.use((prepare) => prepare(searchSql).all(query, limit * 10), []);
    const places = new Map<string, SaidPlace>();
    for (const row of rows) {
      const sessionId = ids.get(String(row.path));
      if (sessionId !== undefined && !places.has(sessionId)) places.set(sessionId, toPlace(sessionId, row));
    }
    const known = this.#given.index.use((prepare) => prepare('SELECT path FROM read_up_to').all(), []);
    const searched = known.filter(({ path }) => ids.has(String(path))).length;
    return { places: [...places.values()].slice(0, limit), searched, isComplete: this.#isComplete };
  }

  async #build(entries: readonly TranscriptEntry[], signal: AbortSignal | undefined): Promise<void> {
    const { index, log } = this.#given;
    const rows = index.use((prepare) => prepare('SELECT path, bytes FROM read_up_to').all(), []);
    const upTo = new Map(rows.map(({ path, bytes }) => [String(path), Number(bytes)]));
    const here = new Set(entries.map(({ path }) => path));
    for (const path of upTo.keys()) if (!here.has(path)) this.forgetFile(path);
    if (entries.some(({ path, size }) => (upTo.get(path) ?? 0) !== size)) this.#isComplete = false;
    let isComplete = true;
    for (const { path, size } of entries) {
      const from = upTo.get(path) ?? 0;
      if (from === size) continue;
      try {
        if (from > size) this.forgetFile(path);
        const whole = await this.#read(path, from > size ? 0 : from, size, signal);
        if (!whole) return;
      } catch (error) {
        isComplete = false;
        log.write('debug', 'transcript-not-searched', { why: error instanceof Error ? error.message : String(error) });
      }
    }
    this.#isComplete = isComplete;
  }

  /** False: it was given up. */
  async #read(path: string, from: number, size: number, signal: AbortSignal | undefined): Promise<boolean> {
    const file = await open(path, 'r');
    try {
      let at = from;
      let length = sliceBytes;
      while (at < size) {
        if (signal?.aborted || !this.#given.isOn()) return false;
        const bytes = Buffer.allocUnsafe(Math.min(length, size - at));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
        // It may have been forgotten meanwhile.
        if (!this.#given.isOn()) return false;
        const end = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
        if (end === 0 && at + bytesRead < size && length < longestLine) {
          length *= 2;
          continue;
        }
        // The last line is whole when its end is there; one that is too long is passed over.
        const isRest = end === 0 && at + bytesRead >= size;
        if (bytesRead === 0 || isRest) break;
        const taken = end === 0 ? bytesRead : end;
        this.#keep(path, end === 0 ? [] : saidOf(bytes.toString('utf8', 0, end)), at + taken);
        at += taken;
        length = sliceBytes;
        await nextTurn();
        await this.#given.clock.sleep(restMs, signal);
      }
      return true;
    } catch (error) {
      if (signal?.aborted) return false;
      throw error;
    } finally {
      await file.close();
    }
  }

  #keep(path: string, said: readonly Said[], upTo: number): void {
    const kept = this.#given.index.change((prepare) => {
      const insert = prepare('INSERT INTO said (path, message, who, at, words) VALUES (?, ?, ?, ?, ?)');
      const row = prepare('INSERT INTO said_rows (row, path) VALUES (?, ?)');
      for (const { message, who, at, words } of said) {
        row.run(insert.run(path, message, who, at, words).lastInsertRowid, path);
      }
      prepare('INSERT OR REPLACE INTO read_up_to (path, bytes) VALUES (?, ?)').run(path, upTo);
    });
    if (!kept) throw new Error('the index can’t be written');
  }

  /** What was said in a transcript that is gone. */
  forgetFile(path: string): void {
    this.#given.index.change((prepare) => {
      prepare('DELETE FROM said WHERE rowid IN (SELECT row FROM said_rows WHERE path = ?)').run(path);
      prepare('DELETE FROM said_rows WHERE path = ?').run(path);
      prepare('DELETE FROM read_up_to WHERE path = ?').run(path);
    });
  }
}

function saidOf(text: string): Said[] {
  return text.split('\n').flatMap((line) => saidIn(line) ?? []);
}

/** The query in the language of FTS5: each word literally. Null if there is none. */
function toQuery(words: string): string | null {
  const found = words
    .slice(0, longestQuery)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"`);
  return found.length === 0 ? null : `${found.join(' ')}*`;
}

function toPlace(sessionId: string, row: Record<string, SQLOutputValue>): SaidPlace {
  const marks: [number, number][] = [];
  let excerpt = '';
  for (const part of String(row.excerpt).split(/(?=[\ue000\ue001])/)) {
    const sign = part[0];
    const text = sign === opening || sign === closing ? part.slice(1) : part;
    if (sign === opening) marks.push([excerpt.length, excerpt.length + text.length]);
    excerpt += text;
  }
  const at = typeof row.at === 'number' ? row.at : null;
  return { sessionId, message: String(row.message), who: row.who === 'user' ? 'user' : 'agent', at, excerpt, marks };
}
