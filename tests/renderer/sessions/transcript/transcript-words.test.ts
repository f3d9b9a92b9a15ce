import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TurnFacts } from '../../../../app/api/sessions.ts';
import { english, showLanguage } from '../../../../app/language/language.ts';
import { toolKindOf } from '../../../../app/words/agents.ts';
import { exactTime, showTimesIn } from '../../../../app/words/times.ts';
import { keyOf, sessionShortcuts } from '../../../../renderer/sessions/session-shortcuts.ts';
import type { Block, Step } from '../../../../renderer/sessions/state/conversation.ts';
import { newStep, updatedStep, withInputInPlace } from '../../../../renderer/sessions/state/step.ts';
import { changedBy } from '../../../../renderer/sessions/transcript/changed-lines.ts';
import { failureOf, turnReport } from '../../../../renderer/sessions/transcript/failure-words.ts';
import { turnName } from '../../../../renderer/sessions/transcript/feed-rows.tsx';
import { hasAnswer, type Item, itemsOf } from '../../../../renderer/sessions/transcript/items.ts';
import {
  answerWords,
  commandAsked,
  commandOf,
  isShownInside,
  readingWords,
  resultOf,
  shownPath,
  stepWords,
} from '../../../../renderer/sessions/transcript/step-words.ts';
import { copiedText, moveFor } from '../../../../renderer/sessions/transcript/transcript-shortcuts.ts';
import { spokenEnd, spokenSteps } from '../../../../renderer/sessions/transcript/use-spoken-turns.ts';
import {
  began,
  conversation,
  edit,
  lane,
  read,
  said,
  searched,
  shell,
  step,
  text,
  turn,
} from '../transcript-page/example.ts';

beforeAll(() => showTimesIn('utc'));
afterEach(() => showLanguage(english));

const search = (id: string, change: Partial<Step> = {}): Step =>
  step(id, { stepKind: 'search', tool: 'Grep', input: { pattern: 'retry' }, content: said('a\nb'), ...change });
const nameOf = (key: string, shiftKey = false) =>
  keyOf({ key, shiftKey, code: '', ctrlKey: false, metaKey: false, altKey: false }, sessionShortcuts.transcript, true);
const kinds = (blocks: readonly Block[], change = {}): string[] =>
  itemsOf(conversation([turn('t', blocks, change)])).map(({ kind }) => kind);

