import { expect, it } from 'vitest';
import { completions } from '../../../renderer/requests/completion.ts';
import { rowOf } from '../../../renderer/requests/row.ts';
import { exchange } from '../example-exchanges.ts';

const rows = ['claude-opus-4.8', 'claude-haiku-4.5', 'claude-opus-4.8'].map((servedModel, index) =>
  rowOf(exchange({ id: `r${index}`, servedModel }), index),
);

it.each([
  ['mo', [{ label: 'model:', more: null, query: 'model:' }]],
  ['is:cut -ses', [{ label: 'session:', more: null, query: 'is:cut -session:' }]],
  ['is:er', [{ label: 'error', more: null, query: 'is:error ' }]],
  ['model:claude-h', [{ label: 'claude-haiku-4.5', more: 1, query: 'model:claude-haiku-4.5 ' }]],
  [
    'x model:',
    [
      { label: 'claude-opus-4.8', more: 2, query: 'x model:claude-opus-4.8 ' },
      { label: 'claude-haiku-4.5', more: 1, query: 'x model:claude-haiku-4.5 ' },
    ],
  ],
  ['', []],
  ['is:error', []],
  ['is:error ', []],
  ['nothing:x', []],
])('%j', (query, expected) => {
  expect(completions(query, rows)).toEqual(expected);
});
