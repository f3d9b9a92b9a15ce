import { describe, expect, it } from 'vitest';
import { readSearched } from '../../../../app/formats/responses/searched.ts';

const call = (action: object, more: object = {}) => ({ type: 'web_search_call', status: 'completed', action, ...more });
const said = (text: string, annotations: object[] = []) => ({
  type: 'message',
  content: [{ type: 'output_text', text, annotations }],
});

describe('readSearched', () => {
  it('reads citations of marks, sources of the call, and pages that were opened', () => {
    const text = 'Node 24 is LTS. ([nodejs.org](https://nodejs.org/en?utm_source=openai))\nSecond line.';
    const mark = { start_index: 16, end_index: 71 };
    expect(
      readSearched({
        output: [
          { type: 'reasoning', summary: [] },
          call({
            type: 'search',
            queries: ['node'],
            sources: [
              { type: 'url', url: 'https://nodejs.org/en' },
              { type: 'url', url: 'https://b.example/' },
            ],
          }),
          call({ type: 'open_page', url: 'https://c.example/' }),
          call({ type: 'search' }, { status: 'failed' }),
          said(text, [
            { type: 'url_citation', ...mark, title: 'Releases', url: 'https://nodejs.org/en?utm_source=openai' },
          ]),
        ],
      }),
    ).toEqual({
      searches: 2,
      text,
      pages: [
        { url: 'https://nodejs.org/en', title: 'Releases', passages: ['Node 24 is LTS.'] },
        { url: 'https://b.example/', title: null, passages: [] },
        { url: 'https://c.example/', title: null, passages: [] },
      ],
    });
  });

  it('reads citations that span words', () => {
    const annotation = { type: 'url_citation', start_index: 0, end_index: 5, title: 'A', url: 'https://a.example/' };
    expect(readSearched({ output: [said('Words and more.', [annotation])] }).pages).toEqual([
      { url: 'https://a.example/', title: 'A', passages: ['Words'] },
    ]);
  });

  it('reads links of a text without annotations', () => {
    const text = '- Node 26 is current, see [Releases](https://nodejs.org/r).\n- Other';
    expect(readSearched({ output: [call({ type: 'search' }), said(text)] }).pages).toEqual([
      { url: 'https://nodejs.org/r', title: 'Releases', passages: ['Node 26 is current, see.'] },
    ]);
  });

  it.each([
    ['no output', {}],
    ['strange items', { output: [1, null, { type: 'message', content: 'x' }, call({ sources: 'x' })] }],
    [
      'strange annotations',
      { output: [said('x', [{ type: 'url_citation', url: 'no address', start_index: -5, end_index: 9e9 }])] },
    ],
  ])('takes %s for no page', (_what, response) => {
    expect(readSearched(response).pages).toEqual([]);
  });
});
