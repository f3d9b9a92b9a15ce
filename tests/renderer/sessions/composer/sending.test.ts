import { describe, expect, it } from 'vitest';
import type { ListedSession } from '../../../../app/api/session-list.ts';
import type { SessionCommand } from '../../../../app/api/session-surroundings.ts';
import { agentWords } from '../../../../app/words/agents.ts';
import { imageProblem, sizeOfBase64 } from '../../../../renderer/sessions/composer/attach.ts';
import { recentFolders } from '../../../../renderer/sessions/composer/choose-folder.tsx';
import { findCommands, originWords, readCommand } from '../../../../renderer/sessions/composer/commands.ts';
import {
  earlierPrompt,
  type FieldState,
  type Key,
  keyMeaning,
} from '../../../../renderer/sessions/composer/message-field.tsx';
import { moved } from '../../../../renderer/sessions/composer/message-lines.tsx';
import { modeInForce, refusalWords } from '../../../../renderer/sessions/composer/mode-menu.tsx';
import { type SendingFacts, sendingLine, workOf } from '../../../../renderer/sessions/composer/sending.ts';
import { namedMode, namedModel } from '../../../../renderer/sessions/composer/use-message.ts';
import { appState } from '../../../main/app-state.ts';

const plain = { shiftKey: false, isCommand: false, altKey: false, isComposing: false };
const key = (name: string, more: Partial<Key> = {}): Key => ({ key: name, ...plain, ...more });
const field = (more: Partial<FieldState> = {}): FieldState => ({
  ...{ work: 'idle', isBlank: false, isBrowsing: false, enterWhileRunning: 'queue' },
  ...more,
});

describe('keys in the field', () => {
  it.each([
    ['idle', 'queue', 'send', 'send'],
    ['running', 'queue', 'queue', 'steer'],
    ['running', 'steer', 'steer', 'queue'],
    ['starting', 'queue', 'queue', 'queue'],
    ['starting', 'steer', 'queue', 'queue'],
  ] as const)('%s, Enter set to %s: Enter %ss, with Ctrl it %ss', (work, enterWhileRunning, enter, withCommand) => {
    const state = field({ work, enterWhileRunning });
    expect(keyMeaning(key('Enter'), state)).toEqual({ kind: 'go', way: enter });
    expect(keyMeaning(key('Enter', { isCommand: true }), state)).toEqual({ kind: 'go', way: withCommand });
    expect(keyMeaning(key('Enter', { shiftKey: true }), state)).toEqual({ kind: 'none' });
    expect(keyMeaning(key('Enter'), { ...state, isBlank: true })).toEqual({ kind: 'none' });
  });

  it('an input method that composes gets every key', () => {
    for (const name of ['Enter', 'Escape', 'ArrowUp']) {
      const state = field({ work: 'running', isBrowsing: true });
      expect(keyMeaning(key(name, { isComposing: true }), state)).toEqual({ kind: 'none' });
    }
  });

  it('Esc stops what runs, and nothing else', () => {
    expect(keyMeaning(key('Escape'), field({ work: 'running' }))).toEqual({ kind: 'stop' });
    expect(keyMeaning(key('Escape'), field({ work: 'starting' }))).toEqual({ kind: 'stop' });
    expect(keyMeaning(key('Escape'), field())).toEqual({ kind: 'none' });
    expect(keyMeaning(key('Escape'), field({ work: 'stopping' }))).toEqual({ kind: 'none' });
  });

  it('the arrows show earlier prompts in a field that is empty or shows one', () => {
    expect(keyMeaning(key('ArrowUp'), field({ isBrowsing: true }))).toEqual({ kind: 'earlier' });
    expect(keyMeaning(key('ArrowDown'), field({ isBrowsing: true }))).toEqual({ kind: 'later' });
    expect(keyMeaning(key('ArrowUp'), field())).toEqual({ kind: 'none' });
    expect([0, 1, 2, 3].map((back) => earlierPrompt(['first', 'second'], back))).toEqual([
      ...[null, 'second', 'first', null],
    ]);
  });
});

it('what a session does, as far as sending goes', () => {
  const states = ['provisional', 'unloaded', 'idle', 'starting', 'in-line', 'running', 'waiting', 'stopping'] as const;
  expect(states.map(workOf)).toEqual([
    ...['idle', 'idle', 'idle', 'starting', 'starting', 'running', 'running', 'stopping'],
  ]);
});

