import { posix, win32 } from 'node:path';
import type { TerminalSession } from '../../app/api/session-list.ts';
import type { Session } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { agentWords } from '../../app/words/agents.ts';
import { type AskedFor, asksOf } from '../../app/words/session-questions.ts';
import { hasNext, isWorking } from '../../app/words/sessions.ts';
import { oneLine } from '../../app/words/text.ts';
import { day, dayAndTime, duration, hourAndMinute } from '../../app/words/times.ts';
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

/** What the lines are about. */
export interface LinesOf {
  /** Sessions that this process holds. */
  sessions: readonly WatchedSession[];
  terminals: readonly TerminalSession[];
  /** True if they are named by their titles. */
  titlesOutside: boolean;
  now: number;
}

/** Rows of waiting sessions, longest wait first: `parcel-api asks to run a command`. */
export function waitingRows({ sessions, terminals, titlesOutside }: LinesOf): SessionLine[] {
  const ours = waitingOf(sessions).map(({ session, questions }) => ({
    at: questions[0]?.askedAt ?? session.sentAt ?? 0,
    line: { id: session.id, label: asksLine(session, titlesOutside, questions[0]?.about) },
  }));
  const there = terminals
    .filter(({ is }) => is === 'waits')
    .map((one) => ({ at: one.at, line: { id: one.id, label: waitsInTerminal(one, titlesOutside) } }));
  const rows = [...ours, ...there].sort((one, other) => one.at - other.at);
  return rows.slice(0, mostRows).map(({ line }) => line);
}

/**
 * All others that ask for a look: who waits further down, works, has failed or is done, and was not seen since. Empty:
 * there is nothing to say.
 */
export function sessionLines(given: LinesOf): SessionLine[] {
  const { terminals, titlesOutside, now } = given;
  const above = new Set(waitingRows(given).map(({ id }) => id));
  const inTerminal = new Set(terminals.map(({ id }) => id));
  // What goes on in a terminal is newer than what was here.
  const all = given.sessions.filter((one) => isWorking(one.session) || !inTerminal.has(one.session.id));
  const said = [
    ...waitingOf(all).map(({ session, questions }) => ({
      session,
      words: asksOf(questions[0]?.about ?? aQuestion, null),
    })),
    ...terminals.filter(({ is }) => is === 'waits').map(inTerminalWords),
    ...newest(all.filter(({ session }) => isWorking(session))).map((one) => ({
      session: one.session,
      words: works(one, now),
    })),
    ...newest(all.filter(hasFailed)).map(({ session }) => ({ session, words: stopWords(session) })),
    ...terminals.filter(({ is }) => is === 'cut').map(inTerminalWords),
    ...newest(all.filter(isDone)).map(({ session }) => ({ session, words: t('done, not seen yet') })),
    ...terminals.filter(({ is }) => is === 'done' || is === 'ended').map(inTerminalWords),
  ];
  const shown = said.filter(({ session }) => !above.has(session.id)).slice(0, mostLines);
  return toldApart(
    shown.map(({ session, words }) => ({ session, label: `${sessionName(session, titlesOutside)} · ${words}` })),
    now,
  );
}

/** Lines that would read alike have the time of each behind them: `parcel-api · done, not seen yet · 14:05`. */
function toldApart(
  lines: readonly { session: Session | TerminalSession; label: string }[],
  now: number,
): SessionLine[] {
  const alike = Map.groupBy(lines, ({ label }) => label);
  return lines.map(({ session, label }) => {
    const isAlike = (alike.get(label)?.length ?? 0) > 1;
    const at = restsSince(session);
    const time = day(at) === day(now) ? hourAndMinute(at) : dayAndTime(at);
    return { id: session.id, label: isAlike ? `${label} · ${time}` : label };
  });
}

function restsSince(session: Session | TerminalSession): number {
  return 'at' in session ? session.at : (session.endedAt ?? session.sentAt ?? session.createdAt);
}

/** Those that no program has open, and Claude Code can go on with in a terminal: `parcel-api`, the newest first. */
export function resumableLines({ sessions, terminals, titlesOutside, now }: LinesOf): SessionLine[] {
  const closed = terminals.filter(({ is }) => is === 'ended' || is === 'cut');
  const inTerminal = new Set(terminals.map(({ id }) => id));
  const ours = sessions
    .filter(
      (one) => one.session.agent === 'claude' && !inTerminal.has(one.session.id) && (hasFailed(one) || isDone(one)),
    )
    .map(({ session }) => session);
  const all = [...ours, ...closed].sort((one, other) => restsSince(other) - restsSince(one)).slice(0, mostLines);
  return toldApart(
    all.map((session) => ({ session, label: sessionName(session, titlesOutside) })),
    now,
  );
}

