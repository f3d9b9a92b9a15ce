import type { Comment, CommentedLine } from '../composer/draft.ts';
import { shownPath } from '../paths.ts';
import { type CommentPlace, linesWords } from './review-lines.ts';

/**
 * Where a comment's lines are when it is sent. `written`: where they were, but something else than the agent wrote the
 * file since. `unknown`: that couldn't be found out.
 */
export type PlaceNow = CommentPlace | { state: 'written' | 'unknown' };

const signs = { added: '+', removed: '-', same: ' ' } as const;

/** The comments with words in them. */
export function writtenComments<One extends { kind: string }>(attachments: readonly One[]): Extract<One, Comment>[] {
  return attachments.filter(
    (one): one is Extract<One, Comment> => one.kind === 'comment' && 'text' in one && String(one.text).trim() !== '',
  );
}

/** One comment as a message has it: the file, the lines as they were, and the words. */
export function commentText({ path, lines, text }: Comment, cwd: string, now: PlaceNow): string {
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => 1 + longestTicks(line.text))));
  const quoted = lines.map(({ look, text: words }) => `${signs[look]}${words}`.trimEnd());
  return [
    `${shownPath(path, cwd)}, ${linesWords(lines)}${nowWords(lines, now)}:`,
    `${fence}diff`,
    ...quoted,
    fence,
    text.trim(),
  ].join('\n');
}

function nowWords(lines: readonly CommentedLine[], now: PlaceNow): string {
  if (now.state === 'written') return ' (the file was changed elsewhere since)';
  if (now.state === 'gone') return ' (changed since this comment was written)';
  if (now.state !== 'moved' || linesWords(now.lines) === linesWords(lines)) return '';
  return ` (now ${linesWords(now.lines)})`;
}

const longestTicks = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));

/** All comments of a message, below its words. Empty if there are none. */
export function commentsText(
  attachments: readonly { kind: string }[],
  cwd: string,
  placeOf: (id: string) => PlaceNow,
): string {
  const comments = writtenComments(attachments as readonly (Comment | { kind: 'other' })[]);
  if (comments.length === 0) return '';
  const heading = comments.length === 1 ? 'A comment on the changes:' : `${comments.length} comments on the changes:`;
  return [heading, ...comments.map((comment) => commentText(comment, cwd, placeOf(comment.id)))].join('\n\n');
}
