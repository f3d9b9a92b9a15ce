import { describe, expect, it } from 'vitest';
import type { RestartReason, Session, SessionEvent } from '../../../../app/api/sessions.ts';
import { activityAfter, nothingYet } from '../../../../renderer/sessions/state/activity.ts';
import {
  activityWords,
  hasFailed,
  processWords,
  rowWords,
  type SaidOf,
} from '../../../../renderer/sessions/state/session-words.ts';

const wanted = { wanted: null, applied: null };
const idle: Session = {
  ...{ id: 's', agent: 'claude', cwd: '/home/me/project', directories: [], title: null, state: 'idle', turnId: null },
  ...{ outcome: 'done', problem: null, questions: 0, tasks: [], queue: [], isQueuePaused: false },
  ...{ model: wanted, effort: wanted, mode: wanted, context: null, pinned: false, createdAt: 0, sentAt: 1 },
  ...{ endedAt: 5, seenAt: 6, isDismissed: false, parent: null, isBack: false, cutTurns: 0 },
  cost: {
    ...{ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 0, agent: 0 },
    ...{ input: 0, cached: 0, output: 0 },
  },
};
const said = (change: Partial<Session>) => ({
  ...{ held: { ...idle, ...change }, listed: null, activity: null, questions: [], before: 0 },
});
const queued = { id: 'm', prompt: [], queuedAt: 5 };
const problem = (code: string) => ({ code, text: '', remedy: '', requestId: null, stderr: null });

describe('a row of the list', () => {
  it.each<[string, Partial<Session>, string, string]>([
    ['seen', {}, 'none', 'Done'],
    ['not seen', { seenAt: 4 }, 'unseen', 'Done'],
    ['stopped', { outcome: 'cancelled' }, 'none', 'Stopped by you'],
    ['closed with Jumpseat', { outcome: 'interrupted' }, 'none', 'Stopped with Jumpseat'],
    ['its process ended', { outcome: 'failed', problem: problem('agent-ended') }, 'failed', 'Claude Code stopped'],
    ['not started', { outcome: 'failed', problem: problem('not-started') }, 'failed', 'Couldn’t start'],
    ['failed', { outcome: 'failed', problem: problem('failed') }, 'failed', 'Failed'],
    ['starts', { state: 'starting' }, 'running', 'Starting…'],
    ['works', { state: 'running' }, 'running', 'Thinking'],
    ['goes on with what is queued', { seenAt: 4, queue: [queued] }, 'running', '1 message queued'],
    ['waits with what is queued', { seenAt: 4, queue: [queued], isQueuePaused: true }, 'unseen', 'Done'],
  ])('%s', (_, change, sign, text) => {
    expect(rowWords(said(change))).toEqual({ sign, text });
  });

  it('says whose limit Copilot refused for', () => {
    const refused = (facts: object) => said({ outcome: 'failed', problem: { ...problem('refused'), facts } });
    expect(rowWords(refused({ limit: 'credits' })).text).toBe('Refused: out of credits');
    expect(rowWords(refused({})).text).toBe('Refused by Copilot');
  });

  it('says when it continues by itself, and so does the foot', () => {
    const at = new Date();
    at.setHours(19, 30, 0, 0);
    const scheduled = { outcome: 'failed', problem: problem('refused'), continuesAt: at.getTime() } as const;
    expect(rowWords(said(scheduled))).toEqual({ sign: 'failed', text: 'Continues at 19:30' });
    expect(processWords(said(scheduled), null)).toEqual({ text: 'Continues at 19:30', isFailed: false });
    at.setDate(at.getDate() + 1);
    const tomorrow = rowWords(said({ ...scheduled, continuesAt: at.getTime() })).text;
    expect(tomorrow).toMatch(/^Continues on \w{3} \d+ \w{3}, 19:30$/);
  });

  it('says what its process starts anew for', () => {
    const starting = (restartsFor: RestartReason[]) => rowWords(said({ state: 'starting', restartsFor })).text;
    expect(starting(['model'])).toBe('Restarting for the new model…');
    expect(starting(['model', 'folders'])).toBe('Restarting for the new model and the new folders…');
    expect(starting(['model', 'effort', 'plugins'])).toBe('Restarting for the new settings…');
  });

  it('says when a request that failed is sent again, and the foot why', () => {
    const at = new Date(2026, 10, 20, 10, 42, 5).getTime();
    const waits = said({ state: 'running', retry: { at, status: 429 } });
    expect(rowWords(waits)).toEqual({ sign: 'running', text: 'Retries at 10:42:05' });
    expect(processWords(waits, 90_000).text).toBe('Waiting for Copilot (status 429), retries at 10:42:05');
    expect(processWords(said({ state: 'running', retry: { at, status: null } }), 0).text).toContain('(no connection)');
    expect(rowWords(said({ state: 'stopping', retry: { at, status: 429 } })).text).toBe('Stopping…');
  });

  it('says what a turn cost so far, also while it waits for an answer', () => {
    const foot = (state: 'running' | 'waiting') => processWords(said({ state }), 3_000, '1.20 credits').text;
    expect([foot('running'), foot('waiting')]).toEqual([
      'Working, 3 s, 1.20 credits so far',
      'Waiting for you, 1.20 credits so far',
    ]);
  });

  it('counts those in line before it, and what goes on in the background', () => {
    expect(rowWords({ ...said({ state: 'in-line' }), before: 2 }).text).toBe('Queued, 2 ahead');
    const tasks = [{ id: 't', kind: 'command' as const, title: 'x' }];
    expect(rowWords(said({ tasks }))).toEqual({ sign: 'running', text: 'Waiting for a background task' });
  });

  it('shows a session of a terminal, and one that can’t be read', () => {
    const listed = { ...atRest, openIn: { pid: 7, program: 'terminal' as const } };
    expect(rowWords({ ...said({}), listed })).toEqual({ sign: 'terminal', text: 'In a terminal' });
    const there = (state: 'works' | 'waits' | 'rests') => ({ ...listed, openIn: { ...listed.openIn, state } });
    expect(
      (['works', 'waits', 'rests'] as const).map((state) => rowWords({ ...said({}), listed: there(state) }).text),
    ).toEqual(['In a terminal, working', 'In a terminal, waits for you', 'In a terminal']);
    const led = { ...atRest, openIn: { pid: 7, program: 'other' as const } };
    expect(rowWords({ ...said({}), listed: led })).toEqual({ sign: 'program', text: 'In another program' });
    expect(rowWords({ ...said({}), listed: { ...atRest, problem: 'it is broken' } }).text).toBe(
      'Can’t be read: it is broken',
    );
  });
});

