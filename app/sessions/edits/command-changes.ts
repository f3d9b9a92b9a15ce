import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Clock, Log } from '../../ports.ts';
import { askGit, folderFiles, type GitSurroundings, workingState } from '../folders/git.ts';
import { plainText, readOnDisk } from './guarded-file.ts';
import type { LineCounts, SessionEdits } from './session-edits.ts';
import { countLines } from './three-way.ts';

/*
 * What commands of an agent changed: the session's folder is looked at before each and after it. What git ignores is
 * left out. A folder of few files is read whole. Of a larger one git says what differs from its last commit, which is
 * asked only in trusted folders: git may run programs that the repository names.
 */

/** A folder with more files, or more bytes in them, is not read whole. */
const mostFiles = 4_000;
const mostBytes = 16_000_000;
/** Larger files are listed without a difference. */
const largestRead = 1_000_000;
/** Of one command no more are listed. */
const mostChanged = 500;
const lookedAtOnce = 32;
/** The lines of what changed are counted for so long in all, in ms. */
const countingMs = 200;
/** Between two looks, most of the time is for other work. */
const longestPauseMs = 2_000;
/** A file system's clock may be behind by some ms. */
const clockLagMs = 20;

/** `undefined`: no text, or too large. */
type Version = string | null | undefined;

/** A file as it was at a look. */
interface Seen {
  /** Another one: it was written since. */
  stamp: string;
  text: Version;
  /** Permissions; null if there is no file. */
  mode: number | null;
  /** When it was written, renamed or made, in ms since the epoch. */
  changedAt: number;
}

interface Look {
  /** When it began, in ms since the epoch. */
  at: number;
  /** By absolute path. */
  files: ReadonlyMap<string, Seen>;
  /** Of git: the last commit and the root. Null where the folder was read whole. */
  git: { root: string; commit: string } | null;
}

/** A file that isn't as it was at the look before. */
interface Differing {
  path: string;
  was: Seen | undefined;
  is: Seen;
}

interface CommandChangesDependencies {
  edits: SessionEdits;
  folder(): string;
  /** May git be asked what changed? */
  isTrusted(folder: string): Promise<boolean>;
  git: GitSurroundings;
  clock: Clock;
  log: Log;
}

export class CommandChanges {
  readonly #given: CommandChangesDependencies;
  /** Commands under way, with their turns, and those that ended since the last look. */
  readonly #running = new Map<string, string | null>();
  readonly #ended = new Map<string, string | null>();
  /** Commands that ran while another one did: what changed meanwhile is no single one's. */
  readonly #together = new Set<string>();
  /** How the folder was before those under way; null: not known. */
  #before: Look | null = null;
  #isTurnOver = false;
  /** Who waits for the next look. */
  #waiting: (() => void)[] = [];
  #isLooking = false;

  constructor(given: CommandChangesDependencies) {
    this.#given = given;
  }

