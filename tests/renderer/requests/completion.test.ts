import { expect, it } from 'vitest';
import { completions } from '../../../renderer/requests/completion.ts';
import { RequestLog } from '../../../renderer/state/log/request-log.ts';
import { rowOf } from '../../../renderer/state/log/row.ts';
import { exchange } from '../../exchange.ts';

const rows = ['claude-opus-4.8', 'claude-haiku-4.5', 'claude-opus-4.8'].map((servedModel, index) =>
  rowOf(exchange({ id: `r${index}`, servedModel }), index),
);

const log = new RequestLog();
const context = {
  ...log.context(),
  isPinned: (id: string) => id === 'r1',
  hasBody: (id: string) => id === 'r2',
  folderOf: ({ id }: { id: string }) => (id === 'r0' ? null : '/srv/my shop'),
};

it.each([
  ['mo', [{ label: 'model:', more: null, query: 'model:' }]],
  ['is:cut -ses', [{ label: 'session:', more: null, query: 'is:cut -session:' }]],
  ['is:er', [{ label: 'error', more: 0, query: 'is:error ' }]],
  [
    'has:',
    [
      { label: 'body', more: 1, query: 'has:body ' },
      { label: 'error', more: 0, query: 'has:error ' },
      { label: 'tools', more: 0, query: 'has:tools ' },
      { label: 'images', more: 0, query: 'has:images ' },
      { label: 'thinking', more: 0, query: 'has:thinking ' },
    ],
  ],
  ['path:m', [{ label: 'messages', more: 3, query: 'path:messages ' }]],
  [
    'took:>1',
    [
      { label: '>10s', more: null, query: 'took:>10s ' },
      { label: '>1m', more: null, query: 'took:>1m ' },
    ],
  ],
  ['model:claude-h', [{ label: 'claude-haiku-4.5', more: 1, query: 'model:claude-haiku-4.5 ' }]],
  [
    'x model:',
    [
      { label: 'claude-opus-4.8', more: 2, query: 'x model:claude-opus-4.8 ' },
      { label: 'claude-haiku-4.5', more: 1, query: 'x model:claude-haiku-4.5 ' },
    ],
  ],
  [
    'folder:',
    [
      { label: '/srv/my shop', more: 2, query: 'folder:"/srv/my shop" ' },
      { label: 'none', more: 1, query: 'folder:none ' },
    ],
  ],
  ['on:to', [{ label: 'today', more: null, query: 'on:today ' }]],
  ['', []],
  ['is:error', []],
  ['is:error ', []],
  ['nothing:x', []],
  ['constructor:', []],
])('%j', (query, expected) => {
  expect(completions(query, rows, context)).toEqual(expected);
});

it('offers eight at most, those that most rows have first', () => {
  const offers = completions('is:', rows, context);
  expect(offers).toHaveLength(8);
  expect(offers.slice(0, 3).map(({ label, more }) => [label, more])).toEqual([
    ['billed', 3],
    ['pinned', 1],
    ['free', 0],
  ]);
});