const atRest = {
  ...{ hosted: true, openIn: null, problem: null, agent: 'claude', outcome: 'done' as const },
  ...{ problemCode: null, problemLimit: null, wasAsking: false },
  ...{ endedAt: 5, seenAt: 6, isDismissed: false },
};

describe('a failure', () => {
  const listed = { ...atRest, outcome: 'failed' as const, problemCode: 'refused' };
  const failed = { outcome: 'failed' as const, problem: problem('refused') };
  const text = 'Refused by Copilot';

  it.each<[string, Pick<SaidOf, 'held' | 'listed'>, Pick<SaidOf, 'held' | 'listed'>]>([
    [
      'that happened here',
      { held: { ...idle, ...failed }, listed: null },
      { held: { ...idle, ...failed, isDismissed: true }, listed: null },
    ],
    ['of one that is not held', { held: null, listed }, { held: null, listed: { ...listed, isDismissed: true } }],
    [
      'elsewhere, of one that is pinned here',
      { held: { ...idle, state: 'provisional', outcome: null }, listed },
      { held: { ...idle, state: 'provisional', outcome: null }, listed: { ...listed, isDismissed: true } },
    ],
  ])('%s is red until it is dismissed, and still says why', (_, before, after) => {
    expect(rowWords({ ...said({}), ...before })).toEqual({ sign: 'failed', text });
    expect(hasFailed(before)).toBe(true);
    expect(rowWords({ ...said({}), ...after })).toEqual({ sign: 'none', text });
    expect(hasFailed(after)).toBe(false);
  });

  it('is none that could be dismissed where nothing failed, or where it can’t be read', () => {
    expect(hasFailed({ held: idle, listed: null })).toBe(false);
    expect(hasFailed({ held: { ...idle, state: 'waiting', ...failed }, listed: null })).toBe(false);
    expect(hasFailed({ held: null, listed: { ...listed, problem: 'it is broken' } })).toBe(false);
  });
});

