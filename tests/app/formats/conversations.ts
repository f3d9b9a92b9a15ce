import fc from 'fast-check';
import type { Block, Message } from '../../../app/formats/messages/request.ts';

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const toolName = fc.oneof(fc.constantFrom('Bash', 'mcp__x__y'), fc.string({ minLength: 1, maxLength: 90 }));
const input = fc
  .dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/**
 * Turns as a client has them: words and calls, then every result. `sign`: with thoughts, which the path under test can
 * carry.
 */
export function conversations(sign?: (thought: string) => string): fc.Arbitrary<Message[]> {
  const turn = fc.record({
    ask: words,
    think: sign === undefined ? fc.constant(null) : fc.option(words),
    say: fc.option(words),
    calls: fc.array(fc.tuple(toolName, input, words), { maxLength: 3 }),
  });
  return fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) =>
    turns.flatMap(({ ask, think, say, calls }, at): Message[] => {
      const id = (n: number) => `toolu_${at}_${n}`;
      const answered: Block[] = [
        ...(say === null ? [] : [{ type: 'text', text: say }]),
        ...calls.map(([name, args], n) => ({ type: 'tool_use', id: id(n), name, input: args })),
      ];
      // A thought that led to nothing is not saved.
      const thought: Block[] =
        think === null || sign === undefined || answered.length === 0
          ? []
          : [{ type: 'thinking', thinking: think, signature: sign(think) }];
      const results: Block[] = calls.map(([, , result], n) => ({
        type: 'tool_result',
        tool_use_id: id(n),
        content: result,
      }));
      return [
        { role: 'user', content: [{ type: 'text', text: ask }] },
        ...(answered.length > 0 ? [{ role: 'assistant', content: [...thought, ...answered] }] : []),
        ...(results.length > 0 ? [{ role: 'user', content: results }] : []),
      ];
    }),
  );
}

/** Between characters: JSON in a stream never parts a pair. */
export function pieces(text: string, step: number): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / step) }, (_, n) =>
    characters.slice(n * step, (n + 1) * step).join(''),
  );
}

/** As it goes out: numbers that JavaScript cannot hold are kept as their digits, and written as such. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
