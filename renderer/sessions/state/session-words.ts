import type { LimitKind } from '../../../app/api/exchange.ts';
import type { ListedSession, SessionHolder } from '../../../app/api/session-list.ts';
import type { RestartReason, Session, SessionQuestion } from '../../../app/api/sessions.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { joined } from '../../../app/language/sentences.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { agentWords, mcpTool } from '../../../app/words/agents.ts';
import { costUnknown } from '../../../app/words/charge.ts';
import { asksWords } from '../../../app/words/session-questions.ts';
import { hasNext, retryWords } from '../../../app/words/sessions.ts';
import { oneLine } from '../../../app/words/text.ts';
import { duration, timeOrDay } from '../../../app/words/times.ts';
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
function holderWords({ program, state }: SessionHolder): string {
  if (program !== 'terminal') return t('In another program');
  if (state === 'waits') return t('In a terminal, waits for you');
  return state === 'works' ? t('In a terminal, working') : t('In a terminal');
}

function holderProcess({ program, pid }: SessionHolder): string {
  return program === 'terminal' ? t('In a terminal, pid {pid}', { pid }) : t('In another program, pid {pid}', { pid });
}

/** What a row of the list says of a session. */
export function rowWords({ held, listed, activity, questions, before }: SaidOf): SessionWords {
  if (listed?.problem != null)
    return { sign: 'failed', text: t('Can’t be read: {problem}', { problem: listed.problem }) };
  if (listed?.openIn != null) {
    const sign = listed.openIn.program === 'terminal' ? 'terminal' : 'program';
    return { sign, text: holderWords(listed.openIn) };
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
      return { sign: 'running', text: t('Stopping…') };
    case 'running':
      return { sign: 'running', text: retryWords(held, false) ?? activityWords(activity) };
    default:
      if (hasNext(held)) return { sign: 'running', text: nextWords(held) };
      if (held.tasks.length > 0) return { sign: 'running', text: t('Waiting for a background task') };
      return restingWords(held, restWords(heldRest(held, listed?.wasAsking ?? false)));
  }
}

/** The sign still says how its turn ended. */
function restingWords({ continuesAt }: Session, rest: SessionWords): SessionWords {
  return continuesAt === undefined ? rest : { ...rest, text: continuesWords(continuesAt) };
}

/** Of a session that goes on by itself when a limit is over: `Continues at 19:30`. */
export function continuesWords(at: number, now = Date.now()): string {
  return t('Continues {when}', { when: timeOrDay(at, now) });
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
  if (listed.outcome === 'running' && !listed.hosted) return { sign: 'none', text: t('Not finished') };
  // What runs is held: this one was cut off by the end of the Jumpseat that led it.
  const outcome = listed.outcome === 'running' ? 'interrupted' : listed.outcome;
  return restWords({ ...listed, outcome });
}

function heldRest(held: Session, wasAsking: boolean): Rested {
  const { code = null, facts } = held.problem ?? {};
  return { ...held, problemCode: code, problemLimit: facts?.limit ?? null, wasAsking };
}

const newSettings: Readonly<Record<RestartReason, Message>> = {
  model: msg('the new model'),
  effort: msg('the new effort'),
  permissions: msg('the new permissions'),
  folders: msg('the new folders'),
  plugins: msg('the new plugins'),
  servers: msg('the new servers'),
};

/** `Starting…`, `Restarting for the new model and the new folders…` */
export function startingWords({ restartsFor = [] }: Pick<Session, 'restartsFor'>): string {
  const [first, second, ...others] = restartsFor.map((reason) => translated(newSettings[reason]));
  if (first === undefined) return t('Starting…');
  if (second === undefined) return t('Restarting for {setting}…', { setting: first });
  return others.length > 0
    ? t('Restarting for the new settings…')
    : t('Restarting for {first} and {second}…', { first, second });
}

export function inLineWords(before: number): string {
  return before === 0 ? t('Queued') : t('Queued, {before} ahead', { before });
}