describe('the line under the field', () => {
  const facts = (more: Partial<SendingFacts> = {}): SendingFacts => ({
    ...{ app: appState(), session: { cwd: '/code/old' }, openIn: null, isFolderGone: false, modelOff: null },
    ...{ hasAgent: true, agent: 'Claude Code' },
    ...more,
  });
  const inState = (status: SendingFacts['app']['status'], more: Partial<SendingFacts['app']> = {}) =>
    sendingLine(facts({ app: { ...appState(), status, ...more } }));

  it('is not there while nothing is in the way', () => {
    for (const status of ['on', 'low', 'busy', 'no-keychain', 'starting'] as const) expect(inState(status)).toBeNull();
  });

  it.each([
    ['signed-out', 'Sending needs a sign-in.', 'off'],
    ['signing-in', 'Sending needs a sign-in.', 'off'],
    ['off', 'Sending needs the proxy.', 'off'],
    ['port', 'Sending needs the proxy.', 'off'],
    ['no-access', 'This account has no access to Copilot.', 'off'],
    ['offline', 'No connection. It is sent as soon as Copilot answers.', 'queue'],
  ] as const)('%s', (status, text, send) => {
    expect(inState(status)).toMatchObject({ text, send });
  });

  it('offers what fixes it', () => {
    expect(inState('off')?.remedy).toEqual({ action: 'proxy-on', label: 'Turn proxy on' });
    const failed = (code: 'port-taken' | 'already-running') =>
      ({ kind: 'failed', port: 1, code, reason: '', remedy: '' }) as const;
    const taken = { action: 'free-port', label: 'Use a free port' };
    expect(inState('port', { proxy: failed('port-taken') })?.remedy).toEqual(taken);
    expect(inState('port', { proxy: failed('already-running') })?.remedy).not.toEqual(taken);
    expect(sendingLine(facts({ modelOff: 'claude-opus-4.8' }))).toMatchObject({
      text: 'claude-opus-4.8 is off for this account.',
      remedy: { action: 'choose-model', label: 'Choose another' },
    });
    expect(sendingLine(facts({ hasAgent: false }))).toMatchObject({
      text: 'Claude Code isn’t set up for this window.',
      remedy: { label: 'Choose where it comes from' },
    });
  });

  it('lets a person send while credits or a limit are used up', () => {
    const until = Date.UTC(2026, 10, 23, 9, 40);
    const { health } = appState();
    const line = inState('limited', { health: { ...health, limit: { kind: 'weekly', until } } });
    expect(line).toMatchObject({ kind: 'limited', send: 'on' });
    expect(line?.text).toMatch(/^The weekly limit holds until Mon 23 Nov, /);
    expect(inState('exhausted')).toMatchObject({ kind: 'exhausted', send: 'on' });
  });

  it('says first what belongs to the session', () => {
    const app = { ...appState(), status: 'offline' as const };
    expect(sendingLine(facts({ app, isFolderGone: true }))?.text).toBe('/code/old no longer exists.');
    expect(sendingLine(facts({ app, openIn: { pid: 7, program: 'terminal' } }))).toMatchObject({
      kind: 'open-elsewhere',
      send: 'off',
      remedy: { action: 'fork', label: 'Fork and go on here' },
    });
  });
});

describe('commands', () => {
  const command = (name: string, more: Partial<SessionCommand> = {}): SessionCommand => ({
    ...{ name, description: '', hint: null, isSkill: false, origin: { kind: 'agent', name: null, path: null } },
    ...more,
  });
  const offered = [
    command('compact', { description: 'Sum up the conversation' }),
    command('context'),
    command('__remote'),
    command('db-migration', { isSkill: true }),
  ];

  it('are the agent’s and ours; a name that fits comes first', () => {
    const all = findCommands(offered, '');
    expect(all.commands.map(({ name }) => name)).toEqual([
      ...['btw', 'clear', 'compact', 'context', 'cost', 'fork', 'model', 'permissions', 'rename'],
    ]);
    expect(all.skills.map(({ name }) => name)).toEqual(['db-migration']);
    expect(findCommands(offered, 'comp').commands[0]?.name).toBe('compact');
    expect(findCommands(offered, 'sum up').commands.map(({ name }) => name)).toContain('compact');
  });

  const meaningOf = (text: string, areAll: boolean, agent: 'claude' | 'codex' = 'claude') =>
    readCommand(text, offered, { areAll, agent });

  it('are known by the first word of a message', () => {
    expect(meaningOf('/compact the tests', true)).toEqual({ kind: 'offered' });
    expect(meaningOf('/rename  Dates in UTC', true)).toEqual({
      ...{ kind: 'own', command: 'rename', rest: 'Dates in UTC' },
    });
    expect(meaningOf('/btw why?', true)).toEqual({ kind: 'own', command: 'btw', rest: 'why?' });
    expect(meaningOf('/vim', true)).toEqual({ kind: 'terminal', name: 'vim' });
    expect(meaningOf('/vim', false, 'codex')).toEqual({ kind: 'words' });
    expect(meaningOf('/comapct', true)).toEqual({ kind: 'unknown', name: 'comapct', nearest: 'compact' });
    expect(meaningOf('/xyzzyplugh', true)).toEqual({ kind: 'unknown', name: 'xyzzyplugh', nearest: null });
    for (const words of ['/usr/bin/env is missing', 'no command', '/ nothing']) {
      expect(meaningOf(words, true)).toEqual({ kind: 'words' });
    }
  });

  it('that are not known here go to the agent while it has not told all of its own', () => {
    expect(meaningOf('/comapct', false)).toEqual({ kind: 'words' });
  });

  it('say where they are from', () => {
    const origin = (kind: 'user' | 'project' | 'plugin', path: string | null, name: string | null = null) =>
      originWords({ kind, name, path }, 'Claude Code');
    expect(origin('project', '/code/x/.claude/commands/review.md')).toBe('.claude/commands');
    expect(origin('user', '/home/ada/.claude/skills/db/SKILL.md')).toBe('~/.claude/skills');
    expect(origin('plugin', null, 'demo')).toBe('demo');
    expect(originWords({ kind: 'agent', name: null, path: null }, 'Codex')).toBe('Codex');
  });
});

