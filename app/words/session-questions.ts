import type { SessionQuestion } from '../api/sessions.ts';
import { t } from '../language/translate.ts';
import { mcpTool, toolKindOf } from './agents.ts';
import { oneLine } from './text.ts';

/** What a session waits for, in words without a path, command or prompt, because the tray shows them too. */

/** Longest name of a tool, a server or a heading. */
const mostOfName = 40;

type AskedQuestion = Pick<SessionQuestion, 'kind' | 'child' | 'request'>;

/** The subject of a question. It is put into words where it is shown, because the language may change later. */
export interface AskedFor {
  what: Purpose | 'answer' | 'plan' | 'named';
  /** Name of a tool or its server; empty for all that is not `named`. */
  name: string;
}

type Purpose = 'command' | 'write' | 'edit' | 'read' | 'search' | 'web' | 'page' | 'skill' | 'subagent' | 'tool';

/**
 * Behind a session's name: `asks to run a command`, `asks a question`, `asks about its plan`.
 * @param session with this name before it: `parcel-api asks to run a command`
 */
export function asksOf(asked: AskedFor, session: string | null): string {
  return session === null ? asksIn(asked, 'session') : asksIn(asked, 'full', session);
}

/** @param who `full`: with the session's name; `session`: behind it; `line`: alone; `subagent`: with that word */
function asksIn({ what, name }: AskedFor, who: 'full' | 'session' | 'line' | 'subagent', session = ''): string {
  return t(
    '{who, select, full {{session} asks} session {asks} line {Asks} other {Subagent asks}} {what, select, answer {a question} plan {about its plan} named {to use {name}} command {to run a command} write {to write a file} edit {to edit a file} read {to read a file} search {to search files} web {to search the web} page {to fetch a page} skill {to use a skill} subagent {to start a subagent} other {to use a tool}}',
    { who, what, name, session },
  );
}

/** `1 session waits for you`, `2 sessions wait for you` */
export function waitingWords(count: number): string {
  return t('{count, plural, one {# session waits} other {# sessions wait}} for you', { count });
}

/** A row's second line: `Asks to run a command and 2 more`, `Asks: Menu, Browsers`, `Subagent asks to edit a file`. */
export function asksWords(questions: readonly AskedQuestion[]): string {
  const [first] = questions;
  if (first === undefined) return t('Asks a question');
  const more = questions.length - 1;
  return more === 0 ? firstWords(first) : t('{asks} and {more} more', { asks: firstWords(first), more });
}

function firstWords(question: AskedQuestion): string {
  const who = question.child === null ? 'line' : 'subagent';
  const headings = question.kind === 'form' ? headingsOf(question.request) : [];
  return headings.length > 0
    ? t('{who, select, line {Asks} other {Subagent asks}}: {headings}', { who, headings: headings.join(', ') })
    : asksIn(askedFor(question), who);
}

export function askedFor({ kind, request }: Pick<AskedQuestion, 'kind' | 'request'>): AskedFor {
  return kind === 'form' ? unnamed('answer') : wantedBy(request);
}

const unnamed = (what: AskedFor['what']): AskedFor => ({ what, name: '' });
const named = (name: string): AskedFor => ({ what: 'named', name: oneLine(name, mostOfName) });

function wantedBy(request: unknown): AskedFor {
  const call = field(request, 'toolCall');
  const reported = field(field(field(call, '_meta'), 'claudeCode'), 'toolName') ?? field(call, 'name');
  const tool = typeof reported === 'string' ? reported : '';
  const server = mcpTool(tool);
  if (server !== null) return named(server.server);
  const protocolKind = field(call, 'kind');
  const kind = toolKindOf(tool, typeof protocolKind === 'string' ? protocolKind : null);
  switch (kind) {
    case 'shell':
      return unnamed('command');
    case 'edit':
    case 'notebook':
      return unnamed('edit');
    case 'web':
      return unnamed(tool === 'WebSearch' ? 'web' : 'page');
    case 'write':
    case 'read':
    case 'search':
    case 'skill':
    case 'subagent':
    case 'plan':
      return unnamed(kind);
    default:
      return tool === '' ? unnamed('tool') : named(tool);
  }
}

/** The headings of a form's fields, without those for words of one's own. */
function headingsOf(request: unknown): string[] {
  const properties = field(field(request, 'requestedSchema'), 'properties');
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([name, one]: [string, unknown]) => {
    const title = field(one, 'title');
    return typeof title === 'string' && !name.endsWith('_custom') ? [oneLine(title, mostOfName)] : [];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Parts of a command that are easily overlooked, and whether a notification can show all of it. */

export const becomesRoot = /(^|[\s;&|(`'"])(sudo|doas|pkexec|run0)(\s|$)/;
export const deletes =
  /(^|[\s;&|(`'"/\\])(rm|rmdir|unlink|shred|Remove-Item)(\s|$)|\bfind\s.*\s-delete\b|\bgit\s(.*\s)?(clean|rm)(\s|$)/;
export const discards =
  /\bgit\s(.*\s)?(reset\s(.*\s)?--hard\b|(checkout|restore)\s(.*\s)?\.(\s|$)|stash\s+(drop|clear)\b)/;

/** True if every sign of a command is what it looks like, and none gets lost where lines are broken. */
export function isPlainCommand(command: string): boolean {
  return /^[ -~\n]+$/.test(command) && !/[ \n]$| {2}/.test(command);
}

/** Desktops cut what is longer. */
const mostLetters = 60;
/** Any other input would have to be shown as well. */
const shownInputs = new Set(['command', 'description']);

/**
 * The command of a question that can be answered from a notification, which shows all of it: one plain line that
 * deletes nothing, discards nothing and doesn't become root. Null for all that has to be read in the window: edits,
 * plans, forms, other tools, commands that are longer or run in some special way.
 */
export function notifiableCommand(question: Pick<SessionQuestion, 'kind' | 'request'>): string | null {
  if (question.kind !== 'permission' || askedFor(question).what !== 'command') return null;
  const input: unknown = Object(Object(Object(question.request).toolCall).rawInput);
  const { command } = input as { command?: unknown };
  if (typeof command !== 'string' || !Object.keys(Object(input)).every((name) => shownInputs.has(name))) return null;
  if (command.length > mostLetters || command.includes('\n') || !isPlainCommand(command)) return null;
  return [becomesRoot, deletes, discards].some((warned) => warned.test(command)) ? null : command;
}
