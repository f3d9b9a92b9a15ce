import fc from 'fast-check';
import type { Block, Message, MessagesRequest } from '../../../../app/formats/messages/request.ts';

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

const userMessage = fc
  .array(fc.oneof(textBlock, imageBlock, resultBlock), { maxLength: 4 })
  .map((content): Message => ({ role: 'user', content }));
const assistantMessage = fc
  .array(fc.oneof(textBlock, callBlock, thinkingBlock), { maxLength: 4 })
  .map((content): Message => ({ role: 'assistant', content }));
const systemMessage = fc
  .oneof(said, blank, fc.array(textBlock, { maxLength: 2 }))
  .map((content): Message => ({ role: 'system', content }));
const stringMessage = fc.oneof(said, blank).map((content): Message => ({ role: 'user', content }));

/** Anything that a client might get wrong. */
export const wildMessages = fc.array(fc.oneof(userMessage, assistantMessage, systemMessage, stringMessage), {
  minLength: 1,
  maxLength: 10,
});

/** What a client sends when all is well: calls answered right after, in order; ids never used twice. */
export const soundMessages = fc
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
const message = fc.tuple(fc.constantFrom('user', 'assistant', 'system', 'x'), fc.array(block, { maxLength: 3 }), junk);

/** Fields and blocks of any type in a request that is one at its surface. */
export const junkRequests = fc
  .tuple(fc.dictionary(fc.constantFrom(...fields), junk), fc.array(message, { maxLength: 4 }))
  .map(
    ([more, messages]): MessagesRequest => ({
      model: 'any',
      ...more,
      messages: messages.map(([role, blocks, output_config]) => ({
        role,
        output_config,
        content: blocks.map(([type, rest]) => ({ ...rest, type })),
      })),
    }),
  );
