import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { readPermission } from '../questions/asked.ts';
import { warningsOf } from '../questions/command-facts.ts';

/** A command that a person can judge in a row of the list. */
export interface ShortQuestion {
  question: SessionQuestion;
  command: string;
  /** So many it takes there. */
  lines: number;
}

const mostLines = 2;
/** Every sign of it is what it looks like, and as wide as the others. */
const plain = /^[ -~\n]+$/;

/**
 * The question of a session, where it is its only one, asks for a command, and all that the card would say of it stands
 * in the row. Null: it has to be looked at.
 *
 * @param columns so many characters a line of the row takes
 */
export function shortQuestion(questions: readonly SessionQuestion[], columns: number): ShortQuestion | null {
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0 || question.kind !== 'permission') return null;
  const { subject, rest } = readPermission(question);
  if (subject.kind !== 'command' || subject.isInBackground || Object.keys(rest).length > 0) return null;
  const { command } = subject;
  if (warningsOf(subject).length > 0 || !plain.test(command) || /[ \n]$| {2}/.test(command)) return null;
  const lines = linesOf(command, columns);
  return lines > mostLines ? null : { question, command, lines };
}

/** As the row breaks it: between words, and within a word that is longer than a line. */
export function linesOf(text: string, columns: number): number {
  if (columns < 1) return Number.POSITIVE_INFINITY;
  return text.split('\n').reduce((sum, line) => sum + wrapped(line, columns), 0);
}

function wrapped(line: string, columns: number): number {
  let lines = 1;
  let used = 0;
  for (const word of line.split(' ')) {
    const after = used === 0 ? word.length : used + 1 + word.length;
    if (after <= columns) used = after;
    else {
      if (used > 0) lines += 1;
      lines += Math.ceil(word.length / columns) - 1;
      used = word.length % columns === 0 ? columns : word.length % columns;
    }
  }
  return lines;
}