function inTerminalWords(session: TerminalSession): { session: TerminalSession; words: string } {
  return {
    session,
    words: t(
      '{is, select, waits {waits in a terminal} done {done in a terminal} ended {its terminal ended} other {its terminal ended in the middle of a turn}}',
      { is: session.is },
    ),
  };
}

/** `parcel-api waits in a terminal`; behind a title with a dot between. */
function waitsInTerminal(session: TerminalSession, withTitle: boolean): string {
  const { name, isTitled } = namedSession(session, withTitle);
  return isTitled ? `${name} · ${inTerminalWords(session).words}` : t('{name} waits in a terminal', { name });
}

/** The sessions that `Stop all running…` stops. One that waits for the person runs nothing. */
export function runningOf(all: readonly WatchedSession[]): readonly Session[] {
  const runs: ReadonlySet<Session['state']> = new Set(['starting', 'in-line', 'running']);
  return all.map(({ session }) => session).filter(({ state }) => runs.has(state));
}

/** Why a turn ended that was not to end, by the codes of `TurnProblem`: `stopped: Claude Code ended`. */
function stopWords({ agent, problem }: Pick<Session, 'agent' | 'problem'>): string {
  const program = agentWords(agent).title;
  switch (problem?.code) {
    case 'agent-ended':
      return t('stopped: {program} ended', { program });
    case 'not-started':
    case 'agent-missing':
      return t('stopped: {program} couldn’t start', { program });
    case 'refused':
      return t('stopped: Copilot refused a request');
    case 'not-sent':
      return t('stopped: Jumpseat refused a request');
    case 'held-back':
      return t('stopped: a limit held a request back');
    case 'no-connection':
      return t('stopped: no connection to Copilot');
    case 'cut':
      return t('stopped: Copilot’s answer was cut');
    case 'context-full':
      return t('stopped: the conversation no longer fits');
    case 'declined':
      return t('stopped: the model declined to answer');
    case 'limit':
      return t('stopped: it reached your limit of credits');
    case 'token-limit':
      return t('stopped: the answer reached its token limit');
    case 'stopped-early':
      return t('stopped: a limit of the agent’s own');
    default:
      return t('stopped: its turn failed');
  }
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

const aQuestion: AskedFor = { what: 'answer', name: '' };

/** `parcel-api asks to run a command`; behind a title with a dot between. */
export function asksLine(session: Named, withTitle: boolean, about: AskedFor = aQuestion): string {
  const { name, isTitled } = namedSession(session, withTitle);
  return isTitled ? `${name} · ${asksOf(about, null)}` : asksOf(about, name);
}

function works({ session, turn }: WatchedSession, now: number): string {
  switch (session.state) {
    case 'starting':
      return t('starting');
    case 'in-line':
      return t('in line');
    case 'stopping':
      return t('stopping');
    case 'running':
      return turn === null
        ? t('running')
        : t('running, {time}', { time: wholeSeconds(Math.max(0, now - turn.startedAt)) });
    default:
      return t('waiting for a background task');
  }
}

function wholeSeconds(ms: number): string {
  return ms < 60_000 ? t('{seconds} s', { seconds: Math.floor(ms / 1000) }) : duration(ms);
}

type Named = Pick<Session, 'title'> & Pick<TerminalSession, 'cwd'>;

/** Longer ones make a menu too wide. */
const mostOfFolder = 40;
const mostOfTitle = 60;

/**
 * What a session is called where others may look on: by its folder's name, and by its title only where the person wants
 * that.
 */
export function sessionName(session: Named, withTitle: boolean): string {
  return namedSession(session, withTitle).name;
}

/** The same, and whether a title is in it: what is said of it then stands behind a dot. */
export function namedSession({ cwd, title }: Named, withTitle: boolean): { name: string; isTitled: boolean } {
  const folder = folderName(cwd);
  const named = withTitle && title !== null ? oneLine(title, mostOfTitle) : '';
  return named === '' ? { name: folder, isTitled: false } : { name: `${folder} · ${named}`, isTitled: true };
}

function folderName(cwd: string | null): string {
  if (cwd === null) return t('Session');
  const name = cwd.includes('\\') ? win32.basename(cwd) : posix.basename(cwd);
  return oneLine(name, mostOfFolder) || t('Session');
}
