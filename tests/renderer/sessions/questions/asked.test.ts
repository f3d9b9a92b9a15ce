import { describe, expect, it } from 'vitest';
import { isInFolders, shownPath } from '../../../../renderer/sessions/paths.ts';
import { readPermission, timeLimitWords, warningsOf } from '../../../../renderer/sessions/questions/asked.ts';
import { approvalOf } from '../../../../renderer/sessions/questions/plan.tsx';
import { asksWords, readQuestion } from '../../../../renderer/sessions/questions/question-words.ts';
import { permissionQuestion } from '../questions.ts';

type Call = Parameters<typeof permissionQuestion>[0];
const subject = (call: Call) => readPermission(permissionQuestion(call)).subject;

describe('a permission question', () => {
  it('of a command has all of it, and what else its input says', () => {
    const input = {
      command: 'sleep 9',
      description: 'Wait',
      run_in_background: true,
      timeout: 600_000,
      extra: { a: 1 },
    };
    const { rest, ...asked } = readPermission(permissionQuestion({ name: 'Bash', rawInput: input }));
    expect(asked.subject).toEqual({
      kind: 'command',
      command: 'sleep 9',
      tool: 'Bash',
      description: 'Wait',
      isInBackground: true,
      timeLimit: 600_000,
      isUnboxed: false,
    });
    expect(rest).toEqual({ extra: { a: 1 } });
  });

  it('of a command given word by word has it as a shell would need it, and no rule can name it', () => {
    const command = ['bash', '-lc', "echo 'a b'"];
    expect(subject({ kind: 'execute', rawInput: { command } })).toMatchObject({
      command: "bash -lc 'echo '\\''a b'\\'''",
      tool: null,
    });
  });

  it.each<[string, Call, object]>([
    ['an edit', edit('Edit'), { kind: 'edit', path: '/p/a.ts' }],
    ['a new file', edit('Write'), { kind: 'write', path: '/p/a.ts' }],
    ['a page', { name: 'WebFetch', rawInput: { url: 'https://a.b', prompt: 'x' } }, { kind: 'page', prompt: 'x' }],
    ['a search', { name: 'WebSearch', rawInput: { query: 'x' } }, { kind: 'search-web', query: 'x' }],
    [
      'a read',
      { name: 'Read', kind: 'read', rawInput: { file_path: '/a', offset: 3, limit: 4 } },
      { lines: { first: 3, last: 6 } },
    ],
    ['a tool of a server', { name: 'mcp__a_b__c__d', rawInput: {} }, { kind: 'mcp', server: 'a_b', tool: 'c__d' }],
    [
      'a subagent',
      { name: 'Task', rawInput: { subagent_type: 'Explore', prompt: 'x' } },
      { type: 'Explore', task: 'x' },
    ],
    ['a skill', { name: 'Skill', rawInput: { skill: 'pdf' } }, { kind: 'skill', name: 'pdf' }],
    ['a plan', { kind: 'switch_mode', rawInput: { plan: '# P' } }, { kind: 'plan', plan: '# P', file: null }],
    [
      'a plan without words',
      { kind: 'switch_mode', name: 'ExitPlanMode', rawInput: {} },
      { kind: 'plan', plan: '', file: null },
    ],
    ['another tool', { name: 'New', rawInput: { a: 1 } }, { kind: 'other', tool: 'New' }],
  ])('of %s is read', (_, call, expected) => {
    expect(subject(call)).toMatchObject(expected);
  });

  it.each<Call>([
    { name: 'New', rawInput: { a: 1 } },
    { name: 'mcp__a__b', rawInput: { a: 1 } },
  ])('shows the whole input of %o', (call) => {
    expect(readPermission(permissionQuestion(call)).rest).toEqual({ a: 1 });
  });

  it.each([null, 7, {}, { toolCall: 7, options: 'x' }, { toolCall: { rawInput: [] }, options: [{}] }])(
    'of a shape that is not known (%j) is still one',
    (request) => {
      expect(readPermission({ ...permissionQuestion({}), request })).toMatchObject({
        subject: { kind: 'other' },
        options: [],
      });
    },
  );

  it('says what it is about in few words', () => {
    const asked = readQuestion(permissionQuestion({ name: 'Bash', rawInput: { command: 'ls' } }));
    expect(asksWords(asked, 'Claude')).toBe('Claude asks to run a command.');
  });
});

function edit(name: string): Call {
  const content = [{ type: 'diff', path: '/p/a.ts', oldText: null, newText: 'b' }];
  return { name, kind: 'edit', rawInput: { file_path: '/p/a.ts' }, content };
}

describe('what one could overlook in a command', () => {
  const warnings = (command: string, isUnboxed = false) => {
    const read = subject({ name: 'Bash', rawInput: { command, dangerouslyDisableSandbox: isUnboxed } });
    return read.kind === 'command' ? warningsOf(read) : null;
  };
  it.each([
    ['sudo ls', ['as root']],
    ['cd /tmp && sudo rm x', ['as root', 'deletes files']],
    ['rm -rf build', ['deletes files']],
    ['cd a;/bin/rm x', ['deletes files']],
    ['bash -c "rm x"', ['deletes files']],
    ['find . -name x -delete', ['deletes files']],
    ['git -C a clean -fd', ['deletes files']],
    ['git reset --hard HEAD~1', ['discards changes']],
    ['git checkout -- .', ['discards changes']],
    ['git stash drop', ['discards changes']],
    ['npm run format && echo rma', []],
    ['git checkout main', []],
    ['find . -name rm.ts', []],
    ['echo pseudo', []],
    ['cat sudoers', []],
  ])('%s: %j', (command, expected) => {
    expect(warnings(command)).toEqual(expected);
  });
  it('is said', () => {
    expect(warnings('ls', true)).toEqual(['without the sandbox']);
    expect([timeLimitWords(null), timeLimitWords(120_000), timeLimitWords(600_000)]).toEqual([null, null, '10 m 00 s']);
  });
});

describe('a path', () => {
  it.each([
    ['/p/a.ts', true, 'a.ts'],
    ['/p/x/../a.ts', true, 'a.ts'],
    ['/p/../q/a.ts', false, '/p/../q/a.ts'],
    ['/pp/a.ts', false, '/pp/a.ts'],
    ['../a.ts', false, '../a.ts'],
    ['src/a.ts', true, 'src/a.ts'],
  ])('%s lies in the session’s folder: %s', (path, inside, words) => {
    expect(isInFolders(path, ['/p'])).toBe(inside);
    expect(shownPath(path, '/p')).toBe(words);
  });
});

describe('a plan is approved', () => {
  const option = (id: string) => ({ id, name: id, kind: 'allow_once' });
  it('with the agent’s own option, and the mode by the host where there is none for it', () => {
    const options = [option('exit-plan-default'), option('exit-plan-auto')];
    expect(approvalOf(options, true)).toEqual({ answer: 'allow', optionId: 'exit-plan-default', acceptEdits: true });
    expect(approvalOf(options, false)).toEqual({ answer: 'allow', optionId: 'exit-plan-default' });
    const both = [...options, option('exit-plan-accept-edits')];
    expect(approvalOf(both, true)).toEqual({ answer: 'allow', optionId: 'exit-plan-accept-edits' });
    expect(approvalOf([option('yes')], true)).toEqual({ answer: 'allow', acceptEdits: true });
  });
});
