import { styleText } from 'node:util';
import { expect, it } from 'vitest';
import { fill, table, width } from '../../../app/cli/table.ts';

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

it('fills up and never cuts', () => {
  expect([fill('ab', 4), fill('ab', 4, 'right'), fill('abcdef', 4)]).toEqual(['ab  ', '  ab', 'abcdef']);
});