describe('what stands in a transcript', () => {
  it('is one line for reads and searches in a row', () => {
    const blocks = [read('1', 'a'), search('2'), text('x', 'so'), read('3', 'b'), shell('4', 'ls', '')];
    expect(kinds(blocks)).toEqual(['prompt', 'reading', 'text', 'reading', 'step', 'figures']);
  });

  it('is a line of its own for a read that waits or was denied', () => {
    expect(kinds([read('1', 'a'), read('2', 'b', { state: 'waiting' }), read('3', 'c', { state: 'denied' })])).toEqual([
      ...['prompt', 'reading', 'step', 'step', 'figures'],
    ]);
  });

  it('is no answer that says what ended the turn, which stands below it', () => {
    const problem = { code: 'held-back', text: 'Jumpseat: held back.', remedy: '', requestId: null, stderr: null };
    const blocks = [text('x', 'So far.'), text('y', 'API Error: Request rejected (429) · Jumpseat: held back.\n')];
    expect(kinds(blocks, { state: 'failed', problem })).toEqual(['prompt', 'text', 'end', 'figures']);
    expect(kinds(blocks)).toEqual(['prompt', 'text', 'text', 'figures']);
    const refused = { ...problem, code: 'signed-out', text: 'Jumpseat: GitHub refuses the sign-in.' };
    const own = text('y', 'Failed to authenticate. API Error: 401 Jumpseat: GitHub refuses the sign-in.');
    expect(kinds([own], { state: 'failed', problem: refused })).toEqual(['prompt', 'end', 'figures']);
    const login = text('y', 'Please run /login · API Error: 403 Jumpseat: refused for your account. No.');
    expect(kinds([login], { state: 'failed', problem: refused })).toEqual(['prompt', 'end', 'figures']);
    const failed = { ...problem, code: 'failed', text: 'Claude Code could not go on.' };
    expect(hasAnswer({ blocks: [own], problem: failed })).toBe(false);
  });

  it('is no empty text, no list of tasks that goes on, no note without words', () => {
    const note: Block = { kind: 'note', id: 'n', code: 'new_kind', at: null, detail: {} };
    expect(kinds([text('x', ' \n'), step('1', { stepKind: 'tasks' }), note], { state: 'running' })).toEqual([
      ...['prompt', 'awaited'],
    ]);
  });

  it.each([
    [{ state: 'running' }, ['prompt', 'text']],
    [{ state: 'cancelled' }, ['prompt', 'text', 'end', 'figures']],
    [{ prompt: null, begunBy: 'notification' }, ['begun', 'text', 'figures']],
    [{ begunBy: 'earlier-conversation' }, ['begun', 'text', 'figures']],
  ])('begins and ends as its turn does: %j', (change, expected) => {
    expect(kinds([text('x', 'words')], change)).toEqual(expected);
  });

  it('is the same object while nothing of it changes', () => {
    const [first, second, grows] = [shell('1', 'ls', ''), shell('2', 'ls', ''), text('x', 'a', true)];
    const before = itemsOf(conversation([turn('t', [first, read('r', 'a'), second, grows], { state: 'running' })]));
    const changed = { ...grows, text: 'ab' };
    const blocks = [first, before[2]?.kind === 'reading' ? before[2].steps[0]! : first, second, changed];
    const after = itemsOf(conversation([turn('t', blocks, { state: 'running' })]));
    expect(after.map((item, index) => item === before[index])).toEqual([false, true, true, true, false]);
  });

  it('says which lines begin and end a box', () => {
    const items = itemsOf(
      conversation([turn('t', [shell('1', 'a', ''), shell('2', 'b', ''), text('x', 'so'), shell('3', 'c', '')])]),
    );
    expect(items.flatMap((item) => ('edge' in item ? [item.edge] : []))).toEqual([
      { isFirst: true, isLast: false },
      { isFirst: false, isLast: true },
      { isFirst: true, isLast: true },
    ]);
  });

  it('takes ten thousand steps many times a second', () => {
    const blocks = Array.from({ length: 10_000 }, (_, at) =>
      at % 3 === 0 ? shell(`${at}`, 'ls', '') : read(`${at}`, 'a'),
    );
    itemsOf(conversation([turn('t', blocks)]));
    const began = performance.now();
    for (let round = 0; round < 10; round += 1) itemsOf(conversation([turn('t', [...blocks, text('x', `${round}`)])]));
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});

describe('a step’s line', () => {
  const words = (one: Step): string => {
    const { verb, object } = stepWords(one, '/home/me/parcel');
    const changed = changedBy(one);
    const result = resultOf(one, changed !== null);
    const lines = changed === null ? '' : `+${changed.added} −${changed.removed}`;
    return [verb, object, result, lines].filter((part) => part !== '').join(' | ');
  };

  it.each([
    ['Run | npm test | 2 lines', shell('1', 'npm test', 'a\nb\n')],
    ['Run | true | No output', shell('1', 'true', '')],
    ['Run | npm test | exit 1', shell('1', 'npm test', 'a', { state: 'failed', exitCode: 1 })],
    ['Run | npm test | Cut off', shell('1', 'npm test', '', { state: 'cut' })],
    ['Run | npm test | Waits for you', shell('1', 'npm test', '', { state: 'waiting' })],
    ['Run | npm test | Denied by you', shell('1', 'npm test', '', { state: 'denied' })],
    ['Run | serve | In the background', shell('1', 'serve', '', { state: 'background' })],
    ['Run | a ↵ b | No output', shell('1', 'a\n  b', '')],
    [
      'Read the output of | sh_1 | 1 line',
      step('1', { stepKind: 'shell', tool: 'BashOutput', input: { bash_id: 'sh_1' }, content: said('x') }),
    ],
    ['End | sh_1 | No output', step('1', { stepKind: 'shell', tool: 'KillShell', input: { shell_id: 'sh_1' } })],
    [
      'Read | src/a.ts:40-96 | 57 lines',
      read('1', '/home/me/parcel/src/a.ts', {
        input: { file_path: '/home/me/parcel/src/a.ts', offset: 40 },
        response: { file: { numLines: 57 } },
      }),
    ],
    ['Search | "retry" | 2 matches', search('1')],
    ['Search | "retry" | 0 matches', search('1', { content: said('No matches found') })],
    ['Edit | src/a.ts | +2 −1', edit('1', '/home/me/parcel/src/a.ts', 'a\nb', 'a\nc\nd')],
    [
      'Write | src/b.ts | Writing, 2 lines',
      step('1', {
        stepKind: 'write',
        state: 'running',
        input: { file_path: '/home/me/parcel/src/b.ts', content: 'a\nb\n' },
      }),
    ],
    [
      'Edit | cell 4 of r.ipynb | Done',
      step('1', { stepKind: 'notebook', input: { notebook_path: '/home/me/parcel/r.ipynb', cell_id: '4' } }),
    ],
    [
      'Fetch | https://a.example/ | 18.4 kB',
      step('1', { stepKind: 'web', input: { url: 'https://a.example/' }, response: { bytes: 18_400 } }),
    ],
    [
      'Fetch | https://a.example/ | 404',
      step('1', { stepKind: 'web', input: { url: 'https://a.example/' }, response: { code: 404 } }),
    ],
    [
      'Search the web | node 24 | 1 result',
      searched('node 24', [{ title: 'Node', url: 'https://a.example/' }], 'It is out.'),
    ],
    ['Edit | a.ts | Undone | +1 −1', edit('1', '/home/me/parcel/a.ts', 'a', 'b', { undone: ['/home/me/parcel/a.ts'] })],
    [
      'sentry | search | 2 results',
      step('1', { stepKind: 'mcp', tool: 'mcp__sentry__search', content: said('[1,2]') }),
    ],
    [
      'sentry | shot | 1 image',
      step('1', {
        stepKind: 'mcp',
        tool: 'mcp__sentry__shot',
        content: [{ type: 'image', mimeType: 'image/png', data: '' }],
      }),
    ],
    [
      'Tasks | 1 of 2',
      step('1', {
        stepKind: 'tasks',
        tasks: [
          { text: 'a', state: 'done' },
          { text: 'b', state: 'pending' },
        ],
      }),
    ],
    ['Use | commit | Done', step('1', { stepKind: 'skill', input: { skill: 'commit' } })],
    ['Subagent | Profile | 14 steps', step('1', { stepKind: 'subagent', title: 'Profile', lane: lane({ steps: 14 }) })],
    [
      'Question | Menu, Browsers | Answered',
      step('1', { stepKind: 'question', input: { questions: [{ header: 'Menu' }, { header: 'Browsers' }] } }),
    ],
    [
      'Plan | Move all dates | Not approved',
      step('1', {
        ...{ stepKind: 'plan', state: 'failed', input: { plan: '# Plan: Move all dates\n\n- a' } },
        answered: { by: 'withdrawn', answer: null, rule: null },
      }),
    ],
    // Nobody was asked.
    ['Plan | Move | Failed', step('1', { stepKind: 'plan', state: 'failed', input: { plan: 'Move' } })],
    [
      'Question | Which one? | This',
      step('1', {
        ...{ stepKind: 'question', input: { questions: [{ header: 'Choice', question: 'Which one?' }] } },
        answered: { by: 'person', answer: { action: 'accept', content: { question_0: 'This' } }, rule: null },
      }),
    ],
    [
      'Question | Menu, Browsers | Bottom · New, Old',
      step('1', {
        stepKind: 'question',
        input: {
          questions: [
            { header: 'Menu', question: 'Where?' },
            { header: 'Browsers', question: 'Which?' },
          ],
        },
        response: { answers: { 'Where?': 'Bottom', 'Which?': 'New, Old' } },
      }),
    ],
    ['Odd | x | Done', step('1', { tool: 'Odd', input: { a: 'x' } })],
  ])('%s', (expected, one) => expect(words(one)).toBe(expected));

  it('counts what is read', () => {
    expect(readingWords([read('1', 'a'), read('2', 'b'), search('3')])).toBe('Read 2 files, searched once');
    expect(readingWords([search('1'), search('2')])).toBe('Searched 2 times');
  });

  it('shows paths without the session’s folder, and no other folder shortened', () => {
    expect(
      ['/home/me/parcel/a', '/home/me/parcels/a', '/home/me/parcel', '/etc/a'].map((path) =>
        shownPath(path, '/home/me/parcel'),
      ),
    ).toEqual([...['a', '/home/me/parcels/a', '/home/me/parcel', '/etc/a']]);
  });

  it('says the name of a tool once while its input is on its way', () => {
    const begun = (tool: string) =>
      step('1', { stepKind: toolKindOf(tool, null), tool, title: tool, state: 'running' });
    expect(['Edit', 'Write', 'Read'].map((tool) => words(begun(tool)))).toEqual(['Edit', 'Write', 'Read']);
  });

  it('knows the command that was asked for beside the one that ran in its place', () => {
    const told = (before: Step, update: object) => updatedStep(before, update as never, null, null);
    const asked = told(newStep('1', null), { title: 'Bash', kind: 'execute', rawInput: { command: 'rm -rf build' } });
    const answered = { by: 'person', answer: { answer: 'allow', input: { command: 'ls build' } }, rule: null } as const;
    const ran = { ...withInputInPlace(asked, answered), answered };
    // Claude Code goes on naming its own.
    const done = told(ran, { status: 'completed', rawInput: { command: 'rm -rf build' } });
    for (const one of [ran, done]) {
      expect([commandOf(one), commandAsked(one), isShownInside({ ...one, stepKind: 'shell' })]).toEqual([
        ...['ls build', 'rm -rf build', true],
      ]);
    }
    expect(commandAsked(asked)).toBeNull();
  });

  it('drops what would lead a terminal', () => {
    expect(words(shell('1', '\u001b[2Jls\u0007', ''))).toBe('Run | ls | No output');
  });

  it.each([
    ['Allowed once', { by: 'person', answer: { answer: 'allow' }, rule: null }],
    ['Allowed for this session', { by: 'person', answer: { answer: 'allow', rule: { tool: 'Bash' } }, rule: null }],
    ['Allowed for this session', { by: 'rule', answer: null, rule: { tool: 'Bash' } }],
    ['Allowed, changed by you', { by: 'person', answer: { answer: 'allow', input: { command: 'ls' } }, rule: null }],
    [null, { by: 'withdrawn', answer: null, rule: null }],
  ] as const)('after a question says %s', (expected, answered) => {
    expect(answerWords(shell('1', 'ls', '', { answered }))).toBe(expected);
  });
});

describe('a turn that failed', () => {
  const problem = (code: string) => ({
    code,
    text: 'Jumpseat: it broke.',
    remedy: 'Mend it.',
    requestId: null,
    stderr: null,
  });

  it.each([
    ['refused', ['tryAgain', 'tryAgainWithModel']],
    ['held-back', ['showLimits', 'tryAgain']],
    ['not-sent', ['tryAgain', 'tryAgainWithModel']],
    ['signed-out', ['signIn', 'tryAgain']],
    ['agent-ended', ['goOn', 'tryAgain', 'copyReport']],
    ['not-started', ['tryAgain', 'chooseAgent']],
    ['limit', ['goOn', 'showSettings']],
    ['stopped-early', ['goOn']],
    ['token-limit', ['goOn']],
    ['anything-else', ['tryAgain', 'copyReport']],
  ])('by %s offers %j', (code, expected) => {
    const { buttons, what, why } = failureOf({ problem: problem(code), state: 'failed', blocks: [] }, 'Claude Code');
    expect(buttons.map(({ action }) => action)).toEqual(expected);
    expect(`${what} ${why}`).not.toMatch(/^Jumpseat:| Jumpseat:/);
    expect(`${what} ${why}`).toContain('It broke.');
  });
});

it('a command that changed lines shows them beside its output', () => {
  const changed = { added: 2, removed: 1 };
  const ran = (output: string) => shell('1', 'make', output, { changed });
  expect(changedBy(ran(''))).toEqual(changed);
  expect([resultOf(ran('a\nb'), true), resultOf(ran(''), true), resultOf(ran(''), false)]).toEqual([
    ...['2 lines', '', 'No output'],
  ]);
});

it('a step that read a file counts the lines that the file has', () => {
  // So Claude Code reports a file of two lines.
  const reported = (content: string, numLines: number) => {
    const claudeCode = {
      toolName: 'Read',
      toolResponse: { type: 'text', file: { filePath: 'a.txt', content, numLines } },
    };
    const update = { kind: 'read', status: 'completed', _meta: { claudeCode } };
    return resultOf(updatedStep(newStep('1', null), update, null, null), false);
  };
  expect([reported('one\ntwo\n', 3), reported('one\ntwo', 2), reported('\n', 1)]).toEqual([
    ...['2 lines', '2 lines', '1 line'],
  ]);
});

it('a turn that a limit stopped after a part of its answer can go on from there', () => {
  const problem = {
    ...{ code: 'refused', text: 'No.', remedy: '', requestId: null, stderr: null },
    facts: { status: 429, limit: 'model' as const },
  };
  const offered = (...blocks: Block[]) => {
    const { buttons, note } = failureOf({ problem, state: 'failed', blocks }, '');
    return [...buttons.map(({ action }) => action), note];
  };
  expect(offered()).toEqual(['tryAgain', 'tryAgainWithModel', null]);
  expect(offered(text('x', 'API Error: 429 No.'))).toEqual(['tryAgain', 'tryAgainWithModel', null]);
  expect(offered(read('1', 'a.ts'))).toEqual([
    ...['goOn', 'tryAgain', 'tryAgainWithModel'],
    'Continue sends “Go on where you stopped.” It counts as a user request.',
  ]);
});

it('a turn that a missing sign-in stopped after a step can go on without doing that step again', () => {
  const problem = { code: 'signed-out', text: 'No.', remedy: '', requestId: null, stderr: null };
  const offered = (...blocks: Block[]) =>
    failureOf({ problem, state: 'failed', blocks }, '').buttons.map(({ action }) => action);
  expect(offered()).toEqual(['signIn', 'tryAgain']);
  expect(offered(read('1', 'a.ts'))).toEqual(['signIn', 'goOn', 'tryAgain']);
});

it('a failed turn names its edits where it has any', () => {
  const problem = { code: 'refused', text: 'No.', remedy: '', requestId: null, stderr: null };
  const kept = (...blocks: Step[]) => failureOf({ problem, state: 'failed', blocks }, '').kept;
  expect([kept(), kept(read('1', 'a.ts'))]).toEqual([null, null]);
  const said = 'Edits made before the error are saved.';
  expect(kept(edit('1', 'a.ts', 'a', 'b'))).toBe(said);
  expect(kept(step('1', { stepKind: 'subagent', tool: 'Agent' }))).toBe(said);
});

describe('what is known of a failure', () => {
  const said = (code: string, facts: TurnFacts): string => {
    const problem = { code, text: 'Long.', remedy: '', requestId: null, stderr: null, facts };
    const { what, why, buttons } = failureOf({ problem, state: 'failed', blocks: [] }, 'Claude Code');
    return [what, why, ...buttons.map(({ action, label }) => label ?? action)].join(' | ');
  };

  it.each([
    [
      'no-connection',
      { network: 'ENOTFOUND', tries: 10 },
      'The connection to Copilot was lost. | Its name could not be found. Claude Code tried 10 times. | tryAgain',
    ],
    ['cut', { tokens: 1_204 }, 'The answer was cut after 1,204 tokens. | It isn’t known what it cost. | goOn'],
    [
      'context-full',
      { tokens: 210_004, most: 168_000, model: 'claude-opus-4.8' },
      'The conversation no longer fits. | 210,004 tokens; claude-opus-4.8 accepts 168,000. | ' +
        'compactAndTryAgain | forkEarlier',
    ],
    ['limit', { credits: 0.6 }, 'Stopped at your limit of 0.6 credits for a turn. |  | Go on | showSettings'],
    ['limit', { credits: 1 }, 'Stopped at your limit of 1 credit for a turn. |  | Go on | showSettings'],
    ['limit', { credits: 50 }, 'Stopped at your limit of 50 credits for a turn. |  | Go on | showSettings'],
    ['declined', {}, 'The model declined to answer. |  | changePrompt'],
    [
      'agent-ended',
      { signal: 9, ends: 1 },
      'Claude Code stopped in the middle of this turn. | The system ended it (signal 9), most often because memory ' +
        'ran out. Earlier work is saved; the last command may be half done. | goOn | Send the prompt again | copyReport',
    ],
    [
      'agent-ended',
      { exitCode: 3, ends: 3 },
      'Claude Code stopped in the middle of this turn. | It ended with exit code 3. It ended 3 times in 5 minutes. ' +
        'Earlier work is saved; the last command may be half done. | goOn | Send the prompt again | copyReport',
    ],
    [
      'refused',
      { status: 429, limit: 'weekly' },
      'A limit of Copilot’s stopped this turn. | Long. | tryAgain | tryAgainWithModel',
    ],
    [
      'refused',
      { status: 529, limit: 'overloaded' },
      'Copilot refused a request of this turn. | Long. | tryAgain | tryAgainWithModel',
    ],
    [
      'token-limit',
      { most: 32_000 },
      'The answer was cut at 32,000 tokens, the limit of one answer. | Everything before that is saved. | goOn',
    ],
    [
      'token-limit',
      {},
      'The answer was cut at the token limit of one answer. | Everything before that is saved. | goOn',
    ],
  ] as const)('%s %o', (code, facts, expected) => expect(said(code, facts)).toBe(expected));

  it('is copied for a bug report without a word of the conversation, or of what a program printed', () => {
    const problem = {
      ...{ code: 'agent-ended', text: 'at /home/me/secret', remedy: '', requestId: 'r-1', stderr: 'ghu_secret' },
      facts: { signal: 9 },
    };
    const one = turn('t', [shell('1', 'cat /home/me/secret', 'words', { state: 'cut', tool: 'Bash' })], {
      ...{ state: 'failed', problem, requestIds: ['r-1'] },
    });
    const about = { version: '1.2.3', agent: 'Claude Code', agentVersion: '2.1.328', system: 'Linux' };
    const report = turnReport(one, about);
    for (const word of ['secret', 'Prompt of t', 'words', 'cat']) expect(report).not.toContain(word);
    for (const word of ['1.2.3', '2.1.328', 'signal 9', 'agent-ended', 'r-1', 'Bash 1 (1 failed or cut)']) {
      expect(report).toContain(word);
    }
    // An agent's own sentence may quote what it was asked.
    const { facts: _facts, ...unknown } = { ...problem, code: 'failed' };
    expect(turnReport({ ...one, problem: unknown }, about)).not.toContain('secret');
    // Who develops Jumpseat reads it.
    showLanguage({ tag: 'fr', message: () => null });
    expect(exactTime(began)).toContain('nov.');
    expect(turnReport(one, about)).toBe(report);
  });
});

describe('what is heard', () => {
  it('is how a turn ended', () => {
    const ended = { startedAt: began, endedAt: began + 184_000 };
    expect(spokenEnd({ state: 'done', ...ended })).toBe('Done, 3 minutes 4 seconds');
    expect(spokenEnd({ state: 'cancelled', ...ended })).toBe('Stopped');
    expect(spokenEnd({ state: 'failed', ...ended })).toBe('Failed');
  });

  it('is what came since, and nothing where nothing did', () => {
    const before = turn('t', [shell('1', 'a', '')]);
    const now = turn('t', [shell('1', 'a', ''), shell('2', 'b', '', { state: 'failed' }), shell('3', 'c', '')]);
    expect(spokenSteps(before, now)).toBe('2 steps, 1 failed');
    expect(spokenSteps(now, now)).toBeNull();
  });

  it('is a turn’s name', () => expect(turnName(turn('t', []))).toBe('Prompt, 10:39:41'));
});

describe('keys', () => {
  const items = itemsOf(
    conversation([
      turn('a', [shell('1', 'a', ''), text('x', 'words'), shell('2', 'b', 'out', { state: 'failed' })]),
      turn('b', [shell('3', 'c', '')], { state: 'cancelled' }),
    ]),
  );
  const at = (find: (item: Item) => boolean): number => items.findIndex(find);
  const go = (key: string, from: number | null, shiftKey = false, atTop = 0) =>
    moveFor(nameOf(key, shiftKey), items, from, atTop)?.index;
  const failed = at((item) => item.kind === 'step' && item.step.id === '2');

  it('lead from step to step, and to none beyond the last', () => {
    expect([
      go('ArrowDown', null),
      go('ArrowDown', 1),
      go('ArrowUp', failed),
      go('ArrowDown', items.length - 1),
    ]).toEqual([...[1, failed, 1, undefined]]);
  });

  it('lead from prompt to prompt and from failure to failure', () => {
    const second = at(({ key }) => key === 'b:prompt');
    expect([go('u', 0), go('U', second, true), go('e', 0), go('e', failed)]).toEqual([
      ...[second, 0, failed, at(({ key }) => key === 'b:end')],
    ]);
  });

  it('copy what has words', () => {
    expect(items.map(copiedText)).toEqual(['Prompt of a', 'a', 'words', 'out', 'words', 'Prompt of b', 'c', '', '']);
  });

  it('leave others alone', () => expect(moveFor(nameOf('x'), items, null, 0)).toBeNull());
});
