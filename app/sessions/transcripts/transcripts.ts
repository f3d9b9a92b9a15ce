import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { Log } from '../../ports.ts';
import { factsFrom, type TranscriptFacts, tellsOutcome, tellsPrompt } from './transcript-facts.ts';
import type { TranscriptIndex } from './transcript-index.ts';

/** A session as its transcript tells it. */
export interface TranscriptEntry extends TranscriptFacts {
  /** The agent's own id of the session. */
  id: string;
  path: string;
  /** Bytes. */
  size: number;
  /** ms since the epoch, of the file. */
  modifiedAt: number;
  /** Why it can't be read; null if it can. */
  problem: string | null;
}

interface ListedTranscripts {
  /** The one that was last written to comes first. */
  entries: TranscriptEntry[];
  /** Why not all of them may be there; null if all are. */
  problem: string | null;
}

interface Found {
  path: string;
  id: string;
  /** There is a folder of the same name beside it, where Claude Code keeps what belongs to the session. */
  hasFolder: boolean;
}

/** Files are opened so many at a time: more only wait in Node's pool. */
const atOnce = 8;
/** Transcripts read before other work gets its turn: some ms, including writing. */
const slice = 100;
const name = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ending = '.jsonl';

const nothing: TranscriptFacts = factsFrom('', '');
const textOrNull = z.string().nullable();
const numberOrNull = z.number().nullable();
const factsSchema: z.ZodType<TranscriptFacts> = z.object({
  ...{ cwd: textOrNull, branch: textOrNull, version: textOrNull, entrypoint: textOrNull, title: textOrNull },
  ...{ agentTitle: textOrNull, firstPrompt: textOrNull, lastPrompt: textOrNull },
  ...{ createdAt: numberOrNull, updatedAt: numberOrNull, isSubagent: z.boolean(), wasAsked: z.boolean() },
  ...{ model: textOrNull, effort: textOrNull, outcome: z.enum(['done', 'cancelled', 'failed', 'running']).nullable() },
});

interface TranscriptsDependencies {
  /** `~/.claude/projects` */
  folder: string;
  index: TranscriptIndex;
  log: Log;
}

/**
 * Claude Code's own record of every session on this machine, with whichever program it was started. It is read, never
 * written.
 */
export class Transcripts {
  readonly folder: string;
  readonly #index: TranscriptIndex;
  readonly #log: Log;
  readonly #known = new Map<string, TranscriptEntry>();
  #indexRead: Promise<void> | null = null;

  constructor({ folder, index, log }: TranscriptsDependencies) {
    this.folder = folder;
    this.#index = index;
    this.#log = log;
  }

  /** All sessions. Only files that have changed since they were last looked at are opened. Never rejects. */
  async list(): Promise<ListedTranscripts> {
    this.#indexRead ??= this.#readIndex();
    await this.#indexRead;
    const { found, problem } = await this.#find();
    const entries: TranscriptEntry[] = [];
    for (let from = 0; from < found.length; from += slice) {
      const limit = pLimit(atOnce);
      const looked = await Promise.all(found.slice(from, from + slice).map((file) => limit(() => this.#look(file))));
      entries.push(...looked.flatMap((one) => one?.entry ?? []));
      this.#keep(looked.flatMap((one) => (one?.isNew === true ? [one.entry] : [])));
    }
    if (problem === null) {
      const all = new Set(found.map(({ path }) => path));
      this.#forget([...this.#known.keys()].filter((path) => !all.has(path)));
    }
    return { entries: newestOfEach(entries.filter(isSession)), problem };
  }

  /** The session of an id; null if there is none. Looks into no other file. */
  async find(id: string): Promise<TranscriptEntry | null> {
    if (!name.test(id)) return null;
    const { found } = await this.#find((file) => file === id + ending);
    const looked = await Promise.all(found.map((file) => this.#look(file)));
    return newestOfEach(looked.flatMap((one) => one?.entry ?? []))[0] ?? null;
  }

  /** Looks at one file again. Null if it is gone, or is no transcript of a session. */
  async look(path: string): Promise<TranscriptEntry | null> {
    const id = basename(path, ending);
    if (!path.endsWith(ending) || !name.test(id)) return null;
    const looked = await this.#look({ path, id, hasFolder: true });
    if (looked === null) this.#forget([path]);
    else if (looked.isNew) this.#keep([looked.entry]);
    return looked !== null && isSession(looked.entry) ? looked.entry : null;
  }

  /** @param wanted names of files; all where it is absent */
  async #find(wanted: (file: string) => boolean = () => true): Promise<{ found: Found[]; problem: string | null }> {
    const problems: string[] = [];
    const list = async (folder: string) => {
      try {
        return await readdir(folder, { withFileTypes: true });
      } catch (error) {
        if (!isMissing(error)) problems.push(error instanceof Error ? error.message : String(error));
        return [];
      }
    };
    const projects = (await list(this.folder)).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    const limit = pLimit(atOnce);
    const found = await Promise.all(
      projects.map((project) =>
        limit(async () => {
          const entries = await list(join(this.folder, project.name));
          const folders = new Set(entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])));
          return entries.flatMap((entry): Found[] => {
            const id = basename(entry.name, ending);
            if (!entry.isFile() || !entry.name.endsWith(ending) || !name.test(id) || !wanted(entry.name)) return [];
            return [{ path: join(this.folder, project.name, entry.name), id, hasFolder: folders.has(id) }];
          });
        }),
      ),
    );
    for (const why of problems) this.#log.write('warn', 'transcripts-not-listed', { why });
    return { found: found.flat(), problem: problems[0] ?? null };
  }

  /** Null if it is gone, or empty. */
  async #look({ path, id, hasFolder }: Found): Promise<{ entry: TranscriptEntry; isNew: boolean } | null> {
    let size = 0;
    let modifiedAt = 0;
    try {
      const found = await stat(path);
      size = found.size;
      modifiedAt = found.mtimeMs;
      if (size === 0) return null;
      const known = this.#known.get(path);
      if (known?.size === size && known.modifiedAt === modifiedAt && known.problem === null) {
        return { entry: known, isNew: false };
      }
      const { head, tail } = await readEnds(path, size, { head: tellsPrompt, tail: tellsOutcome });
      const facts = factsFrom(head, tail);
      if (hasFolder) facts.title = (await namedBeside(path)) ?? facts.title;
      facts.updatedAt ??= modifiedAt;
      return { entry: { ...facts, id, path, size, modifiedAt, problem: null }, isNew: true };
    } catch (error) {
      if (isMissing(error)) return null;
      const problem = error instanceof Error ? error.message : String(error);
      return { entry: { ...nothing, wasAsked: true, id, path, size, modifiedAt, problem }, isNew: false };
    }
  }

