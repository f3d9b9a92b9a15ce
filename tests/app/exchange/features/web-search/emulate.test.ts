import { describe, expect, it } from 'vitest';
import { searchesAsCalls } from '../../../../../app/exchange/features/web-search/emulate.ts';
import { resultBlock } from '../../../../../app/exchange/features/web-search/found.ts';
import type { Block, Message } from '../../../../../app/formats/messages/request.ts';
import { decodeIndex, encodeIndex, keptIn } from '../../../../../app/formats/messages/search-results.ts';
import { failed, found, page } from './fake-search.ts';

const user = (...content: Block[]): Message => ({ role: 'user', content });
const assistant = (...content: Block[]): Message => ({ role: 'assistant', content });
const text = (words: string, more: object = {}): Block => ({ type: 'text', text: words, ...more });
const call = (id: string): Block => ({
  type: 'server_tool_use',
  id: `srvtoolu_${id}`,
  name: 'web_search',
  input: { query: id },
});
const own = (id: string): Block => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string, outcome = found(id)): Block => resultBlock(`srvtoolu_${id}`, outcome);
const asCall = (id: string): Block => ({
  type: 'tool_use',
  id: `toolu_${id}`,
  name: 'web_search',
  input: { query: id },
});
const asResult = (id: string) => expect.objectContaining({ type: 'tool_result', tool_use_id: `toolu_${id}` });

describe('a conversation with searches that were made here', () => {
  it.each<[string, Message[], unknown[]]>([
    [
      'what was said after a result is an answer of its own',
      [user(text('q')), assistant(text('a'), call('1'), result('1'), text('b')), user(text('next'))],
      [
        user(text('q')),
        assistant(text('a'), asCall('1')),
        { role: 'user', content: [asResult('1')] },
        assistant(text('b')),
        user(text('next')),
      ],
    ],
    [
      'calls beside a search belong to the same answer, and their results come together',
      [
        user(text('q')),
        assistant(call('1'), result('1'), call('2'), result('2'), own('r')),
        user({ type: 'tool_result', tool_use_id: 'r', content: 'x' }),
      ],
      [
        user(text('q')),
        assistant(asCall('1'), asCall('2'), own('r')),
        {
          role: 'user',
          content: [asResult('1'), asResult('2'), { type: 'tool_result', tool_use_id: 'r', content: 'x' }],
        },
      ],
    ],
    [
      'a paused turn goes on with what was found',
      [user(text('q')), assistant(call('1'), result('1'))],
      [user(text('q')), assistant(asCall('1')), { role: 'user', content: [asResult('1')] }],
    ],
    [
      'two answers in a row',
      [
        user(text('q')),
        assistant(call('1'), result('1')),
        assistant(call('2'), result('2')),
        { role: 'user', content: 'n' },
      ],
      [
        user(text('q')),
        assistant(asCall('1')),
        { role: 'user', content: [asResult('1')] },
        assistant(asCall('2')),
        { role: 'user', content: [asResult('2'), text('n')] },
      ],
    ],
  ])('%s', (_, messages, expected) => {
    const before = structuredClone(messages);
    expect(searchesAsCalls(messages, true)).toEqual(expected);
    expect(messages).toEqual(before);
  });

  it('a failure, nothing found, and a summary are told in words', () => {
    const contentOf = (outcome: ReturnType<typeof found>) =>
      searchesAsCalls([assistant(call('1'), result('1', outcome))], false).at(-1)?.content;
    expect(contentOf(failed('unavailable'))).toMatchObject([
      { is_error: true, content: [{ text: 'The web search failed: unavailable.' }] },
    ]);
    expect(contentOf(found('q', []))).toMatchObject([{ content: [{ text: 'The web search found nothing.' }] }]);
    const [both] = contentOf(found('q', [page('one')], 'All in all.')) as Block[];
    expect(both?.content).toMatchObject([
      { type: 'search_result', source: 'https://one.example/page', content: [{ text: 'What one says.' }] },
      { type: 'text', text: expect.stringContaining('All in all.') },
    ]);
  });

  it('results of others, and empty ones, stay as they are', () => {
    const foreign: Block = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: '' }],
    };
    const messages = [user(text('q')), assistant(call('1'), foreign, text('b'))];
    expect(searchesAsCalls(messages, true)).toEqual(messages);
    const plain = [user(text('q')), assistant(text('b'))];
    expect(searchesAsCalls(plain, true)).toBe(plain);
  });

  it('a citation of a page that is there is the model’s own again; another stays for the fit to take out', () => {
    const citation = (result: number, url: string) => ({
      type: 'web_search_result_location',
      url,
      title: 'T',
      cited_text: 'c',
      encrypted_index: encodeIndex({ result, from: 0, to: 1 }),
    });
    const there = citation(1, 'https://two.example/page');
    const gone = citation(0, 'https://gone.example');
    const said = text('b', { citations: [there, gone] });
    const turns = searchesAsCalls([user(text('q')), assistant(call('1'), result('1'), said)], true);
    expect(turns.at(-1)?.content).toMatchObject([
      {
        citations: [
          {
            type: 'search_result_location',
            source: 'https://two.example/page',
            search_result_index: 1,
            start_block_index: 0,
            end_block_index: 1,
          },
          gone,
        ],
      },
    ]);
  });
});

it.each(['', 'EqgfCioIARgB', 'eyJqdW1wc2VhdCI6', 'eyJqdW1wc2VhdCI6OX0', 7, null])(
  '%s was not made here',
  (encrypted) => {
    expect([keptIn({ encrypted_content: encrypted }), decodeIndex(encrypted)]).toEqual([null, null]);
  },
);
