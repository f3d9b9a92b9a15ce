import { describe, expect, it } from 'vitest';
import type { SessionQuestion } from '../../../../app/api/sessions.ts';
import { commandIn, entryHeight, linesOf, shortQuestion } from '../../../../renderer/sessions/list/short-question.ts';

function asked(input: object, change: Partial<SessionQuestion> = {}): SessionQuestion {
  const toolCall = { toolCallId: 't', name: 'Bash', kind: 'execute', title: 'a command', rawInput: input };
  const request = { toolCall, options: [] };
  return {
    ...{ id: 'q', sessionId: 's', turnId: 't', kind: 'permission', child: null, request, askedAt: 1 },
    ...change,
  };
}

const of = (input: object) => shortQuestion([asked(input)], 30);

it('the strip of what waits shows a command of any length, in one line', () => {
  const command = 'npm test -- migrations --reporter verbose --coverage --threads 4 --run\nls';
  expect(commandIn([asked({ command })])).toBe(command.replace('\n', ' '));
  expect(commandIn([asked({ command: 'sudo ls' })])).toBe('sudo ls');
  expect([commandIn([]), commandIn([asked({ command }), asked({ command })])]).toEqual([null, null]);
});

describe('a question that can be answered in the list', () => {
  it('is a command that stands there whole', () => {
    expect(of({ command: 'npm test -- migrations' })).toMatchObject({ command: 'npm test -- migrations', lines: 1 });
    expect(of({ command: 'npm test -- migrations --reporter verbose' })?.lines).toBe(2);
    expect(of({ command: 'git add .\ngit status', description: 'Looks at it' })?.lines).toBe(2);
  });

  it.each<[string, object]>([
    ['longer', { command: 'npm test -- migrations --reporter verbose --coverage --threads 4' }],
    ['of three lines', { command: 'a\nb\nc' }],
    ['with a letter that looks like another one', { command: 'curl раypal.com' }],
    ['with a direction mark', { command: 'echo \u202Etxt.exe' }],
    ['with spaces that push its end away', { command: 'ls   && rm -rf ~' }],
    ['with a tab', { command: 'ls\t-l' }],
    ['that ends in a space', { command: 'ls ' }],
    ['as root', { command: 'sudo ls' }],
    ['without the sandbox', { command: 'ls', dangerouslyDisableSandbox: true }],
    ['in the background', { command: 'npm start', run_in_background: true }],
    ['with more than the row shows', { command: 'ls', elevated: true }],
    ['empty', { command: '' }],
  ])('is none that is %s', (_, input) => {
    expect(of(input)).toBeNull();
  });

  it('is none beside others, no form, no edit, and none before the row is laid out', () => {
    const one = asked({ command: 'ls' });
    expect(shortQuestion([one, { ...one, id: 'q2' }], 30)).toBeNull();
    expect(shortQuestion([], 30)).toBeNull();
    expect(shortQuestion([{ ...one, kind: 'form' }], 30)).toBeNull();
    expect(of({ file_path: '/a', content: 'x' })).toBeNull();
    expect(shortQuestion([one], 0)).toBeNull();
  });
});

describe('the lines of a command', () => {
  it('break between words, and in a word that is longer than a line', () => {
    expect(linesOf('aaaa bbbb', 9)).toBe(1);
    expect(linesOf('aaaa bbbbb', 9)).toBe(2);
    expect(linesOf('a'.repeat(18), 9)).toBe(2);
    expect(linesOf(`b ${'a'.repeat(18)}`, 9)).toBe(3);
    expect(linesOf('a'.repeat(19), 9)).toBe(3);
  });

  it('make the row as much taller', () => {
    const asks = of({ command: 'ls' });
    const two = asks === null ? null : { ...asks, lines: 2 };
    expect(entryHeight('row', two) - entryHeight('row', asks)).toBe(16);
    expect(entryHeight('row', asks)).toBeGreaterThan(entryHeight('row', 'look'));
    expect(entryHeight('row', null)).toBe(48);
  });
});
