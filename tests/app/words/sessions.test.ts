import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedFor, asksOf, asksWords } from '../../../app/words/session-questions.ts';
import { isAtWork, isWorking, resumeLine, sessionTitle, wordsForTitle } from '../../../app/words/sessions.ts';
import { session } from '../../main/watched-sessions.ts';

const permission = (name: string, child: string | null = null) => ({
  ...{ kind: 'permission' as const, child },
  request: { toolCall: { toolCallId: 'c', name, _meta: { claudeCode: { toolName: name } } } },
});
const form = {
  ...{ kind: 'form' as const, child: null },
  request: {
    requestedSchema: {
      properties: {
        question_0: { title: 'Menu' },
        question_0_custom: { title: 'Other' },
        question_1: { title: 'Browsers' },
      },
    },
  },
};

it('the line for a terminal works where it is pasted, whatever the folder is called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'it’s my "place" $HOME '));
  const script = `claude() { echo "$PWD|$*"; }; ${resumeLine('an-id', folder, 'bash')}`;
  const said = execFileSync('bash', ['-c', script], { cwd: '/', encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(said).toBe(`${realpathSync(tmpdir())}/${basename(folder)}|--resume an-id\n`);
  expect([
    resumeLine('an-id', 'C:\\my place', 'cmd'),
    resumeLine('an-id', 'C:\\its‘', 'powershell'),
    resumeLine('an-id', "/it's", 'fish'),
    resumeLine('an-id', null, 'bash'),
  ]).toEqual([
    'cd /d "C:\\my place" && claude --resume an-id',
    "cd 'C:\\its‘‘'; claude --resume an-id",
    "cd '/it\\'s' && claude --resume an-id",
    'claude --resume an-id',
  ]);
});

it('a fork that the agent named is told from its original as one that Jumpseat named', () => {
  const fork = { id: 'f', title: null, agentTitle: 'run: touch a.txt (fork)', firstPrompt: null };
  expect(sessionTitle(fork)).toBe('run: touch a.txt, fork');
  expect(sessionTitle({ ...fork, title: 'Mine (fork)' })).toBe('Mine (fork)');
});

it.each([
  ['Use a constant.', 'A comment on the changes:\n\nsrc/a.ts, line 3:\n```diff\n+wait(250);\n```\nUse a constant.'],
  [
    'Two things. One. Two.',
    'Two things.\n\n2 comments on the changes:\n\na.ts, line 3 (now line 5):\n````diff\n+```\n````\nOne.\n\n' +
      'b.ts, lines 1–2:\n```diff\n-x\n```\nTwo.',
  ],
  ['Why does it fail: Look.', 'Why does it fail:\n~~~\nError: no\n~~~\nLook.'],
  ['What is ```this```?', 'What is ```this```?'],
  ['```one``` and two', '```one``` and two'],
  ['Error: no', '```\nError: no\n```'],
  ['Before it', 'Before it\n```ts\nnever closed'],
])('a title is made of a person’s own words: %s', (title, message) => {
  expect(wordsForTitle(message).replaceAll(/\s+/g, ' ')).toBe(title);
});

describe('what a session waits for', () => {
  it.each([
    ['Bash', 'Asks to run a command'],
    ['Edit', 'Asks to edit a file'],
    ['Write', 'Asks to write a file'],
    ['WebFetch', 'Asks to fetch a page'],
    ['WebSearch', 'Asks to search the web'],
    ['mcp__sentry__search', 'Asks to use sentry'],
    ['ExitPlanMode', 'Asks about its plan'],
    ['Unheard', 'Asks to use Unheard'],
  ])('%s: %s', (tool, words) => {
    expect(asksWords([permission(tool)])).toBe(words);
  });

  it('names a subagent, the headings of a form, and how many more there are', () => {
    expect(asksWords([permission('Bash', 'child')])).toBe('Subagent asks to run a command');
    expect(asksWords([form])).toBe('Asks: Menu, Browsers');
    expect(asksWords([permission('Bash'), form, form])).toBe('Asks to run a command and 2 more');
  });

  it('says outside of the window no word of the question', () => {
    expect(asksOf(askedFor(form), null)).toBe('asks a question');
    expect(asksOf(askedFor(permission('Bash')), null)).toBe('asks to run a command');
  });

  it('knows a command of another agent by the protocol', () => {
    const request = { toolCall: { toolCallId: 'c', title: 'rm -r x', kind: 'execute' } };
    expect(asksOf(askedFor({ kind: 'permission', request }), null)).toBe('asks to run a command');
  });
});

it('a session is at work while something of it would be cut off', () => {
  const task = { id: 't', kind: 'command' as const, title: 'x' };
  const queued = { id: 'm', prompt: [], queuedAt: 0 };
  const of = (change: Parameters<typeof session>[1]) => {
    const one = session('s', change);
    return [isWorking(one), isAtWork(one)];
  };
  expect(of({ state: 'running' })).toEqual([true, true]);
  expect(of({ state: 'waiting', tasks: [task] })).toEqual([false, true]);
  expect(of({ state: 'idle', tasks: [task] })).toEqual([true, true]);
  expect(of({ state: 'idle', queue: [queued] })).toEqual([false, true]);
  expect(of({ state: 'idle', queue: [queued], isQueuePaused: true })).toEqual([false, false]);
  expect(of({ state: 'idle' })).toEqual([false, false]);
  expect(of({ state: 'provisional' })).toEqual([false, false]);
});
