import { go } from 'fuzzysort';
import type { Lines } from './draft.ts';

/** `@path`, `@path:12`, `@path:12-88` in a text. */
interface Mention {
  /** Path as it is written, without lines; a folder ends with `/`. */
  path: string;
  lines: Lines | null;
  /** Places in the text; `end` is behind it. */
  start: number;
  end: number;
}

const mentioned = /(?<=^|\s)@("([^"\n]+)"|[^\s"]+)/g;
const withLines = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/;

/** All of a text, also those that name no file. A comma or full stop at the end of a word isn't part of it. */
export function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(mentioned)].flatMap((match) => {
    const quoted = match[2];
    const written = quoted ?? (match[1] ?? '').replace(/[.,;:!?)\]]+$/, '');
    if (written === '') return [];
    const end = match.index + 1 + (quoted === undefined ? written.length : written.length + 2);
    return [{ ...readPath(written), start: match.index, end }];
  });
}

/** `src/a.ts:12-88` */
export function readPath(written: string): Pick<Mention, 'path' | 'lines'> {
  const [, path, from, to] = withLines.exec(written) ?? [];
  if (path === undefined || from === undefined) return { path: written, lines: null };
  const ends = [Number(from), Number(to ?? from)];
  return { path, lines: { from: Math.max(1, Math.min(...ends)), to: Math.max(1, ...ends) } };
}

/** `src/a.ts:12-88`, `src/a.ts:12`, `src/a.ts` */
export function pathWords(path: string, lines: Lines | null): string {
  if (lines === null) return path;
  return lines.from === lines.to ? `${path}:${lines.from}` : `${path}:${lines.from}-${lines.to}`;
}

export interface Typed {
  /** Offset of the sign that began it. */
  start: number;
  /** What was typed after the sign. */
  query: string;
}

/** The mention that is being typed, with the caret at its end. */
export function typedMention(text: string, caret: number): Typed | null {
  const before = text.slice(0, caret);
  const match = /(?:^|\s)@("[^"\n]*|[^\s"]*)$/.exec(before);
  const query = match?.[1];
  if (query === undefined || /\S/.test(text.slice(caret, caret + 1))) return null;
  return { start: caret - query.length - 1, query: query.replace(/^"/, '') };
}

/** The command that is being typed at the beginning of the text. */
export function typedCommand(text: string, caret: number): Typed | null {
  const match = /^\/(\S*)$/.exec(text.slice(0, caret));
  const query = match?.[1];
  if (query === undefined || /\S/.test(text.slice(caret, caret + 1)) || query.includes('/')) return null;
  return { start: 0, query };
}

/** A path that was chosen stands in place of what was typed; the caret stands behind it, within an open folder. */
export function withMention(text: string, typed: Typed, path: string): { text: string; caret: number } {
  const isQuoted = /[\s"]/.test(path);
  const written = isQuoted ? `@"${path.replaceAll('"', '')}"` : `@${path}`;
  const quotes = text.startsWith('"', typed.start + 1) ? 1 : 0;
  const rest = text.slice(typed.start + 1 + quotes + typed.query.length);
  const gap = path.endsWith('/') && !isQuoted ? '' : ' ';
  const behind = gap === ' ' && rest.startsWith(' ') ? rest.slice(1) : rest;
  const before = text.slice(0, typed.start) + written + gap;
  return { text: before + behind, caret: before.length };
}

const mostShown = 12;

/** Folders that hold the files, each with a `/` at its end, and the files. */
export function pathsOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...files];
}

/**
 * Files and folders for what was typed after `@`, the best first; lines that were typed go along. Nothing typed: what
 * lies at the top.
 */
export function findPaths(paths: readonly string[], query: string): string[] {
  const { path, lines } = readPath(query.replaceAll('\\', '/'));
  if (path === '') return paths.filter(isAtTop).slice(0, mostShown);
  const within = path.endsWith('/')
    ? paths.filter((one) => one.startsWith(path) && one !== path).filter(isBelow(path))
    : [];
  const found =
    within.length > 0 ? within : go(path, paths, { limit: mostShown, threshold: 0.2 }).map(({ target }) => target);
  const typed = lines === null ? '' : query.slice(path.length);
  return found.slice(0, mostShown).map((one) => (one.endsWith('/') ? one : `${one}${typed}`));
}

function isAtTop(path: string): boolean {
  const slash = path.indexOf('/');
  return slash === -1 || slash === path.length - 1;
}

function isBelow(folder: string): (path: string) => boolean {
  return (path) => isAtTop(path.slice(folder.length));
}
