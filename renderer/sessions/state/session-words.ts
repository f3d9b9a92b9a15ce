import type { LimitKind } from '../../../app/api/exchange.ts';
import type { ListedSession, SessionHolder } from '../../../app/api/session-list.ts';
import type { RestartReason, Session, SessionQuestion } from '../../../app/api/sessions.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { costUnknown } from '../../../app/words/charge.ts';
import { counted } from '../../../app/words/numbers.ts';
import { asksWords } from '../../../app/words/session-questions.ts';
import { hasNext, retryWords } from '../../../app/words/sessions.ts';
import { capital, oneLine } from '../../../app/words/text.ts';
import { duration, timeOrDay } from '../../../app/words/times.ts';
import { mcpTool } from '../../../app/words/tool-kind.ts';
import type { Activity } from './activity.ts';
import { textOf } from './fields.ts';

/** The sign before a row. `unseen`: it ended, and was not opened since. */
export type SessionSign = 'running' | 'waiting' | 'failed' | 'unseen' | 'terminal' | 'program' | 'none';

export interface SessionWords {
  sign: SessionSign;
  /** Empty: nothing is known of it. */
  text: string;
}

/** What the list knows of a session that Jumpseat holds no process or state of. */
type SaidByList = Pick<
  ListedSession,
  | 'hosted'
  | 'openIn'
  | 'problem'
  | 'agent'
  | 'outcome'
  | 'problemCode'
  | 'problemLimit'
  | 'wasAsking'
  | 'endedAt'
  | 'seenAt'
  | 'isDismissed'
>;

export interface SaidOf {
  /** Null if Jumpseat does not hold it. */
  held: Session | null;
  listed: SaidByList | null;
  activity: Activity | null;
  /** Questions of this session, oldest first. */
  questions: readonly SessionQuestion[];
  /** How many are in line before it. */
  before: number;
}

/** Where a session is open that no message can be sent in here. */
export function holderPlace({ program }: SessionHolder): string {
  return program === 'terminal' ? 'in a terminal' : 'in another program';
}

/** What a row of the list says of a session. */
export function rowWords({ held, listed, activity, questions, before }: SaidOf): SessionWords {
  if (listed?.problem != null) return { sign: 'failed', text: `Can’t be read: ${listed.problem}` };
  if (listed?.openIn != null) {
    const sign = listed.openIn.program === 'terminal' ? 'terminal' : 'program';
    return { sign, text: capital(holderPlace(listed.openIn)) };
  }
  // Where no message was sent in it here, its transcript says how it ended.
  if (held === null || (held.state === 'provisional' && listed !== null)) return listedWords(listed);
  switch (held.state) {
    case 'waiting':
      return { sign: 'waiting', text: asksWords(questions) };
    case 'starting':
      return { sign: 'running', text: startingWords(held) };
    case 'in-line':
      return { sign: 'running', text: inLineWords(before) };
    case 'stopping':
      return { sign: 'running', text: 'Stopping…' };
    case 'running':
      return { sign: 'running', text: retryWords(held, false) ?? activityWords(activity) };
    default:
      if (hasNext(held)) return { sign: 'running', text: nextWords(held) };
      if (held.tasks.length > 0) return { sign: 'running', text: 'Waiting for a background task' };
      return restingWords(held, restWords(heldRest(held, listed?.wasAsking ?? false)));
  }
}

/** The sign still says how its turn ended. */
function restingWords({ continuesAt }: Session, rest: SessionWords): SessionWords {
  return continuesAt === undefined ? rest : { ...rest, text: continuesWords(continuesAt) };
}

/** Of a session that goes on by itself when a limit is over: `Continues at 19:30`. */
export function continuesWords(at: number, now = Date.now()): string {
  return `Continues ${timeOrDay(at, now)}`;
}

/** Its row is red, and a person can dismiss that. */
export function hasFailed({ held, listed }: Pick<SaidOf, 'held' | 'listed'>): boolean {
  return (
    listed?.problem == null && rowWords({ held, listed, activity: null, questions: [], before: 0 }).sign === 'failed'
  );
}