  async #readIndex(): Promise<void> {
    const rows = this.#index.use((prepare) => prepare('SELECT path, size, modified, facts FROM files').all(), []);
    for (const [number, { path, size, modified, facts }] of rows.entries()) {
      if (number % slice === slice - 1) await nextTurn();
      if (typeof path !== 'string' || typeof size !== 'number' || typeof modified !== 'number') continue;
      const read = factsOf(facts);
      if (read === null || this.#known.has(path)) continue;
      const id = basename(path, ending);
      this.#known.set(path, { ...read, id, path, size, modifiedAt: modified, problem: null });
    }
  }

  #keep(changed: readonly TranscriptEntry[]): void {
    for (const entry of changed) this.#known.set(entry.path, entry);
    if (changed.length === 0) return;
    this.#index.change((prepare) => {
      const insert = prepare('INSERT OR REPLACE INTO files (path, size, modified, facts) VALUES (?, ?, ?, ?)');
      for (const { id, path, size, modifiedAt, problem, ...facts } of changed) {
        insert.run(path, size, modifiedAt, JSON.stringify(facts));
      }
    });
  }

  #forget(gone: readonly string[]): void {
    const known = gone.filter((path) => this.#known.delete(path));
    if (known.length === 0) return;
    this.#index.change((prepare) => {
      for (const path of known) prepare('DELETE FROM files WHERE path = ?').run(path);
    });
  }
}

function factsOf(kept: unknown): TranscriptFacts | null {
  try {
    return factsSchema.parse(JSON.parse(String(kept)));
  } catch {
    return null;
  }
}

/** False for a transcript without a person's prompt, or of a subagent. */
function isSession({ isSubagent, wasAsked }: TranscriptEntry): boolean {
  return wasAsked && !isSubagent;
}

/** A session whose folder has moved may have two files. */
function newestOfEach(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const newest = new Map<string, TranscriptEntry>();
  for (const entry of entries) {
    const other = newest.get(entry.id);
    if (other === undefined || other.modifiedAt < entry.modifiedAt) newest.set(entry.id, entry);
  }
  return [...newest.values()].sort((left, right) => lastWritten(right) - lastWritten(left));
}

const titleSchema = z.object({ customTitle: z.string().min(1) });

/** A title that was given long ago stands in a file of its own as well. */
async function namedBeside(path: string): Promise<string | null> {
  try {
    const text = await readFile(join(path.slice(0, -ending.length), 'custom-title.json'), 'utf8');
    return titleSchema.parse(JSON.parse(text)).customTitle;
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** A copied file is newer than what is in it. */
function lastWritten({ updatedAt, modifiedAt }: TranscriptEntry): number {
  return updatedAt ?? modifiedAt;
}

/** Nearly every transcript has its first prompt in the first few kB, followed by what the model was told. */
const firstBytes = 16 * 1024;
/** Bytes read at the beginning for a first prompt, and at the end for names and times. */
const endBytes = 64 * 1024;
/** What Claude Code writes at the end may be longer: more of it is read, up to this. */
const mostOfEnd = 4 * 1024 * 1024;

interface Ends {
  head: string;
  tail: string;
}

/** Whether so little of a beginning or an end will do, so that most files are read twice and briefly. */
interface IsEnough {
  head: (head: string) => boolean;
  tail: (tail: string) => boolean;
}

/** The beginning and the end of a file. Rejects with Node's error. */
async function readEnds(path: string, size: number, isEnough: IsEnough): Promise<Ends> {
  const file = await open(path, 'r');
  try {
    if (size <= endBytes) {
      const whole = await part(file, 0, size);
      return { head: whole, tail: whole };
    }
    const brief = await part(file, 0, firstBytes);
    const head = isEnough.head(brief) ? brief : await part(file, 0, endBytes);
    for (let length = endBytes; ; length = Math.min(size, length * 8)) {
      const read = await part(file, size - length, length);
      const tail = length === size ? read : withoutCutLine(read);
      if (length === size || length >= mostOfEnd || isEnough.tail(tail)) return { head, tail };
    }
  } finally {
    await file.close();
  }
}

async function part(file: FileHandle, from: number, length: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.toString('utf8', 0, filled);
}

function withoutCutLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}
