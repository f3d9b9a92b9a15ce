import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchOutcome } from '../../../../../app/api/search.ts';
import { resultBlock } from '../../../../../app/exchange/features/web-search/found.ts';
import { SearchedAnswer } from '../../../../../app/exchange/features/web-search/searched-answer.ts';
import { MessagesCollector } from '../../../../../app/formats/messages/collector.ts';
import { MessagesRelay } from '../../../../../app/formats/messages/relay.ts';
import { serverToolId } from '../../../../../app/formats/messages/search-results.ts';
import { isObject, type JsonObject } from '../../../../../app/formats/wire/json.ts';
import { cutAt, disorder, eventsIn, sse } from '../../../formats/stream.ts';
import { failed, found } from './fake-search.ts';

/** One block of an answer of the upstream's. */
type Said = { kind: 'text'; text: string } | { kind: 'search'; query: string } | { kind: 'call' };

const said = fc.oneof<fc.Arbitrary<Said>[]>(
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('search' as const), query: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('call' as const) }),
);
/** Answers of the upstream's, one after the other, and where the bytes of each are cut. */
const rounds = fc.array(
  fc.record({ blocks: fc.array(said, { maxLength: 5 }), cuts: fc.array(fc.nat(4000), { maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
);
const outcomes = fc.infiniteStream(
  fc.constantFrom<SearchOutcome>(found('x'), found('x', []), failed('unavailable'), failed('max_uses_exceeded')),
);

let ids = 0;
function eventsOf(blocks: readonly Said[]): JsonObject[] {
  const calls = blocks.some(({ kind }) => kind !== 'text');
  return [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'up',
        content: [],
        usage: { input_tokens: 7, output_tokens: 1 },
      },
    },
    ...blocks.flatMap((block, index): JsonObject[] => [
      { type: 'content_block_start', index, content_block: begun(block) },
      { type: 'content_block_delta', index, delta: deltaOf(block) },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
}

function begun(block: Said): JsonObject {
  if (block.kind === 'text') return { type: 'text', text: '' };
  return { type: 'tool_use', id: `toolu_${ids++}`, name: block.kind === 'search' ? 'web_search' : 'Read', input: {} };
}

function deltaOf(block: Said): JsonObject {
  if (block.kind === 'text') return { type: 'text_delta', text: block.text };
  return {
    type: 'input_json_delta',
    partial_json: JSON.stringify(block.kind === 'search' ? { query: block.query } : {}),
  };
}

/** Leads answers through, as `relayWithSearches` does, and returns what the client gets. */
function lead(answers: readonly { blocks: readonly Said[]; cuts: readonly number[] }[], next: () => SearchOutcome) {
  const [first, ...rest] = answers;
  const answer = new SearchedAnswer(new MessagesRelay({ model: 'asked' }), {
    name: 'web_search',
    pages: [],
    cites: true,
  });
  const written: Buffer[] = [];
  const feed = (round: typeof first): void => {
    for (const chunk of cutAt(Buffer.from(sse(...eventsOf(round?.blocks ?? []))), round?.cuts ?? []))
      written.push(answer.push(chunk) ?? Buffer.alloc(0));
  };
  let read = 1;
  feed(first);
  for (let round = answer.ended(); round !== null; round = answer.ended()) {
    answer.results(round.calls.map(({ id }) => resultBlock(serverToolId(id), next())));
    const more = rest.shift();
    if (round.handsOver || more === undefined) answer.finish(round.handsOver ? 'tool_use' : 'pause_turn');
    written.push(answer.push(Buffer.alloc(0)) ?? Buffer.alloc(0));
    if (answer.facts.ended || more === undefined) break;
    answer.goOn(new MessagesRelay({ model: 'asked' }));
    read += 1;
    feed(more);
  }
  return { bytes: Buffer.concat(written), answer, read };
}

describe('one answer out of several', () => {
  it('keeps the grammar of blocks, in whatever pieces they come, and a result stands behind its call', () => {
    fc.assert(
      fc.property(rounds, outcomes, (answers, stream) => {
        const { bytes, answer, read } = lead(answers, () => stream.next().value);
        const events = eventsIn(bytes);
        expect(disorder(events)).toBeNull();
        expect(events.filter(({ type }) => type === 'message_start')).toHaveLength(1);
        expect(events.at(-1)?.type).toBe('message_stop');
        expect(answer.facts).toMatchObject({ ended: true, failure: null });
        // Each answer that was read has been counted, and no other.
        expect(answer.facts.usage).toMatchObject({ input: 7 * read, output: 5 * read });

        const blocks = events
          .filter(({ type }) => type === 'content_block_start')
          .map((each) => Object(each.content_block));
        const calls = blocks.filter(({ type }) => type === 'server_tool_use');
        for (const [at, block] of blocks.entries()) {
          expect(block.name === 'web_search' && block.type === 'tool_use').toBe(false);
          if (block.type === 'server_tool_use') expect(blocks[at + 1]?.tool_use_id).toBe(block.id);
        }
        expect(calls).toHaveLength(
          answers.slice(0, read).flatMap((each) => each.blocks.filter(({ kind }) => kind === 'search')).length,
        );
      }),
    );
  });

  it('a whole answer is the stream put together, with the texts as they were said', () => {
    fc.assert(
      fc.property(rounds, (answers) => {
        const { bytes, read } = lead(answers, () => found('x'));
        const collector = new MessagesCollector();
        collector.push(bytes);
        const texts = collector.message()?.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
        const expected = answers
          .slice(0, read)
          .flatMap(({ blocks }) => blocks.flatMap((each) => (each.kind === 'text' ? [each.text] : [])));
        expect(texts).toEqual(expected);
      }),
    );
  });

  it('an answer that is cut anywhere ends as a failure, without an end', () => {
    const bytes = Buffer.from(
      sse(
        ...eventsOf([
          { kind: 'text', text: 'a' },
          { kind: 'search', query: 'q' },
        ]),
      ),
    );
    for (let at = 1; at < bytes.length - 1; at += 1) {
      const answer = new SearchedAnswer(new MessagesRelay({ model: 'asked' }), {
        name: 'web_search',
        pages: [],
        cites: true,
      });
      const written = Buffer.concat([
        answer.push(bytes.subarray(0, at)) ?? Buffer.alloc(0),
        answer.end() ?? Buffer.alloc(0),
      ]);
      if (answer.round.ended) continue;
      expect([at, answer.facts.failure?.kind, answer.ended()]).toEqual([at, 'cut', null]);
      expect(written.includes('message_stop')).toBe(false);
    }
  });

  it('a call that was cut short by the limit is not searched, and its place is filled', () => {
    const events = eventsOf([
      { kind: 'search', query: 'q' },
      { kind: 'search', query: 'r' },
    ]).map((event) =>
      event.type === 'message_delta' ? { ...event, delta: { stop_reason: 'max_tokens', stop_sequence: null } } : event,
    );
    const answer = new SearchedAnswer(new MessagesRelay({ model: 'asked' }), {
      name: 'web_search',
      pages: [],
      cites: true,
    });
    const written = eventsIn(answer.push(Buffer.from(sse(...events))) ?? Buffer.alloc(0));
    expect(disorder(written)).toBeNull();
    expect([answer.ended(), answer.facts.stopReason]).toEqual([null, 'max_tokens']);
    const results = written.flatMap(({ content_block: block }) =>
      isObject(block) && block.type === 'web_search_tool_result' ? [block.content] : [],
    );
    expect(results).toMatchObject([{ error_code: 'unavailable' }, { error_code: 'unavailable' }]);
  });

  it('a search whose arguments are no JSON is a failure', () => {
    const events = eventsOf([{ kind: 'search', query: 'q' }]).map((event) =>
      event.type === 'content_block_delta'
        ? { ...event, delta: { type: 'input_json_delta', partial_json: '{"que' } }
        : event,
    );
    const answer = new SearchedAnswer(new MessagesRelay({ model: 'asked' }), {
      name: 'web_search',
      pages: [],
      cites: true,
    });
    answer.push(Buffer.from(sse(...events)));
    expect([answer.ended(), answer.facts.failure?.kind]).toEqual([null, 'error']);
  });
});