function listedWords(listed: SaidByList | null): SessionWords {
  if (listed === null) return { sign: 'none', text: '' };
  // Of another program: it may have been ended, or is at work in a way that shows nowhere.
  if (listed.outcome === 'running' && !listed.hosted) return { sign: 'none', text: 'Not finished' };
  // What runs is held: this one was cut off by the end of the Jumpseat that led it.
  const outcome = listed.outcome === 'running' ? 'interrupted' : listed.outcome;
  return restWords({ ...listed, outcome });
}

function heldRest(held: Session, wasAsking: boolean): Rested {
  const { code = null, facts } = held.problem ?? {};
  return { ...held, problemCode: code, problemLimit: facts?.limit ?? null, wasAsking };
}

const newSettings: Readonly<Record<RestartReason, string>> = {
  model: 'the new model',
  effort: 'the new effort',
  permissions: 'the new permissions',
  folders: 'the new folders',
  plugins: 'the new plugins',
  servers: 'the new servers',
};

/** `Starting…`, `Restarting for the new model and the new folders…` */
export function startingWords({ restartsFor = [] }: Pick<Session, 'restartsFor'>): string {
  const [first, second, ...others] = restartsFor.map((reason) => newSettings[reason]);
  if (first === undefined) return 'Starting…';
  if (second === undefined) return `Restarting for ${first}…`;
  return `Restarting for ${others.length > 0 ? 'the new settings' : `${first} and ${second}`}…`;
}

export function inLineWords(before: number): string {
  return before === 0 ? 'In line' : `In line, ${before} before it`;
}

/** Between a turn and the messages behind it, which are sent by themselves. */
function nextWords({ queue }: Pick<Session, 'queue'>): string {
  return `${counted(queue.length, 'message')} queued`;
}

/** How many sessions wait for their turn before this one. */
export function inLineBefore(sessions: Iterable<Session>, one: Session): number {
  const sent = one.sentAt ?? 0;
  return [...sessions].filter(({ id, state, sentAt }) => state === 'in-line' && id !== one.id && (sentAt ?? 0) < sent)
    .length;
}

/** Longest name of a tool or a server. */
const mostOfName = 40;

/** What a session that works does now. */
export function activityWords(activity: Activity | null): string {
  if (activity === null) return 'Thinking';
  if (activity.what === 'compacting') return 'Compacting';
  if (activity.what === 'writing') return 'Writing';
  const { size } = activity.subagents;
  if (activity.step === null) return size === 0 ? 'Thinking' : `Running ${counted(size, 'subagent')}`;
  const { kind, tool, input } = activity.step;
  const path = textOf(input, 'file_path') ?? textOf(input, 'notebook_path');
  const file = path === null ? '' : ` ${oneLine(path.split(/[/\\]/).at(-1) ?? '')}`;
  switch (kind) {
    case 'shell':
      return `Running ${firstLine(textOf(input, 'command')) ?? 'a command'}`;
    case 'read':
    case 'search':
      return 'Reading';
    case 'write':
      return `Writing${file}`;
    case 'edit':
    case 'notebook':
      return `Editing${file}`;
    case 'web':
      return `Fetching ${hostOf(textOf(input, 'url')) ?? 'a page'}`;
    case 'subagent':
      return `Running ${counted(Math.max(1, size), 'subagent')}`;
    case 'plan':
      return 'Planning';
    default:
      return `Using ${oneLine(mcpTool(tool)?.server ?? tool, mostOfName) || 'a tool'}`;
  }
}

function firstLine(command: string | null): string | null {
  const line = oneLine(command?.trim().split('\n', 1)[0] ?? '');
  return line === '' ? null : line;
}

function hostOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.host ?? null);
}

type Rested = Pick<
  SaidByList,
  'agent' | 'outcome' | 'problemCode' | 'problemLimit' | 'wasAsking' | 'endedAt' | 'seenAt' | 'isDismissed'
>;