/** Between a turn and the messages behind it, which are sent by themselves. */
function nextWords({ queue }: Pick<Session, 'queue'>): string {
  return t('{count, plural, one {# message} other {# messages}} queued', { count: queue.length });
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
  if (activity === null) return t('Thinking');
  if (activity.what === 'compacting') return t('Compacting');
  if (activity.what === 'writing') return t('Writing');
  const { size } = activity.subagents;
  if (activity.step === null) return size === 0 ? t('Thinking') : subagentWords(size);
  const { kind, tool, input } = activity.step;
  const path = textOf(input, 'file_path') ?? textOf(input, 'notebook_path');
  const file = path === null ? null : oneLine(path.split(/[/\\]/).at(-1) ?? '');
  switch (kind) {
    case 'shell': {
      const command = firstLine(textOf(input, 'command'));
      return command === null ? t('Running a command') : t('Running {command}', { command });
    }
    case 'read':
    case 'search':
      return t('Reading');
    case 'write':
      return file === null ? t('Writing') : t('Writing {file}', { file });
    case 'edit':
    case 'notebook':
      return file === null ? t('Editing') : t('Editing {file}', { file });
    case 'web': {
      const host = hostOf(textOf(input, 'url'));
      return host === null ? t('Fetching a page') : t('Fetching {host}', { host });
    }
    case 'subagent':
      return subagentWords(Math.max(1, size));
    case 'plan':
      return t('Planning');
    default: {
      const name = oneLine(mcpTool(tool)?.server ?? tool, mostOfName);
      return name === '' ? t('Using a tool') : t('Using {name}', { name });
    }
  }
}

function subagentWords(count: number): string {
  return t('Running {count, plural, one {# subagent} other {# subagents}}', { count });
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
      return { sign: 'none', text: t('Stopped by you') };
    case 'interrupted':
      if (problemCode === 'agent-ended') return failed;
      return { sign: 'none', text: rested.wasAsking ? t('Stopped while it asked') : t('Stopped with Jumpseat') };
    case 'done':
      return { sign: endedAt !== null && (seenAt ?? 0) < endedAt ? 'unseen' : 'none', text: t('Done') };
  }
}

/** Limits of Copilot's that have a name of their own. */
const refusals: Readonly<Partial<Record<LimitKind, Message>>> = {
  credits: msg('Refused: out of credits'),
  weekly: msg('Refused: weekly limit'),
  session: msg('Refused: 5-hour limit'),
};

function failureWords({ agent, problemCode, problemLimit }: Rested): string {
  switch (problemCode) {
    case 'agent-ended':
      return t('{agent} stopped', { agent: agentWords(agent).title });
    case 'not-started':
    case 'agent-missing':
      return t('Couldn’t start');
    case 'limit':
      return t('Stopped at your limit');
    case 'held-back':
      return t('Held back by your limit');
    case 'not-sent':
      return t('Not sent to Copilot');
    case 'no-connection':
      return t('No connection');
    case 'refused': {
      if (problemLimit === null || problemLimit === 'overloaded') return t('Refused by Copilot');
      const why = refusals[problemLimit];
      return why === undefined ? t('Stopped by a limit of Copilot’s') : translated(why);
    }
    case 'token-limit':
      return t('Answer cut at its token limit');
    default:
      return t('Failed');
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
  if (listed?.openIn != null) return said(holderProcess(listed.openIn));
  if (held === null || (held.state === 'provisional' && listed !== null)) return said(t('Not loaded'));
  const { state, outcome, problem, tasks } = held;
  if (state === 'unloaded' || state === 'idle') {
    if (hasNext(held)) return said(nextWords(held));
    if (held.continuesAt !== undefined) return said(continuesWords(held.continuesAt));
    if (problem?.code === 'agent-ended')
      return said(t('{agent} stopped', { agent: agentWords(held.agent).title }), true);
    if (outcome === 'failed') return said(t('Failed'), true);
  }
  switch (state) {
    case 'provisional':
      return said(t('No process yet'));
    case 'unloaded':
      return said(t('Not loaded'));
    case 'starting':
      return said(startingWords(held));
    case 'in-line':
      return said(inLineWords(before));
    case 'stopping':
      return said(t('Stopping…'));
    case 'waiting':
      return said(
        joined([
          t('Waiting for you'),
          ...(questions.length < 2 ? [] : [questionCount(questions.length)]),
          ...soFar(spent),
        ]),
      );
    case 'running':
      return said(
        retryWords(held, true) ??
          joined([t('Working'), ...(workingMs === null ? [] : [wholeSeconds(workingMs)]), ...soFar(spent)]),
      );
    case 'idle':
      return said(tasks.length === 0 ? t('Idle') : idleWords(tasks.length));
  }
}

function questionCount(count: number): string {
  return t('{count, plural, one {# question} other {# questions}}', { count });
}

function idleWords(tasks: number): string {
  return t('Idle, {tasks, plural, one {# task} other {# tasks}} in the background', { tasks });
}

function soFar(spent: string | null): string[] {
  if (spent === null) return [];
  return [spent === costUnknown() ? t('cost unknown so far') : t('{cost} so far', { cost: spent })];
}

/** Whole seconds, so that the time counts on. */
function wholeSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}
