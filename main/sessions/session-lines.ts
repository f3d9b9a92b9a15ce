import { posix, win32 } from 'node:path';
import type { Session, TurnProblem } from '../../app/api/sessions.ts';
import { agentWords } from '../../app/words/agents.ts';
import { hasNext, isWorking } from '../../app/words/sessions.ts';
import { oneLine } from '../../app/words/text.ts';
import { duration } from '../../app/words/times.ts';
import type { WatchedSession } from './session-watch.ts';

/** What the tray's menu says of sessions, how they are named outside of the window, and where it shows them. */

export const newSessionPlace = '#/sessions/new';

/** The list of those that wait for a person. */
export const waitingPlace = '#/sessions?q=waiting';

/** One session, with its open questions. */
export function sessionPlace(id: string): string {
  return `#/sessions/${encodeURIComponent(id)}`;
}

const mostRows = 3;
const mostLines = 12;

export interface SessionLine {
  id: string;
  label: string;
}

/** Rows of waiting sessions, longest wait first: `parcel-api asks to run a command`. */
export function waitingRows(all: readonly WatchedSession[], withTitles: boolean): SessionLine[] {
  return waitingOf(all)
    .slice(0, mostRows)
    .map((one) => ({ id: one.session.id, label: nameAnd(one.session, withTitles, asked(one)) }));
}

/**
 * All that ask for a look: who waits, works, has failed or is done, and was not seen since. Empty: there is nothing to
 * say.
 */
export function sessionLines(all: readonly WatchedSession[], withTitles: boolean, now: number): SessionLine[] {
  const said = [
    ...waitingOf(all).map((one) => ({ one, words: asked(one) })),
    ...newest(all.filter(({ session }) => isWorking(session))).map((one) => ({ one, words: works(one, now) })),
    ...newest(all.filter(hasFailed)).map((one) => ({ one, words: `stopped: ${stopWords(one.session)}` })),
    ...newest(all.filter(isDone)).map((one) => ({ one, words: 'done, not seen yet' })),
  ];
  return said.slice(0, mostLines).map(({ one: { session }, words }) => ({
    id: session.id,
    label: `${sessionName(session, withTitles)} · ${words}`,
  }));
}

/** The sessions that `Stop all running…` stops. One that waits for the person runs nothing. */
export function runningOf(all: readonly WatchedSession[]): readonly Session[] {
  const runs: ReadonlySet<Session['state']> = new Set(['starting', 'in-line', 'running']);
  return all.map(({ session }) => session).filter(({ state }) => runs.has(state));
}

/** Why a turn ended that was not to end: `Claude Code ended`. */
export function stopWords({ agent, problem }: Pick<Session, 'agent' | 'problem'>): string {
  return causes(agent)[problem?.code ?? ''] ?? 'its turn failed';
}

/** Why a turn failed, by the codes of `TurnProblem`. */
function causes(agent: Session['agent']): Readonly<Record<TurnProblem['code'], string>> {
  const program = agentWords(agent).title;
  return {
    'agent-ended': `${program} ended`,
    'not-started': `${program} couldn’t start`,
    'agent-missing': `${program} couldn’t start`,
    refused: 'Copilot refused a request',
    'not-sent': 'Jumpseat refused a request',
    'held-back': 'a limit held a request back',
    'no-connection': 'no connection to Copilot',
    cut: 'Copilot’s answer was cut',
    'context-full': 'the conversation no longer fits',
    declined: 'the model declined to answer',
    limit: 'it reached your limit of credits',
    'stopped-early': 'the model stopped early',
  };
}

/** A turn of it failed, or its agent ended in one. */
export function failed({ outcome, problem }: Session): boolean {
  return outcome === 'failed' || (outcome === 'interrupted' && problem?.code === 'agent-ended');
}

function hasFailed({ session }: WatchedSession): boolean {
  return isUnseen(session) && failed(session);
}

function isDone({ session }: WatchedSession): boolean {
  return isUnseen(session) && session.outcome === 'done';
}

function isUnseen(session: Session): boolean {
  const { state, endedAt, seenAt } = session;
  const rests = (state === 'idle' || state === 'unloaded') && !isWorking(session) && !hasNext(session);
  return rests && endedAt !== null && (seenAt ?? 0) < endedAt;
}

function waitingOf(all: readonly WatchedSession[]): WatchedSession[] {
  const since = ({ questions, session }: WatchedSession): number => questions[0]?.askedAt ?? session.sentAt ?? 0;
  return all.filter(({ session }) => session.state === 'waiting').sort((one, other) => since(one) - since(other));
}

function newest(all: readonly WatchedSession[]): WatchedSession[] {
  const at = ({ session }: WatchedSession): number => session.sentAt ?? session.createdAt;
  return [...all].sort((one, other) => at(other) - at(one));
}

function asked({ questions }: WatchedSession): string {
  return questions[0]?.words ?? 'asks a question';
}

function works({ session, turn }: WatchedSession, now: number): string {
  switch (session.state) {
    case 'starting':
      return 'starting';
    case 'in-line':
      return 'in line';
    case 'stopping':
      return 'stopping';
    case 'running':
      return turn === null ? 'running' : `running, ${wholeSeconds(Math.max(0, now - turn.startedAt))}`;
    default:
      return 'waiting for a background task';
  }
}

function wholeSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}

/** Longer ones make a menu too wide. */
const mostOfFolder = 40;
const mostOfTitle = 60;

/**
 * What a session is called where others may look on: by its folder's name, and by its title only where the person wants
 * that.
 */
export function sessionName({ cwd, title }: Pick<Session, 'cwd' | 'title'>, withTitle: boolean): string {
  const folder = folderName(cwd);
  const named = withTitle && title !== null ? oneLine(title, mostOfTitle) : '';
  return named === '' ? folder : `${folder} · ${named}`;
}

/** `parcel-api asks to run a command`; behind a title with a dot between. */
export function nameAnd(session: Pick<Session, 'cwd' | 'title'>, withTitle: boolean, words: string): string {
  const name = sessionName(session, withTitle);
  return name === sessionName(session, false) ? `${name} ${words}` : `${name} · ${words}`;
}

function folderName(cwd: string): string {
  const name = cwd.includes('\\') ? win32.basename(cwd) : posix.basename(cwd);
  return oneLine(name, mostOfFolder) || 'Session';
}