function restWords(rested: Rested): SessionWords {
  const { outcome, problemCode, endedAt, seenAt } = rested;
  // Dismissed, it still says how it ended.
  const failed: SessionWords = { sign: rested.isDismissed ? 'none' : 'failed', text: failureWords(rested) };
  switch (outcome) {
    case null:
    case 'running':
      return { sign: 'none', text: '' };
    case 'failed':
      return failed;
    case 'cancelled':
      return { sign: 'none', text: 'Stopped by you' };
    case 'interrupted':
      if (problemCode === 'agent-ended') return failed;
      return { sign: 'none', text: rested.wasAsking ? 'Stopped while it asked' : 'Stopped with Jumpseat' };
    case 'done':
      return { sign: endedAt !== null && (seenAt ?? 0) < endedAt ? 'unseen' : 'none', text: 'Done' };
  }
}

/** Limits of Copilot's that have a name of their own. */
const limits: Readonly<Partial<Record<LimitKind, string>>> = {
  credits: 'out of credits',
  weekly: 'weekly limit',
  session: 'session limit',
};

function failureWords({ agent, problemCode, problemLimit }: Rested): string {
  switch (problemCode) {
    case 'agent-ended':
      return `${agentWords(agent).title} stopped`;
    case 'not-started':
    case 'agent-missing':
      return 'Couldn’t start';
    case 'limit':
      return 'Stopped at your limit';
    case 'held-back':
      return 'Held back by your limit';
    case 'not-sent':
      return 'Not sent to Copilot';
    case 'no-connection':
      return 'No connection';
    case 'refused': {
      const why = problemLimit === null ? undefined : limits[problemLimit];
      return why === undefined ? 'Refused by Copilot' : `Refused: ${why}`;
    }
    default:
      return 'Failed';
  }
}

export interface ProcessWords {
  text: string;
  isFailed: boolean;
}

/** What the foot says of a session whose conversation can’t be read, or not yet. */
export const notRead: ProcessWords = { text: '–', isFailed: false };

/** What the foot says of a session's process. `spent`: what its turn cost so far; null if nothing yet. */
export function processWords(
  { held, listed, questions, before }: Pick<SaidOf, 'held' | 'listed' | 'questions' | 'before'>,
  workingMs: number | null,
  spent: string | null = null,
): ProcessWords {
  const said = (text: string, isFailed = false): ProcessWords => ({ text, isFailed });
  if (listed?.problem != null) return notRead;
  if (listed?.openIn != null) return said(`${capital(holderPlace(listed.openIn))}, pid ${listed.openIn.pid}`);
  if (held === null || (held.state === 'provisional' && listed !== null)) return said('Not loaded');
  const { state, outcome, problem, tasks } = held;
  if (state === 'unloaded' || state === 'idle') {
    if (hasNext(held)) return said(nextWords(held));
    if (held.continuesAt !== undefined) return said(continuesWords(held.continuesAt));
    if (problem?.code === 'agent-ended') return said(`${agentWords(held.agent).title} stopped`, true);
    if (outcome === 'failed') return said('Failed', true);
  }
  switch (state) {
    case 'provisional':
      return said('No process yet');
    case 'unloaded':
      return said('Not loaded');
    case 'starting':
      return said(startingWords(held));
    case 'in-line':
      return said(inLineWords(before));
    case 'stopping':
      return said('Stopping…');
    case 'waiting':
      return said(
        [
          'Waiting for you',
          ...(questions.length < 2 ? [] : [counted(questions.length, 'question')]),
          ...soFar(spent),
        ].join(', '),
      );
    case 'running':
      return said(
        retryWords(held, true) ??
          ['Working', ...(workingMs === null ? [] : [wholeSeconds(workingMs)]), ...soFar(spent)].join(', '),
      );
    case 'idle':
      return said(tasks.length === 0 ? 'Idle' : `Idle, ${counted(tasks.length, 'task')} in the background`);
  }
}

function soFar(spent: string | null): string[] {
  return spent === null ? [] : [`${spent === costUnknown() ? 'cost unknown' : spent} so far`];
}

/** Whole seconds, so that the time counts on. */
function wholeSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}
