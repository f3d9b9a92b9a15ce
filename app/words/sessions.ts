import type { ListedSession } from '../api/session-list.ts';
import type { Session } from '../api/sessions.ts';
import type { Shell } from '../api/setup.ts';
import { asShellWord } from '../api/shell.ts';
import { oneLine } from './text.ts';
import { clockTime } from './times.ts';

/** Longest prompt shown in place of a title. A title is cut only for lack of room. */
const longestPrompt = 60;

/** What is sent to go on with a turn that was cut off. */
export const goOnWords = 'Go on where you stopped.';

/** A limit that ends later than this is not waited for, ms: a week, the longest of Copilot's own. */
export const longestLimitMs = 7 * 24 * 60 * 60_000;

const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The label of a hosted session: its key carries its id. */
export function isSessionLabel(client: string): boolean {
  return sessionId.test(client);
}

/** What a session is called: as its person named it, else as the agent did, else how it began. */
export function sessionTitle(session: Pick<ListedSession, 'id' | 'title' | 'agentTitle' | 'firstPrompt'>): string {
  const { id, title, agentTitle, firstPrompt } = session;
  const given = title ?? agentTitle?.replace(agentsForkEnd, ', fork') ?? null;
  const named = given === null ? cut(oneLine(firstPrompt ?? '')) : oneLine(given);
  return named === '' ? untitledSession(id) : named;
}

/** No more of a message is looked through for a title, in characters. */
const mostLookedThrough = 20_000;
/** A line that begins or ends quoted ones; ticks with others behind them stand in a line. */
const fence = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
/** What a message with comments on changes says above them. */
const aboveComments = /^(?:A comment|\d+ comments) on the changes:$/;

/**
 * What a person wrote in a message, for a title: without fenced lines, and without the files that comments on changes
 * name above these. Where all of it is fenced, that.
 */
export function wordsForTitle(message: string): string {
  const [own, quoted]: [string[], string[]] = [[], []];
  let within: string | null = null;
  for (const line of message.slice(0, mostLookedThrough).split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (within === null && mark !== undefined) {
      within = mark;
      if (/\bdiff\s*$/.test(line) && own.at(-1)?.endsWith(':') === true) own.pop();
    } else if (within !== null && line.trim() === mark && mark.startsWith(within)) within = null;
    else (within === null ? own : quoted).push(line);
  }
  const words = own.filter((line) => line.trim() !== '' && !aboveComments.test(line));
  return (words.length === 0 ? quoted : words).join('\n');
}

/** The last part of a folder's path. */
export function folderName(folder: string | null): string {
  if (folder === null) return 'No folder';
  return oneLine(folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder) || 'No name';
}

/** Without a word of what was said in it. */
export function untitledSession(id: string): string {
  return `Session ${id.slice(0, 8)}`;
}

/** The id by which a terminal finds a session; null if none does yet: a fork in which nothing was sent. */
export function idInTerminal({ id, agentId }: { id: string; agentId?: string | null }): string | null {
  return agentId === undefined ? id : agentId;
}

/**
 * What goes on with a session of Claude Code in a new terminal: it looks for it by the folder that it is started in.
 * @param folder null if unknown
 */
export function resumeLine(id: string, folder: string | null, shell: Shell): string {
  const line = `claude --resume ${id}`;
  if (folder === null) return line;
  switch (shell) {
    case 'powershell':
      return `cd ${asShellWord(folder, shell)}; ${line}`;
    case 'cmd':
      return `cd /d ${asShellWord(folder, shell)} && ${line}`;
    default:
      return `cd ${asShellWord(folder, shell === 'json' ? 'bash' : shell)} && ${line}`;
  }
}

export type CopyKind = 'fork' | 'before going back';
/** How Claude Code ends the title of a copy. */
const agentsForkEnd = / \(fork\)$/;
const copyEnd = /, (?:fork|before going back)(?: \d+)?$/;

/** A title in two: what a copy's ends with says which it is, and is seen also where there is little room. */
export function titleParts(title: string): [name: string, copy: string] {
  const at = copyEnd.exec(title)?.index ?? title.length;
  return [title.slice(0, at), title.slice(at)];
}

/** The title that a person gives a session, with what says that it is a copy: it is one under every name. */
export function titleOfCopy(given: string, before: string | null, isCopy: boolean): string {
  const mark = titleParts(before ?? '')[1] || (isCopy ? ', fork' : '');
  return titleParts(given)[1] === '' ? given + mark : given;
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

/** Null if no failed request waits to be sent again. @param withReason where there is room for it */
export function retryWords({ retry }: Pick<Session, 'retry'>, withReason: boolean): string | null {
  if (retry === undefined) return null;
  const at = clockTime(retry.at);
  if (!withReason) return `Retries at ${at}`;
  const reason = retry.status === null ? 'no connection' : `status ${retry.status}`;
  return `Waiting for Copilot (${reason}), retries at ${at}`;
}
