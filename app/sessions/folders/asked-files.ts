import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { AskedFile, AskedFiles } from '../../api/session-surroundings.ts';
import { isObject } from '../../formats/wire/json.ts';
import { askGit, type GitSurroundings } from './git.ts';
import { leadsAway } from './named-path.ts';

interface AskedFilesOf {
  /** The request of a waiting question. */
  request: unknown;
  cwd: string;
  directories: readonly string[];
  /** Where the agent keeps its plans; null: nowhere. */
  plans: string | null;
  /** What was answered before; null if nothing was. */
  version: string | null;
}

/** The files that an open question names, as they are on disk. Null: as they were at `version`. */
export async function askedFiles(
  { request, cwd, directories, plans, version }: AskedFilesOf,
  git: GitSurroundings,
): Promise<AskedFiles | null> {
  const asked = askedPaths(request);
  const withPlans = plans === null ? directories : [...directories, plans];
  const found = await Promise.all(
    asked.map(({ path, shows }) => findAskedFile(path, cwd, shows === 'plan' ? withPlans : directories)),
  );
  const now = JSON.stringify(found.map(({ real, state, stats }) => [real, state, `${stats?.mtimeNs} ${stats?.size}`]));
  if (now === version) return null;
  const files = await Promise.all(
    found.map(async (file, at) => ({
      named: asked[at]?.path ?? file.path,
      ...(await lookInto(file, asked[at]?.shows ?? 'there')),
      isUnknownToGit: await isUnknown(file, git),
    })),
  );
  return { version: now, files };
}

async function lookInto(
  found: FoundFile,
  shows: AskedPath['shows'],
): Promise<Omit<AskedFile, 'named' | 'isUnknownToGit'>> {
  const { path, real, isOutside, state, stats } = found;
  const modifiedAt = stats === null ? null : Number(stats.mtimeMs);
  const about = { path, leadsTo: real === path ? null : real, isOutside, modifiedAt };
  // Any file can be named as that of a plan.
  if (state !== 'there' || shows === 'there' || (shows === 'plan' && isOutside))
    return { ...about, state, text: null, lines: null };
  const text = await readAskedFile(found).catch(() => undefined);
  if (text === undefined) return { ...about, state: 'unreadable', text: null, lines: null };
  if (text === null) return { ...about, state: 'not-text', text: null, lines: null };
  return { ...about, state, text: shows === 'lines' ? null : text, lines: linesIn(text) };
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** True if a file is in a repository that does not track it, so that git could not restore it. */
async function isUnknown({ real, state, isOutside }: FoundFile, git: GitSurroundings): Promise<boolean> {
  if (isOutside || (state !== 'there' && state !== 'too-large')) return false;
  const folder = real.slice(0, Math.max(real.lastIndexOf('/'), real.lastIndexOf('\\'))) || '/';
  return (await askGit(folder, ['--literal-pathspecs', 'ls-files', '-z', '--', real], git)) === '';
}

/** Larger files are not read. */
export const largestAskedFile = 1_000_000;

/** A file that a question names, before it is read. */
interface FoundFile {
  /** Path in the question, made absolute. */
  path: string;
  /** Path with its links followed. */
  real: string;
  isOutside: boolean;
  state: Exclude<AskedFile['state'], 'not-text'>;
  /** Null if it isn't there, or is no file that may be looked at. */
  stats: BigIntStats | null;
}

/**
 * Finds a file that a question names, links and all; nothing of it is read. A path that leads to another machine is not
 * followed.
 */
export async function findAskedFile(
  path: string,
  cwd: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<FoundFile> {
  const named = resolve(cwd, path);
  if (leadsAway(path, platform) && !isBelowAny([cwd, ...folders], named)) {
    return { path: named, real: named, isOutside: true, state: 'unreadable', stats: null };
  }
  const roots = await Promise.all([cwd, ...folders].map((folder) => realpath(folder).catch(() => folder)));
  const real = await realPath(named).catch(() => null);
  if (real === null) {
    return { path: named, real: named, isOutside: !isBelowAny(roots, named), state: 'unreadable', stats: null };
  }
  const found = { path: named, real, isOutside: !isBelowAny(roots, real) };
  const stats = await lstat(real, { bigint: true }).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    const isMissing = stats.code === 'ENOENT' || stats.code === 'ENOTDIR';
    return { ...found, state: isMissing ? 'missing' : 'unreadable', stats: null };
  }
  if (!stats.isFile()) return { ...found, state: 'not-a-file', stats };
  return { ...found, state: stats.size > largestAskedFile ? 'too-large' : 'there', stats };
}

/** Also for paths that don't exist yet: links of their folder, and dangling links, are followed. */
async function realPath(path: string, depth = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || depth > 100 || dirname(path) === path) throw error;
  }
  const target = await readlink(path).catch(() => null);
  if (target !== null) return realPath(resolve(dirname(path), target), depth + 1);
  return join(await realPath(dirname(path), depth + 1), path.slice(dirname(path).length).replace(/^[\\/]/, ''));
}

