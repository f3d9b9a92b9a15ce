import { styleText } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { breakLinesWith, hung, lineOf, table, width } from '../../../app/cli/table.ts';

it('aligns columns by what is seen, with nothing at the end of a line', () => {
  const red = styleText('red', '429', { validateStream: false });
  expect(width(red)).toBe(3);
  expect(
    table(
      [{ head: 'Model' }, { head: 'Status', align: 'right' }, { head: 'Session' }],
      [
        ['claude-opus-4.8 ← opus', '200', '7f3a91c2'],
        ['gpt-6', red, ''],
      ],
    ),
  ).toEqual([
    'Model                   Status  Session',
    'claude-opus-4.8 ← opus     200  7f3a91c2',
    `gpt-6                      ${red}`,
  ]);
});

it('has no head line where there are no heads', () => {
  expect(table([{ head: '' }, { head: '' }], [['a', 'b']])).toEqual(['a  b']);
});

it('fills up columns of a known width, and cuts nothing where there is room', () => {
  const columns = [
    { width: 4, least: 3 },
    { width: 4, align: 'right', spare: 1 },
  ] as const;
  expect([lineOf(columns, ['ab', 'c']), lineOf(columns, ['abcdef', 'c'], 80)]).toEqual(['ab       c', 'abcdef     c']);
  expect([lineOf(columns, ['abcdef', 'c'], 9), lineOf(columns, ['abcdef', 'c'], 3)]).toEqual(['ab…     c', 'ab…']);
});

it('a text whose column leaves it no room begins on the next line, within the terminal', () => {
  const lines = `  ! Shell variables  ${hung('ANTHROPIC_MODEL is set in this shell', 21, 40)}`.split('\n');
  expect(lines.slice(1)).toEqual(['    ANTHROPIC_MODEL is set in this shell']);
  const wide = `${' '.repeat(21)}${hung('one two three four five', 21, 44)}`;
  expect(wide.split('\n').map((line) => line.length <= 44)).toEqual([true]);
});

it('breaks lines by our commands as they are typed here, and never within their name', () => {
  breakLinesWith('npm run -s jumpseat --');
  onTestFinished(() => breakLinesWith('jumpseat'));
  expect(hung('Not signed in. Run "jumpseat login" in a terminal.', 0, 40).split('\n')).toEqual([
    'Not signed in. Run',
    '"npm run -s jumpseat -- login" in a',
    'terminal.',
  ]);
});
