import { expect, it } from 'vitest';
import { notifiableCommand } from '../../../app/words/session-questions.ts';

const asks = (input: Record<string, unknown>, change: Record<string, unknown> = {}) =>
  notifiableCommand({
    kind: 'permission',
    request: { toolCall: { kind: 'execute', name: 'Bash', rawInput: input, ...change } },
  });

it('a short plain command can be answered in a notification', () => {
  expect(asks({ command: 'npm test', description: 'Run the tests' })).toBe('npm test');
  expect(asks({ command: 'x'.repeat(60) })).toBe('x'.repeat(60));
});

it.each([
  ['is longer', { command: 'x'.repeat(61) }],
  ['has a second line', { command: 'npm test\nnpm publish' }],
  ['has signs that look like others', { command: 'npm tеst' }],
  ['hides something behind blanks', { command: 'npm test  ; x' }],
  ['deletes', { command: 'rm -r build' }],
  ['discards', { command: 'git reset --hard' }],
  ['becomes root', { command: 'sudo make install' }],
  ['goes on in the background', { command: 'npm start', run_in_background: true }],
  ['leaves the sandbox', { command: 'npm test', dangerouslyDisableSandbox: true }],
  ['has a time limit', { command: 'npm test', timeout: 600_000 }],
  ['comes word by word', { command: ['npm', 'test'] }],
])('one that %s is read in the window', (_, input) => {
  expect(asks(input)).toBeNull();
});

it.each([
  ['an edit', { name: 'Edit', kind: 'edit' }],
  ['a plan', { name: 'ExitPlanMode', kind: 'switch_mode' }],
  ['a server’s tool', { name: 'mcp__shell__run' }],
  ['a tool that is not known', { name: 'Run', kind: 'other' }],
])('so is %s, whatever its input', (_, change) => {
  expect(asks({ command: 'npm test' }, change)).toBeNull();
});

it('and a form', () => {
  expect(
    notifiableCommand({ kind: 'form', request: { toolCall: { kind: 'execute', rawInput: { command: 'ls' } } } }),
  ).toBeNull();
});
