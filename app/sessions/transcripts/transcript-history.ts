import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type Line, readLine, textOf } from './line.ts';
import { type TranscriptTurn, turnsOf, turnsOfBranch } from './transcript-turns.ts';

export interface HistoryOfTranscript {
  turns: TranscriptTurn[];
  /** Lines that were broken or cut, and are left out. */
  unreadable: number;
}

interface Subagent {
  /** `x-claude-code-agent-id` of its requests, and the id of its session below the parent. */
  id: string;
  /** The tool call that started it; null if unknown. */
  toolCallId: string | null;
  type: string | null;
  description: string | null;
}

/** A session that was looked at is looked at again, as a rule; more are read anew. */
const keptFiles = 4;
const agentFile = /^agent-([\w-]+)\.jsonl$/;
const metaSchema = z.object({
  agentType: z.string().optional(),
  description: z.string().optional(),
  toolUseId: z.string().optional(),
});

/** What was said in a session, read from its transcript. One that grows is read on, not anew. */
export class TranscriptHistory {
  readonly #files = new Map<string, { file: TranscriptLines; history: HistoryOfTranscript | null }>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param path of a session's transcript. Rejects with Node's error where it can't be read. */
  of(path: string): Promise<HistoryOfTranscript> {
    return this.#inTurn(() => this.#read(path, turnsOf));
  }

  /** All turns of a transcript, also those that are left behind. Rejects with Node's error where it can't be read. */
  everyTurn(path: string): Promise<TranscriptTurn[]> {
    return this.#inTurn(async () => {
      const opened = this.#open(path);
      const { file } = opened;
      // What is new is new to `of` as well.
      if (await file.readOn()) opened.history = null;
      return turnsOfBranch(file.lines.filter((line) => isOfConversation(line) && line.isSidechain !== true));
    });
  }

  /** The subagents of a session, in no order; none where the folder can't be read. */
  async subagents(path: string): Promise<Subagent[]> {
    const folder = subagentsOf(path);
    const names = await readdir(folder).catch(() => []);
    return Promise.all(
      names.flatMap((name) => {
        const id = agentFile.exec(name)?.[1];
        return id === undefined ? [] : [aboutAgent(folder, id)];
      }),
    );
  }

  /** What a subagent did. Rejects with Node's error where it can't be read. */
  async ofSubagent(path: string, id: string): Promise<HistoryOfTranscript | null> {
    if (!/^[\w-]{1,200}$/.test(id)) return null;
    const file = join(subagentsOf(path), `agent-${id}.jsonl`);
    if (!existsSync(file)) return null;
    return this.#inTurn(() => this.#read(file, (lines) => turnsOfBranch(lines.filter(isOfConversation))));
  }

  /** Runs reads one at a time: two would read and add the same bytes. */
  #inTurn<Read>(read: () => Promise<Read>): Promise<Read> {
    const turn = this.#last.then(read);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #read(path: string, turns: (lines: readonly Line[]) => TranscriptTurn[]): Promise<HistoryOfTranscript> {
    const opened = this.#open(path);
    const { file } = opened;
    const isNew = await file.readOn();
    if (isNew || opened.history?.unreadable !== file.unreadable) {
      opened.history = { turns: turns(file.lines), unreadable: file.unreadable };
    }
    return opened.history;
  }

  #open(path: string) {
    const opened = this.#files.get(path) ?? { file: new TranscriptLines(path), history: null };
    this.#files.delete(path);
    this.#files.set(path, opened);
    for (const old of [...this.#files.keys()].slice(0, -keptFiles)) this.#files.delete(old);
    return opened;
  }
}

/** Claude Code keeps what belongs to a session in a folder of its name. */
function subagentsOf(path: string): string {
  return join(path.replace(/\.jsonl$/, ''), 'subagents');
}

function isOfConversation(line: Line): boolean {
  return textOf(line.uuid) !== null;
}

async function aboutAgent(folder: string, id: string): Promise<Subagent> {
  try {
    const text = await readFile(join(folder, `agent-${id}.meta.json`), 'utf8');
    const { agentType = null, description = null, toolUseId = null } = metaSchema.parse(JSON.parse(text));
    return { id, toolCallId: toolUseId, type: agentType, description };
  } catch {
    return { id, toolCallId: null, type: null, description: null };
  }
}

/** A longer line is left out: what Claude Code writes stays below it, and memory is bounded. */
const longestLine = 64 * 1024 * 1024;
/** Bytes parsed before other work gets its turn: about 10 ms. */
const sliceBytes = 1024 * 1024;

/**
 * The lines of one transcript, read further as it grows. A line that is not whole yet waits for its end; one that can't
 * be read is left out and counted.
 */
class TranscriptLines {
  readonly path: string;
  readonly #lines: Line[] = [];
  #read = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #unreadable = 0;

  constructor(path: string) {
    this.path = path;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** How many lines were broken. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Reads what was added. False: nothing was. Rejects with Node's error where the file can't be read. */
  async readOn(): Promise<boolean> {
    const { size } = await stat(this.path);
    if (size < this.#read) this.#beginAnew();
    if (size === this.#read) return false;
    const before = this.#lines.length;
    let slice = 0;
    const stream = createReadStream(this.path, { start: this.#read, end: size - 1, highWaterMark: 256 * 1024 });
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      this.#read += chunk.length;
      this.#take(chunk);
      slice += chunk.length;
      if (slice >= sliceBytes) {
        slice = 0;
        await nextTurn();
      }
    }
    return this.#lines.length !== before;
  }

  /** Starts again with another file. */
  #beginAnew(): void {
    this.#lines.length = 0;
    this.#read = 0;
    this.#unreadable = 0;
    this.#letGo();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const part = chunk.subarray(from, end);
      from = end + 1;
      if (this.#restBytes + part.length > longestLine) this.#unreadable += 1;
      else this.#add(this.#rest.length === 0 ? part : Buffer.concat([...this.#rest, part]));
      this.#letGo();
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) return;
    this.#restBytes += rest.length;
    if (this.#restBytes <= longestLine) this.#rest.push(Buffer.from(rest));
    else this.#rest = [];
  }

  #letGo(): void {
    this.#rest = [];
    this.#restBytes = 0;
  }

  #add(bytes: Buffer): void {
    const text = bytes.toString('utf8').trimEnd();
    if (text === '') return;
    const line = readLine(text);
    if (line !== null) this.#lines.push(line);
    else if (!isJsonBeginning(text)) this.#unreadable += 1;
  }
}

/** Whether a line that could not be read is a whole object all the same, and so of no interest, not damaged. */
function isJsonBeginning(text: string): boolean {
  return text.startsWith('{"type":"') && text.endsWith('}');
}