describe('a row of a session that is not held', () => {
  const of = (change: object) => rowWords({ ...said({}), held: null, listed: { ...atRest, ...change } });

  it.each<[string, object, string, string]>([
    ['seen', {}, 'none', 'Done'],
    ['not seen', { seenAt: null }, 'unseen', 'Done'],
    ['stopped', { outcome: 'cancelled' }, 'none', 'Stopped by you'],
    ['failed', { outcome: 'failed', problemCode: 'agent-ended' }, 'failed', 'Claude Code stopped'],
    ['failed for a reason that was not kept', { outcome: 'failed' }, 'failed', 'Failed'],
    ['under way when Jumpseat ended', { outcome: 'running' }, 'none', 'Stopped with Jumpseat'],
    ['of another agent', { agent: 'codex', outcome: 'failed', problemCode: 'agent-ended' }, 'failed', 'Codex stopped'],
    [
      'refused',
      { outcome: 'failed', problemCode: 'refused', problemLimit: 'weekly' },
      'failed',
      'Refused: weekly limit',
    ],
    ['without a connection', { outcome: 'failed', problemCode: 'no-connection' }, 'failed', 'No connection'],
    ['asking when Jumpseat ended', { outcome: 'interrupted', wasAsking: true }, 'none', 'Stopped while it asked'],
    ['made elsewhere', { endedAt: null, seenAt: null }, 'none', 'Done'],
    ['of another program, with a turn that has no end', { outcome: 'running', hosted: false }, 'none', 'Not finished'],
    ['of an unknown outcome', { outcome: null }, 'none', ''],
  ])('%s', (_, change, sign, text) => {
    expect(of(change)).toEqual({ sign, text });
  });

  it('says how its transcript ended where a person only pinned it here', () => {
    const held = { ...idle, state: 'provisional' as const, outcome: null };
    expect(rowWords({ ...said({}), held, listed: { ...atRest, outcome: 'cancelled' } }).text).toBe('Stopped by you');
  });
});

describe('what a running session does', () => {
  const doingOf = (...updates: object[]) =>
    activityWords(
      updates
        .map(
          (update): SessionEvent => ({
            ...{ seq: 1, sessionId: 's', turnId: 't', at: 1, kind: 'update', cuts: null },
            event: { child: null, update },
          }),
        )
        .reduce(activityAfter, nothingYet),
    );
  const call = (toolName: string, rawInput: object) => ({
    ...{ sessionUpdate: 'tool_call', toolCallId: 'c', rawInput, _meta: { claudeCode: { toolName } } },
  });

  it.each<[string, object, string]>([
    ['Edit', { file_path: '/home/me/project/src/deliver.ts' }, 'Editing deliver.ts'],
    ['Write', { file_path: 'C:\\me\\new.ts' }, 'Writing new.ts'],
    ['Bash', { command: 'npm test\nsecond line' }, 'Running npm test'],
    ['Grep', { pattern: 'x' }, 'Reading'],
    ['WebFetch', { url: 'https://docs.example.com/a?b' }, 'Fetching docs.example.com'],
    ['mcp__sentry__search', {}, 'Using sentry'],
  ])('%s', (tool, input, words) => {
    expect(doingOf(call(tool, input))).toBe(words);
  });

  it('thinks once a step has ended, and writes while text comes', () => {
    const ended = { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' };
    expect(doingOf(call('Bash', { command: 'ls' }), ended)).toBe('Thinking');
    expect(doingOf(call('Bash', { command: 'ls' }), { sessionUpdate: 'agent_message_chunk' })).toBe('Writing');
  });

  it('counts the subagents that run', () => {
    const subagent = (sessionId: string, state: string) => ({
      ...{ sessionUpdate: 'subagent_update', sessionId, state: { state } },
    });
    expect(doingOf(subagent('a', 'running'), subagent('b', 'running'))).toBe('Running 2 subagents');
    expect(doingOf(subagent('a', 'running'), subagent('b', 'running'), subagent('a', 'idle'))).toBe(
      'Running 1 subagent',
    );
  });
});

describe('the state of a session’s process', () => {
  it.each<[Partial<Session>, string]>([
    [{ state: 'provisional' }, 'No process yet'],
    [{ state: 'unloaded' }, 'Not loaded'],
    [{ state: 'running' }, 'Working, 1 m 52 s'],
    [{ state: 'idle' }, 'Idle'],
    [{ state: 'idle', queue: [queued] }, '1 message queued'],
    [{ state: 'idle', outcome: 'failed' }, 'Failed'],
    [{ state: 'unloaded', outcome: 'failed', problem: problem('agent-ended') }, 'Claude Code stopped'],
  ])('%j: %s', (change, text) => {
    expect(processWords(said(change), 112_000).text).toBe(text);
  });
});
