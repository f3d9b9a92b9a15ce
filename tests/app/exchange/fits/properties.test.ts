import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FitContext, fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import type { Block, Message, MessagesRequest } from '../../../../app/formats/messages.ts';
import { claude, deepFreeze, olderClaude, onChat, onNative } from './claude.ts';
import { copilotComplaints } from './copilot-complaints.ts';

/** Words that occur nowhere else: what was said can be found again, and its order. */
const said = fc.integer({ min: 0, max: 999999 }).map((number) => `«${number}»`);
const blank = fc.constantFrom('', ' ', '\n\t');
const mark = fc.constantFrom(undefined, { type: 'ephemeral' }, { type: 'ephemeral', scope: 'global' });

const marked = (block: fc.Arbitrary<Block>): fc.Arbitrary<Block> =>
  fc
    .tuple(block, mark)
    .map(([inner, cache_control]) => (cache_control === undefined ? inner : { ...inner, cache_control }));
const textBlock = marked(fc.oneof({ weight: 4, arbitrary: said }, blank).map((text) => ({ type: 'text', text })));
const imageBlock = fc.constant<Block>({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
});
const callBlock = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), said)
  .map(([id, command]): Block => ({ type: 'tool_use', id, name: 'Bash', input: { command } }));
const resultContent = fc.oneof(said, fc.array(fc.oneof(textBlock, imageBlock), { maxLength: 3 }));
const resultBlock = marked(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd'), resultContent)
    .map(([tool_use_id, content]) => ({ type: 'tool_result', tool_use_id, content })),
);
const thinkingBlock = fc.constantFrom<Block>(
  { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
  { type: 'thinking', thinking: 'Hm', signature: 'jumpseat-chat:x' },
  { type: 'thinking', thinking: '' },
);

const userMessage = fc.array(fc.oneof(textBlock, imageBlock, resultBlock), { maxLength: 4 }).map(
  (content): Message => ({
    role: 'user',
    // Results come first: clients that put words before them are refused by Anthropic itself.
    content: content.toSorted((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result')),
  }),
);
const assistantMessage = fc
  .array(fc.oneof(textBlock, callBlock, thinkingBlock), { maxLength: 4 })
  .map((content): Message => ({ role: 'assistant', content }));
const systemMessage = fc
  .oneof(said, blank, fc.array(textBlock, { maxLength: 2 }))
  .map((content): Message => ({ role: 'system', content }));
const stringMessage = fc.oneof(said, blank).map((content): Message => ({ role: 'user', content }));

/** Anything that a client might get wrong. */
const wildMessages = fc.array(fc.oneof(userMessage, assistantMessage, systemMessage, stringMessage), {
  minLength: 1,
  maxLength: 10,
});

/** What a client sends when all is well: calls answered right after, in order; ids never used twice. */
const soundMessages = fc
  .array(fc.tuple(said, said, fc.array(fc.tuple(said, said), { maxLength: 3 }), fc.option(said)), {
    minLength: 1,
    maxLength: 6,
  })
  .map((turns) =>
    turns.flatMap(([prompt, answer, calls, reminder], turn): Message[] => {
      const id = (index: number) => `t${turn}_${index}`;
      return [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...(reminder === null ? [] : [{ role: 'system', content: reminder }]),
        {
          role: 'assistant',
          content: [
            { type: 'text', text: answer },
            ...calls.map(([command], index) => ({ type: 'tool_use', id: id(index), name: 'Bash', input: { command } })),
          ],
        },
        ...(calls.length === 0
          ? []
          : [
              {
                role: 'user',
                content: calls.map(([, output], index) => ({
                  type: 'tool_result',
                  tool_use_id: id(index),
                  content: output,
                })),
              },
            ]),
      ];
    }),
  );

const context: fc.Arbitrary<FitContext> = fc.constantFrom(
  onNative(),
  onNative({ model: olderClaude }),
  onNative({ model: claude('claude-opus-4.8') }),
  onChat(),
);

const whatWasSaid = (request: MessagesRequest): string[] => JSON.stringify(request.messages).match(/«\d+»/g) ?? [];
const request = (messages: Message[]): MessagesRequest =>
  deepFreeze({ model: 'any', max_tokens: 4000, stream: true, messages });

describe('whatever the conversation', () => {
  it('text, calls and results of a sound one survive in their order', () => {
    fc.assert(
      fc.property(soundMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        expect(fitted.ok && whatWasSaid(fitted.request)).toEqual(whatWasSaid(given));
      }),
      { numRuns: 300 },
    );
  });

  it('nothing that was said in a broken one gets lost', () => {
    fc.assert(
      fc.property(wildMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        expect(fitted.ok && whatWasSaid(fitted.request).toSorted()).toEqual(whatWasSaid(given).toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('Copilot takes it, the same comes out again, and what came out needs no second fitting', () => {
    fc.assert(
      fc.property(wildMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        if (!fitted.ok) throw new Error(fitted.message);
        expect(fitMessages(given, where)).toEqual(fitted);
        expect(fitMessages(fitted.request, where)).toMatchObject({ request: fitted.request, notes: [] });
        // A conversation that the client itself began with an answer stays what it is.
        const complaints = copilotComplaints(fitted.request, fitted.betas, where.model);
        if (where.path === '/v1/messages')
          expect(complaints.filter((text) => !text.startsWith('first message'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('fields of any type never make it throw, and the input is never written to', () => {
    const junk = fc.jsonValue({ maxDepth: 2 });
    const fields = [
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'context_management',
      'metadata',
      'temperature',
      'max_tokens',
      'stream',
    ];
    const block = fc.tuple(
      fc.constantFrom(
        'text',
        'image',
        'document',
        'thinking',
        'tool_use',
        'tool_result',
        'server_tool_use',
        'web_fetch_tool_result',
        'search_result',
        'x',
      ),
      fc.dictionary(
        fc.constantFrom('text', 'source', 'content', 'signature', 'id', 'tool_use_id', 'name', 'cache_control', 'data'),
        junk,
      ),
    );
    const message = fc.tuple(
      fc.constantFrom('user', 'assistant', 'system', 'x'),
      fc.array(block, { maxLength: 3 }),
      junk,
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...fields), junk),
        fc.array(message, { maxLength: 4 }),
        context,
        (more, messages, where) => {
          const given: MessagesRequest = {
            model: 'any',
            ...more,
            messages: messages.map(([role, blocks, output_config]) => ({
              role,
              output_config,
              content: blocks.map(([type, rest]) => ({ ...rest, type })),
            })),
          };
          expect(() => fitMessages(deepFreeze(given), where)).not.toThrow();
        },
      ),
      { numRuns: 1000 },
    );
  });
});