  /** Resolves when the folder was looked at. Never rejects. */
  async begins(toolCallId: string, turnId: string | null): Promise<void> {
    const isFirst = this.#running.size === 0;
    this.#isTurnOver = false;
    const others = [...this.#running.keys(), ...this.#ended.keys()].filter((other) => other !== toolCallId);
    if (others.length > 0) for (const one of [...others, toolCallId]) this.#together.add(one);
    this.#running.set(toolCallId, turnId);
    if (isFirst) await this.#nextLook();
  }

  /** It doesn't run, or not yet. */
  notRun(toolCallId: string): void {
    this.#running.delete(toolCallId);
  }

  /** Does nothing for a call that did not begin. Never rejects. */
  async ended(toolCallId: string): Promise<void> {
    const turnId = this.#running.get(toolCallId) ?? null;
    if (!this.#running.delete(toolCallId)) return;
    this.#ended.set(toolCallId, turnId);
    await this.#nextLook();
  }

  /** Commands that were cut off have ended, and no text of the folder is held until the next one. */
  async turnEnded(): Promise<void> {
    this.#isTurnOver = true;
    await Promise.all([...this.#running.keys()].map((toolCallId) => this.ended(toolCallId)));
    if (this.#running.size === 0) this.#together.clear();
    if (!this.#isLooking && this.#running.size === 0) this.#before = null;
  }

  /** Commands that follow each other quickly have one look together. */
  #nextLook(): Promise<void> {
    const looked = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!this.#isLooking) void this.#lookOn();
    return looked;
  }

  async #lookOn(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.length > 0) {
      const [waiting, ended, began] = [this.#waiting, [...this.#ended], performance.now()];
      this.#waiting = [];
      this.#ended.clear();
      try {
        const before = this.#before;
        const now = await this.#look(before);
        this.#before = now;
        if (before !== null && now !== null && ended.length > 0) await this.#compare(before, now, ended);
      } catch (error) {
        this.#before = null;
        this.#given.log.write('warn', 'session.command-changes', { error: String(error) });
      }
      for (const resolve of waiting) resolve();
      if (this.#waiting.length > 0) await setTimeout(Math.min(longestPauseMs, 4 * (performance.now() - began)));
    }
    this.#isLooking = false;
    if (this.#isTurnOver && this.#running.size === 0) this.#before = null;
  }

  /** Null where that takes too long, or isn't allowed. */
  async #look(last: Look | null): Promise<Look | null> {
    const at = this.#given.clock.now();
    const folder = this.#given.folder();
    const listed = await folderFiles(folder, this.#given.git);
    if (listed.isWhole && listed.files.length <= mostFiles) {
      const files = await seen(folder, listed.files, last?.files ?? new Map());
      if (files !== null) return { at, files, git: null };
    }
    if (!(await this.#given.isTrusted(folder))) return null;
    const state = await workingState(folder, this.#given.git);
    if (state === null || state.differing.length > mostFiles) return null;
    const files = await seen(state.root, state.differing, last?.files ?? new Map());
    return files === null ? null : { at, files, git: state };
  }

  async #compare(before: Look, after: Look, ended: readonly [string, string | null][]): Promise<void> {
    const [toolCallId, turnId] = ended.at(-1) ?? [];
    if (toolCallId === undefined || (before.git === null) !== (after.git === null)) return;
    const { edits } = this.#given;
    const reported = edits.reportedSince(before.at);
    const paths = new Set([...before.files.keys(), ...after.files.keys(), ...(await this.#committed(before, after))]);
    const differing: Differing[] = [];
    for (const path of paths) {
      const was = before.files.get(path);
      // One that is listed no more may be committed, or ignored by git now.
      const is = after.files.get(path) ?? (await see(path, was));
      if (was?.stamp === is.stamp) continue;
      differing.push({ path, was, is });
    }
    const versionOf = async ({ was, path }: Differing): Promise<Version> =>
      was === undefined ? await this.#unchanged(before, path) : was.text;
    const gone = new Map<Differing, Version>();
    for (const one of differing) {
      if (one.is.text === null && gone.size < mostChanged) gone.set(one, await versionOf(one));
    }
    let count = 0;
    const isAlone = ended.every(([one]) => one === toolCallId && !this.#together.has(one));
    const lines = isAlone ? new LineSum() : null;
    for (const one of differing) {
      const { path, was, is } = one;
      // One that is listed only now may have been ignored before, unless it came with a folder that was renamed.
      const isOld = was === undefined && is.text !== null && is.changedAt < before.at - clockLagMs;
      if (isOld && ![...gone].some(([from, version]) => isMoved(from, version, one))) continue;
      if (count === mostChanged) return;
      const versions = {
        before: gone.has(one) ? gone.get(one) : await versionOf(one),
        after: is.text,
        mode: was?.mode ?? null,
      };
      const changed = edits.changedByCommand({ toolCallId, path, ...versions }, turnId ?? null, reported.get(path));
      if (changed === null) continue;
      count += 1;
      lines?.add(changed.from, is.text);
    }
    edits.followed(ended, lines?.all ?? null);
  }

  /** What another commit differs in, that is the last one now. */
  async #committed(before: Look, after: Look): Promise<string[]> {
    if (before.git === null || after.git === null || before.git.commit === after.git.commit) return [];
    const { root } = before.git;
    const command = ['diff-tree', '-r', '--name-only', '--no-renames', '-z', before.git.commit, after.git.commit];
    const names = (await askGit(root, command, this.#given.git)) ?? '';
    return names.split('\0').flatMap((name) => (name === '' ? [] : [join(root, name)]));
  }

  /** A file that did not differ from the last commit then; null: there was none. */
  async #unchanged({ git }: Look, path: string): Promise<Version> {
    if (git === null) return null;
    const name = path.slice(git.root.length + 1);
    const text = await askGit(git.root, ['cat-file', '--filters', `${git.commit}:${name}`], this.#given.git);
    if (text === null) return null;
    return text.length > largestRead || /[\0\ufffd]/.test(text) ? undefined : plainText(text).text;
  }
}

/** How many lines differ in several files. */
class LineSum {
  #sum: LineCounts | null = { added: 0, removed: 0 };
  #msLeft = countingMs;

  add(from: Version, to: Version): void {
    if (this.#sum === null) return;
    const began = performance.now();
    const isText = from !== undefined && to !== undefined && this.#msLeft > 0;
    const { added, removed } = isText ? countLines(from, to, this.#msLeft) : { added: 0, removed: 0 };
    this.#msLeft -= performance.now() - began;
    // Of an empty file that came or went nothing is to be counted; else it took too long.
    const isKnown = added + removed > 0 || (isText && (from ?? '') === (to ?? ''));
    this.#sum = isKnown ? { added: this.#sum.added + added, removed: this.#sum.removed + removed } : null;
  }

  /** Null: nothing changed, or not all of it is known. */
  get all(): LineCounts | null {
    return this.#sum !== null && this.#sum.added + this.#sum.removed > 0 ? this.#sum : null;
  }
}

/** Whether a file that is gone, with its last version, is the one that is at another path now. */
function isMoved(gone: Differing, version: Version, { path, is }: Differing): boolean {
  if (basename(gone.path) !== basename(path)) return false;
  return gone.was?.stamp === is.stamp || (typeof is.text === 'string' && version === is.text);
}

/** Null where their bytes are too many. What has not changed since an earlier look is not read again. */
async function seen(
  folder: string,
  names: readonly string[],
  known: ReadonlyMap<string, Seen>,
): Promise<Map<string, Seen> | null> {
  const files = new Map<string, Seen>();
  const left = [...names];
  let bytes = 0;
  const work = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined && bytes <= mostBytes; name = left.pop()) {
      const path = join(folder, name);
      const file = await see(path, known.get(path));
      files.set(path, file);
      bytes += file.text?.length ?? 0;
    }
  };
  await Promise.all(Array.from({ length: lookedAtOnce }, work));
  return bytes > mostBytes ? null : files;
}

async function see(path: string, known?: Seen): Promise<Seen> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  if (found === null) return { stamp: 'gone', text: null, mode: null, changedAt: 0 };
  const stamp = `${found.mtimeNs} ${found.ctimeNs} ${found.size} ${found.ino}`;
  if (known?.stamp === stamp) return known;
  const mode = Number(found.mode & 0o777n);
  return {
    stamp,
    mode,
    changedAt: Number(found.ctimeMs),
    text: found.size > largestRead ? undefined : await textOf(path),
  };
}

async function textOf(path: string): Promise<Version> {
  const file = await readOnDisk(path).catch(() => null);
  return file === null ? undefined : file.text;
}
