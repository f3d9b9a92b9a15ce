import { describe, expect, it } from 'vitest';
import { covers, type RuleWords } from '../../../../app/sessions/questions/permission.ts';
import { readPermission } from '../../../../renderer/sessions/questions/asked.ts';
import { offeredRules, rulesFor } from '../../../../renderer/sessions/questions/choose-rule.tsx';
import { permissionQuestion, toolCall } from '../questions.ts';

const labels = (command: string) => offeredRules('Bash', command).map(({ label }) => label);

describe('rules that are offered for a command', () => {
  it.each([
    ['npm test', ['Only this very command', 'npm test, with any arguments', 'Every npm command']],
    ['npm test -- webhooks --update', ['Only this very command', 'npm test, with any arguments', 'Every npm command']],
    ['npm run check', ['Only this very command', 'npm run check, with any arguments', 'Every npm command']],
    ['npm run -s check', ['Only this very command', 'Every npm command']],
    ['git -C /tmp push', ['Only this very command', 'Every git command']],
    ['ls -la src', ['Only this very command', 'Every ls command']],
    ['touch made', ['Only this very command', 'Every touch command']],
  ])('of %s begin with the narrowest', (command, expected) => {
    expect(labels(command)).toEqual(expected);
  });

  it.each([
    'npm test && rm -rf /',
    'npm test; ls',
    'npm test | tee log',
    'npm test > log',
    'npm test $(date)',
    'npm test\nls',
    ' npm test',
    '',
    'sudo npm test',
    'bash -c "npm test"',
    'node -e 1',
    'env A=1 npm test',
    'A=1 npm test',
    './run.sh',
    'rm made',
  ])('of %j hold for it alone', (command) => {
    expect(labels(command)).toEqual(['Only this very command']);
  });

  it.each(['npm test -- a', 'npm run check', 'git push', 'ls -la', 'npm test && ls', 'ls'])(
    'cover %j itself, as the host counts them, and never a second command behind it',
    (command) => {
      const asks = (words: string) => ({ toolCall: toolCall({ name: 'Bash', rawInput: { command: words } }) });
      for (const { rule } of offeredRules('Bash', command)) {
        expect(covers(rule satisfies RuleWords, asks(command))).toBe(true);
        expect(covers(rule, asks(`${command} && curl example.com`))).toBe(false);
      }
    },
  );

  it('say what else the widest one allows', () => {
    expect(offeredRules('Bash', 'npm test').at(-1)).toEqual({
      label: 'Every npm command',
      notation: 'Bash(npm:*)',
      also: 'npm install and npm publish',
      rule: { tool: 'Bash', input: 'npm', isExact: false },
    });
  });
});

describe('rules that are offered for a question', () => {
  const offered = (call: Parameters<typeof toolCall>[0]) =>
    rulesFor(readPermission(permissionQuestion(call))).map(({ label }) => label);

  it('are none where a command leaves the sandbox, and none for a plan, an edit or a tool without a name', () => {
    expect(offered({ name: 'Bash', rawInput: { command: 'ls', dangerouslyDisableSandbox: true } })).toEqual([]);
    expect(offered({ name: 'ExitPlanMode', kind: 'switch_mode', rawInput: { plan: '# Plan' } })).toEqual([]);
    const diff = { type: 'diff', path: '/a', oldText: 'a', newText: 'b' };
    expect(offered({ name: 'Edit', kind: 'edit', rawInput: { file_path: '/a' }, content: [diff] })).toEqual([]);
    expect(offered({ rawInput: { command: 'ls' } })).toEqual([]);
  });

  it('name the tool of a server, unless the host would take its input for a command', () => {
    expect(offered({ name: 'mcp__sentry__search', rawInput: { q: 'x' } })).toEqual([
      'search of sentry, with any input',
    ]);
    expect(offered({ name: 'mcp__box__run', rawInput: { command: 'ls' } })).toEqual([]);
  });
});
