import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChatCollector } from '../../../../app/formats/chat/collector.ts';
import { ChatFromLm } from '../../../../app/formats/chat-via-lm/answer.ts';
import { chatToLm } from '../../../../app/formats/chat-via-lm/request.ts';
import { lmMessages, readLmPart } from '../../../../app/formats/lm/language-model.ts';
import { fakeClasses, TextPart } from './fake-classes.ts';

const role = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function', 'x');
const call = fc.record({ id: fc.string(), type: fc.constant('function'), function: fc.jsonValue() });
const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'image_url', 'refusal', 'input_audio'), text: fc.string() }),
  fc.jsonValue(),
);
const message = fc.oneof(
  fc.record(
    {
      role,
      content: fc.oneof(fc.string(), fc.array(part), fc.jsonValue()),
      tool_call_id: fc.string(),
      tool_calls: fc.array(call),
    },
    { requiredKeys: ['role'] },
  ),
  fc.jsonValue(),
);

it('of whatever is in a request it makes objects, or names what has no place', () => {
  const body = fc.record(
    {
      messages: fc.oneof(fc.array(message, { maxLength: 6 }), fc.jsonValue()),
      tools: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.jsonValue()),
      tool_choice: fc.jsonValue(),
      response_format: fc.jsonValue(),
      stop: fc.jsonValue(),
      max_tokens: fc.jsonValue(),
      n: fc.jsonValue(),
    },
    { requiredKeys: ['messages'] },
  );
  fc.assert(
    fc.property(body, (asked) => {
      const found = chatToLm(asked);
      if (!found.ok) expect(found.field).not.toBe('');
      else expect(lmMessages(fakeClasses, found.request).length).toBeGreaterThan(0);
    }),
  );
});

it('keeps every word and the order of a conversation', () => {
  const said = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant'),
    content: fc.string({ minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(said, { minLength: 1 }), (messages) => {
      const found = chatToLm({ messages });
      const kept = found.ok ? found.request.messages.flatMap(({ parts }): object[] => parts) : [];
      expect(kept).toEqual(messages.map(({ content }) => ({ kind: 'text', text: content })));
    }),
  );
});

it('gives back the same text in whatever parts it comes, and whatever comes between', () => {
  const stops = fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 2 });
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.jsonValue())), stops, (pieces, sequences) => {
      const answered = (texts: unknown[]): string => {
        const options = { id: 'c', created: 1, model: 'm', maxTokens: null, tools: [] };
        const writer = new ChatFromLm({ ...options, stops: sequences });
        const collector = new ChatCollector();
        for (const piece of texts) {
          const read = readLmPart(typeof piece === 'string' ? new TextPart(piece) : { piece }, fakeClasses);
          collector.push((read === null ? null : writer.part(read)) ?? Buffer.alloc(0));
        }
        collector.push(writer.end(null));
        return JSON.stringify(collector.answer());
      };
      expect(answered(pieces)).toBe(answered([pieces.filter((piece) => typeof piece === 'string').join('')]));
    }),
  );
});