describe('words behind a command of ours', () => {
  const mode = (id: string, name: string, refusal: 'root' | null = null) => ({ id, name, asksNothing: false, refusal });
  const never = { id: 'yolo', name: 'Full access', asksNothing: true, refusal: null };
  const offers = {
    models: [
      { id: 'opus', model: 'claude-opus-4.8', efforts: [] },
      { id: 'gpt-5.2', model: 'gpt-5.2', efforts: [] },
    ],
    modes: [mode('acceptEdits', 'x'), mode('auto', 'Auto', 'root'), mode('own-mode', 'Own words'), never],
  };

  it('name a model by what is chosen, or by what it runs on', () => {
    expect(['Opus', 'claude-opus-4.8', 'gpt-5.2', 'gpt', ''].map((words) => namedModel(offers, words))).toEqual([
      ...['opus', 'opus', 'gpt-5.2', null, null],
    ]);
    expect(namedModel(null, 'opus')).toBeNull();
  });

  it('name permissions as they are shown, and none that can’t be chosen', () => {
    const named = ['Accept edits', 'own-mode', 'own WORDS', 'Never ask', 'Auto', 'edits'];
    expect(named.map((words) => namedMode(offers, words)?.id ?? null)).toEqual([
      ...['acceptEdits', 'own-mode', 'own-mode', 'yolo', null, null],
    ]);
  });
});

describe('permission modes', () => {
  const modes = [
    { id: 'default', name: 'Ask first', asksNothing: false, refusal: null },
    { id: 'auto', name: 'Auto', asksNothing: false, refusal: 'not-offered' as const },
    { id: 'bypassPermissions', name: 'Never ask', asksNothing: true, refusal: 'root' as const },
  ];

  it('the bar says the one in force', () => {
    expect(modeInForce(modes, 'bypassPermissions')).toEqual({ name: 'Never asks', asksNothing: true });
    expect(modeInForce(modes, null)).toEqual({ name: 'Ask first', asksNothing: false });
    expect(modeInForce([], 'acceptEdits')).toEqual({ name: 'Accept edits', asksNothing: false });
  });

  it('one that can’t be chosen says why', () => {
    expect(modes.map((mode) => refusalWords(mode, 'claude-haiku-4.5', agentWords('claude')))).toEqual([
      null,
      'claude-haiku-4.5 doesn’t offer this.',
      'Claude Code refuses this for root.',
    ]);
  });
});

it('an image is too large, or not taken by the model', () => {
  const taken = { name: 'claude-opus-4.8', takesImages: true };
  expect(sizeOfBase64('aGVsbG8=')).toBe(5);
  expect(imageProblem({ size: 3_000_000, model: taken })).toBeNull();
  expect(imageProblem({ size: 5_200_000, model: null })?.text).toBe('This image is 5.2 MB; Copilot accepts 3 MB.');
  expect(imageProblem({ size: 9, model: { name: 'grok', takesImages: false } })?.text).toBe('grok takes no images.');
});

it('a queued message is moved within the queue, and not out of it', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b'], 'a', -1)).toBeNull();
  expect(moved(['a', 'b'], 'b', 1)).toBeNull();
});

it('recent folders are those that something was said in last, and that are there', () => {
  const session = (cwd: string | null, sentAt: number, isFolderGone = false) =>
    ({ cwd, sentAt, updatedAt: 1, createdAt: 1, isFolderGone }) as ListedSession;
  const many = Array.from({ length: 20 }, (_, index) => session(`/code/${index}`, index));
  expect(recentFolders([...many, session('/code/3', 99), session(null, 100)]).slice(0, 2)).toEqual([
    { path: '/code/3', sessions: 2, last: 99 },
    { path: '/code/19', sessions: 1, last: 19 },
  ]);
  expect(recentFolders(many)).toHaveLength(8);
  const [first] = recentFolders([...many, session('/code/old', 100, true)], new Set(['/code/19']));
  expect(first?.path).toBe('/code/18');
});
