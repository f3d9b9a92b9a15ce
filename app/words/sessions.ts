import type { ListedSession } from '../api/session-list.ts';
import type { Session, SessionQuestion } from '../api/sessions.ts';
import { oneLine } from './text.ts';
import { clockTime } from './times.ts';
import { mcpTool, toolKindOf } from './tool-kind.ts';

/** Of a prompt, which is no title. A title is cut where there is no room for it. */
const longestPrompt = 60;

const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The label of a hosted session: its key carries its id. */
export function isSessionLabel(client: string): boolean {
  return sessionId.test(client);
}

/** What a session is called: as its person named it, else as the agent did, else how it began. */
export function sessionTitle(session: Pick<ListedSession, 'id' | 'title' | 'agentTitle' | 'firstPrompt'>): string {
  const { id, title, agentTitle, firstPrompt } = session;
  const given = title ?? agentTitle;
  const named = given === null ? cut(oneLine(firstPrompt ?? '')) : oneLine(given);
  return named === '' ? `Session ${id.slice(0, 8)}` : named;
}

export type CopyKind = 'fork' | 'before going back';
const copyEnd = /, (?:fork|before going back)(?: \d+)?$/;

/** A title in two: what a copy's ends with says which it is, and is seen also where there is little room. */
export function titleParts(title: string): [name: string, copy: string] {
  const at = copyEnd.exec(title)?.index ?? title.length;
  return [title.slice(0, at), title.slice(at)];
}

/** What a copy is called: `Retries, fork`, and `Retries, fork 2` where there is one; so are its copies. */
export function copyTitle(title: string, kind: CopyKind, taken: ReadonlySet<string>): string {
  const first = `${titleParts(title)[0]}, ${kind}`;
  let free = first;
  for (let number = 2; taken.has(free); number += 1) free = `${first} ${number}`;
  return free;
}

function cut(prompt: string): string {
  const characters = [...prompt];
  if (characters.length <= longestPrompt) return prompt;
  const start = characters.slice(0, longestPrompt - 1).join('');
  return `${start.trimEnd()}…`;
}

const busyStates: ReadonlySet<Session['state']> = new Set(['starting', 'in-line', 'running', 'stopping']);

/** Works by itself: no person is waited for. */
export function isWorking({ state, tasks }: Pick<Session, 'state' | 'tasks'>): boolean {
  return busyStates.has(state) || (state !== 'waiting' && tasks.length > 0);
}

/** Queued messages are sent by themselves: the end of its turn is not the end of its work. */
export function hasNext({ queue, isQueuePaused }: Pick<Session, 'queue' | 'isQueuePaused'>): boolean {
  return queue.length > 0 && !isQueuePaused;
}

/** Something of it is cut off where Jumpseat ends: a turn, what runs in the background, messages about to be sent. */
export function isAtWork(session: Pick<Session, 'state' | 'tasks' | 'queue' | 'isQueuePaused'>): boolean {
  return isWorking(session) || session.state === 'waiting' || hasNext(session);
}

/** Null: no failed request waits to be sent again. @param withReason where there is room for it */
export function retryWords({ retry }: Pick<Session, 'retry'>, withReason: boolean): string | null {
  if (retry === undefined) return null;
  const reason = retry.status === null ? ' (no connection)' : ` (status ${retry.status})`;
  return `Waiting for Copilot${withReason ? reason : ''}, retries at ${clockTime(retry.at)}`;
}

/** What a session waits for, in words that hold no path, command or prompt: they stand in the tray as well. */

/** Of a tool, a server, a heading. */
const mostOfName = 40;

type AskedQuestion = Pick<SessionQuestion, 'kind' | 'child' | 'request'>;

/** Behind a session's name: `asks to run a command`, `asks a question`, `asks about its plan`. */
export function asks(question: AskedQuestion): string {
  if (question.kind === 'form') return 'asks a question';
  const wanted = purposeOf(question.request);
  return wanted === null ? 'asks about its plan' : `asks ${wanted}`;
}

/** `1 session waits for you`, `2 sessions wait for you` */
export function waitingWords(count: number): string {
  return count === 1 ? '1 session waits for you' : `${count} sessions wait for you`;
}

/** A row's second line: `Asks to run a command and 2 more`, `Asks: Menu, Browsers`, `Subagent asks to edit a file`. */
export function asksWords(questions: readonly AskedQuestion[]): string {
  const [first] = questions;
  if (first === undefined) return 'Asks a question';
  const more = questions.length === 1 ? '' : ` and ${questions.length - 1} more`;
  return `${firstWords(first)}${more}`;
}

function firstWords(question: AskedQuestion): string {
  const headings = question.kind === 'form' ? headingsOf(question.request) : [];
  if (headings.length > 0) return `${question.child === null ? 'Asks' : 'Subagent asks'}: ${headings.join(', ')}`;
  const said = asks(question);
  return question.child === null ? `A${said.slice(1)}` : `Subagent ${said}`;
}

/** Null: it asks about its plan. */
function purposeOf(request: unknown): string | null {
  const call = field(request, 'toolCall');
  const told = field(field(field(call, '_meta'), 'claudeCode'), 'toolName') ?? field(call, 'name');
  const tool = typeof told === 'string' ? told : '';
  const server = mcpTool(tool);
  if (server !== null) return `to use ${oneLine(server.server, mostOfName)}`;
  const protocolKind = field(call, 'kind');
  switch (toolKindOf(tool, typeof protocolKind === 'string' ? protocolKind : null)) {
    case 'shell':
      return 'to run a command';
    case 'write':
      return 'to write a file';
    case 'edit':
    case 'notebook':
      return 'to edit a file';
    case 'read':
      return 'to read a file';
    case 'search':
      return 'to search files';
    case 'web':
      return 'to fetch a page';
    case 'skill':
      return 'to use a skill';
    case 'subagent':
      return 'to start a subagent';
    case 'plan':
      return null;
    default:
      return tool === '' ? 'to use a tool' : `to use ${oneLine(tool, mostOfName)}`;
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
