import classNames from 'classnames/bind';
import { useLayoutEffect, useState } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { isPlainCommand } from '../../../app/words/session-questions.ts';
import { oneLine } from '../../../app/words/text.ts';
import { readPermission, warningsOf } from '../questions/asked.ts';
import styles from './session-list.module.css';

const css = classNames.bind(styles);

/** A command that a person can judge in a row of the list. */
export interface ShortQuestion {
  question: SessionQuestion;
  command: string;
  /** Lines that it takes there. */
  lines: number;
}

const mostLines = 2;

/**
 * The question of a session, where it is its only one, asks for a command, and all that the card would say of it stands
 * in the row. Null if it has to be looked at.
 *
 * @param columns so many characters a line of the row takes
 */
export function shortQuestion(questions: readonly SessionQuestion[], columns: number): ShortQuestion | null {
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0 || question.kind !== 'permission') return null;
  const { subject, rest } = readPermission(question);
  if (subject.kind !== 'command' || subject.isInBackground || Object.keys(rest).length > 0) return null;
  const { command } = subject;
  if (warningsOf(subject).length > 0 || !isPlainCommand(command)) return null;
  const lines = linesOf(command, columns);
  return lines > mostLines ? null : { question, command, lines };
}

/** Longest command in one line. */
const mostOfCommand = 400;

/** The command that is asked for, in one line; null of all other questions, and of several. Not to be judged by it. */
export function commandIn([question, ...others]: readonly SessionQuestion[]): string | null {
  if (question?.kind !== 'permission' || others.length > 0) return null;
  const { subject } = readPermission(question);
  return subject.kind === 'command' ? oneLine(subject.command, mostOfCommand) : null;
}

/** Counts lines as the row breaks them: between words, and within a word that is longer than a line. */
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

/** Heights of rows in CSS pixels. */
const heights = { group: 28, row: 48, older: 30 } as const;
/** Between the two lines of a row and what it asks, and below that. */
const space = 6;
const buttons = 24;
const commandFrame = 14;
const commandLine = 16;

/** How tall an entry of the list is; a row that can be answered there holds the command and its buttons. */
export function entryHeight(kind: keyof typeof heights, asks: ShortQuestion | 'look' | null): number {
  if (asks === null) return heights[kind];
  if (asks === 'look') return heights[kind] + buttons + space;
  return heights[kind] + asks.lines * commandLine + commandFrame + buttons + space;
}

/** Left and right of a command in a row: the sign before it, its frame, the end of the row. */
const besidePx = 74;

/** Letters of a command that fit one line of a row, at most one too few. 0 before the layout. */
export function useColumns(list: HTMLElement | null): number {
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    if (list === null) return;
    const measure = (): void => setColumns(Math.floor((list.clientWidth - besidePx) / letterWidth(list)) - 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [list]);
  return columns;
}

/** Width of a command's letters, whatever style the person uses. */
function letterWidth(list: HTMLElement): number {
  const probe = document.createElement('span');
  probe.className = css('answer-command', 'mono', 'probe');
  probe.textContent = '0'.repeat(100);
  list.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return Math.max(1, width);
}