function isBelowAny(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const below = relative(root, path);
    return !isAbsolute(below) && below.split(/[\\/]/, 1)[0] !== '..';
  });
}

/**
 * The text of a file that was found, as many bytes as it had then; null if it is no text. Rejects where it is another
 * file by now, or may not be read. What is no plain file is never opened: a device may do something by that.
 */
export async function readAskedFile({ real, stats }: FoundFile): Promise<string | null> {
  if (stats === null || !stats.isFile() || stats.size > largestAskedFile) throw new Error('It is no file to be read.');
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(real, flags);
  try {
    const now = await file.stat({ bigint: true });
    if (!now.isFile() || now.ino !== stats.ino || now.dev !== stats.dev) throw new Error('It is another file now.');
    const bytes = Buffer.alloc(Number(stats.size));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return textOf(bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}

/** Text with line feeds only, as agents read it. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}

/**
 * `text`: what is in it is shown. `plan`: the same, where it is the session's own or among its agent's plans. `lines`:
 * how many it has. `there`: whether it is there.
 */
type AskedPath = { path: string; shows: 'text' | 'plan' | 'lines' | 'there' };

const most = 20;

/**
 * The files that a permission question is about, as its request names them: those it would change and the file of a
 * plan with their text, one that is to be read by its lines, and what a command writes over.
 */
export function askedPaths(request: unknown): AskedPath[] {
  const call = fieldsOf(fieldsOf(request).toolCall);
  const input = fieldsOf(call.rawInput);
  const found: AskedPath[] = [];
  const add = (path: unknown, shows: AskedPath['shows']): void => {
    if (typeof path !== 'string' || path === '' || path.includes('\0')) return;
    if (found.length < most && !found.some((one) => one.path === path)) found.push({ path, shows });
  };
  for (const block of Array.isArray(call.content) ? call.content : []) {
    const { type, path } = fieldsOf(block);
    if (type === 'diff') add(path, 'text');
  }
  const named = input.file_path ?? input.notebook_path ?? input.path;
  if (call.kind === 'edit') add(named, 'text');
  else if (call.kind === 'switch_mode') add(planFile(request), 'plan');
  else if (call.kind === 'read' || call.kind === 'search') add(named, 'lines');
  else if (call.kind === 'execute' && typeof input.command === 'string' && input.command.length <= 20_000) {
    for (const path of overwrittenBy(input.command)) add(path, 'there');
  }
  return found;
}

/** Path of the plan that a request asks about, in words; null if there is none. */
export function planFile(request: unknown): string | null {
  const { kind, rawInput } = fieldsOf(fieldsOf(request).toolCall);
  const { planFilePath } = fieldsOf(rawInput);
  return kind === 'switch_mode' && typeof planFilePath === 'string' && /\.md$/.test(planFilePath) ? planFilePath : null;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A word with its quotes taken off; null: only the shell knows what it becomes. */
type Token = { word: string | null } | { sign: string };

const signs = /^(?:\d*>>|&>>|\d*>\||\d*>&|\d*<&|\d*<>|\d*>|&>|<<<|<<-?|\d*<|&&|\|\||\|&|[;&|()\n])/;
const ends: ReadonlySet<string> = new Set([';', '&', '&&', '|', '||', '|&', '(', ')', '\n']);
/** Characters that only the shell can resolve if they are not quoted. */
const unknowable = /[$`*?[\]{}!~]/;

/**
 * Files that a shell would write over, as far as the words of its command say: redirections, `tee`, `cp` and `mv`. What
 * only the shell knows (variables, patterns, what follows a `cd`) is left out, so that none found says nothing.
 */
export function overwrittenBy(command: string): string[] {
  const found = new Set<string>();
  let words: (string | null)[] = [];
  let isElsewhere = false;
  const add = (path: string | null | undefined): void => {
    if (path == null || path === '' || (isElsewhere && !path.startsWith('/'))) return;
    found.add(path);
  };
  const finish = (): void => {
    const [program, ...given] = words.slice(words.findIndex((word) => word === null || !/^\w+=/.test(word)));
    words = [];
    if (program === 'cd' || program === 'pushd' || program === 'popd') isElsewhere = true;
    else for (const path of writtenBy(program ?? '', given)) add(path);
  };
  const tokens = tokensOf(command);
  for (const [at, token] of tokens.entries()) {
    if ('word' in token) words.push(token.word);
    else if (ends.has(token.sign)) finish();
    else {
      // The word behind it is no word of the command.
      const next = tokens[at + 1];
      if (next === undefined || !('word' in next)) continue;
      if (/^(\d*>\|?|&>)$/.test(token.sign)) add(next.word);
      tokens.splice(at + 1, 1);
    }
  }
  finish();
  return [...found];
}

function writtenBy(program: string, given: readonly (string | null)[]): (string | null)[] {
  const isSwitch = (word: string | null): boolean => word?.startsWith('-') === true;
  const switches = given.filter(isSwitch).join(' ');
  const named = given.filter((word) => !isSwitch(word));
  if (program === 'tee') return /(^| )(-\w*a|--append)/.test(switches) ? [] : named;
  if (program !== 'cp' && program !== 'mv') return [];
  const target = named.at(-1);
  // With these it writes over nothing, or the target stands elsewhere.
  if (named.length < 2 || target == null || /(^| )(-\w*[ntTu]|--(no-clobber|target|no-target|update))/.test(switches))
    return [];
  const sources = named.slice(0, -1);
  const below = sources.map((source) => (source === null ? null : `${target}/${source.split('/').at(-1)}`));
  return sources.length === 1 ? [target, ...below] : below;
}

function tokensOf(command: string): Token[] {
  const tokens: Token[] = [];
  let rest = command;
  while (rest !== '') {
    const space = /^(?:[ \t\r]|\\\n|#.*)+/.exec(rest)?.[0];
    const sign = signs.exec(rest)?.[0];
    if (space !== undefined) rest = rest.slice(space.length);
    else if (sign?.startsWith('<<') && sign !== '<<<') {
      // A text follows in later lines, in which no sign means anything.
      rest = /^[^\n]*/.exec(rest.slice(sign.length))?.[0] ?? '';
    } else if (sign !== undefined) {
      tokens.push({ sign });
      rest = rest.slice(sign.length);
    } else {
      const [word, length] = wordIn(rest);
      tokens.push({ word });
      rest = rest.slice(length);
    }
  }
  return tokens;
}

function wordIn(text: string): [word: string | null, length: number] {
  let word = '';
  let isKnown = true;
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const single = /^'([^']*)'/.exec(rest);
    const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
    const [character = ''] = rest;
    if (single !== null) {
      word += single[1];
      at += single[0].length;
    } else if (double !== null) {
      if (/[$`\\]/.test(double[1] ?? '')) isKnown = false;
      word += double[1];
      at += double[0].length;
    } else if (character === '\\') {
      word += rest[1] ?? '';
      at += 2;
    } else if (/[\s;&|()<>]/.test(character)) break;
    else {
      if (unknowable.test(character) || character === '"' || character === "'") isKnown = false;
      word += character;
      at += 1;
    }
  }
  return [isKnown ? word : null, Math.max(1, at)];
}
