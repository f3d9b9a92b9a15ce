import fc from 'fast-check';

/**
 * Bodies of requests as clients send them, and what happens to them on the way: any value at any place becomes another
 * one.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Body = { [key: string]: Json };

const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('«»', '\u202e\u0000', '\ud83d\ude00', 'a\r\nb', '__proto__', 'constructor', '[SUGGESTION MODE:'),
);
const said = words.filter((text) => text.trim() !== '');
const name = fc.constantFrom('Bash', 'Read', 'mcp__a__b', 'get_weather', `x${'y'.repeat(60)}`);
const schema = fc.constantFrom<Json>(
  { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  { type: 'object', properties: {} },
  { type: 'object', properties: { a: { enum: [1, 2] } }, additionalProperties: false },
);
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const input = fc.constantFrom<Json>({}, { id: 'x' }, { command: 'ls', deep: { a: [1, { b: null }] } });
const optional = <T extends Json>(field: string, value: fc.Arbitrary<T>): fc.Arbitrary<Body> =>
  fc.option(value).map((given): Body => (given === null ? {} : { [field]: given }));
const merged = (...parts: fc.Arbitrary<Body>[]): fc.Arbitrary<Body> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const turns = fc.array(
  fc.record({ prompt: said, answer: said, call: fc.option(input), result: said, picture: fc.boolean(), name }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

export function messagesBody(models: readonly string[]): fc.Arbitrary<Body> {
  const messages = turns.map((all): Json[] =>
    all.flatMap(({ prompt, answer, call, result, picture, name: tool }, at): Json[] => {
      const text: Body = { type: 'text', text: prompt };
      const media: Body = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } };
      const asked: Body = { role: 'user', content: picture ? [text, media] : at === 0 ? prompt : [text] };
      if (at === all.length - 1) return [asked];
      if (call === null) return [asked, { role: 'assistant', content: [{ type: 'text', text: answer }] }];
      const use: Body = { type: 'tool_use', id: `toolu_${at}`, name: tool, input: call };
      return [
        asked,
        { role: 'assistant', content: [{ type: 'text', text: answer }, use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: result }] },
        { role: 'assistant', content: answer },
      ];
    }),
  );
  return merged(
    fc.record({ model: fc.constantFrom(...models), max_tokens: fc.integer({ min: 1, max: 4000 }), messages }),
    optional('stream', fc.boolean()),
    optional(
      'system',
      fc.oneof<fc.Arbitrary<Json>[]>(
        said,
        said.map((text): Json => [{ type: 'text', text }]),
      ),
    ),
    optional(
      'tools',
      fc
        .uniqueArray(name, { minLength: 1, maxLength: 3 })
        .chain((names) =>
          schema.map((input_schema): Json => names.map((each) => ({ name: each, description: 'd', input_schema }))),
        ),
    ),
    optional('stop_sequences', fc.array(said, { maxLength: 3 })),
    optional('metadata', fc.constant<Json>({ user_id: 'u' })),
    optional('temperature', fc.constantFrom(0, 0.5, 1)),
    optional('thinking', fc.constantFrom<Json>({ type: 'disabled' }, { type: 'adaptive' })),
    optional('output_config', fc.constantFrom<Json>({ effort: 'low' }, { effort: 'max' })),
  );
}

export function chatBody(models: readonly string[]): fc.Arbitrary<Body> {
  const messages = turns.map((all): Json[] =>
    all.flatMap(({ prompt, answer, call, result, picture, name: tool }, at): Json[] => {
      const media: Body = { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } };
      const asked: Body = { role: 'user', content: picture ? [{ type: 'text', text: prompt }, media] : prompt };
      if (at === all.length - 1) return [asked];
      if (call === null) return [asked, { role: 'assistant', content: answer }];
      const use: Body = {
        id: `call_${at}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(call) },
      };
      return [
        asked,
        { role: 'assistant', content: null, tool_calls: [use] },
        { role: 'tool', tool_call_id: `call_${at}`, content: result },
        { role: 'assistant', content: answer },
      ];
    }),
  );
  return merged(
    fc.record({ model: fc.constantFrom(...models), messages }),
    optional('stream', fc.boolean()),
    optional('max_tokens', fc.integer({ min: 1, max: 4000 })),
    optional(
      'tools',
      fc
        .uniqueArray(name, { minLength: 1, maxLength: 3 })
        .chain((names) =>
          schema.map(
            (parameters): Json => names.map((each) => ({ type: 'function', function: { name: each, parameters } })),
          ),
        ),
    ),
    optional('stop', fc.oneof<fc.Arbitrary<Json>[]>(said, fc.array(said, { maxLength: 3 }))),
    optional('stream_options', fc.constant<Json>({ include_usage: true })),
    optional('reasoning_effort', fc.constantFrom('low', 'high')),
    optional('response_format', fc.constantFrom<Json>({ type: 'text' }, { type: 'json_object' })),
  );
}

export function responsesBody(models: readonly string[]): fc.Arbitrary<Body> {
  const items = turns.map((all): Json[] =>
    all.flatMap(({ prompt, answer, call, result, picture, name: tool }, at): Json[] => {
      const media: Body = { type: 'input_image', image_url: `data:image/png;base64,${image}` };
      const text: Body = { type: 'input_text', text: prompt };
      const asked: Body = { type: 'message', role: 'user', content: picture ? [text, media] : [text] };
      if (at === all.length - 1) return [asked];
      const reply: Body = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] };
      if (call === null) return [asked, reply];
      const json = JSON.stringify(call);
      return [
        asked,
        { type: 'function_call', call_id: `call_${at}`, name: tool, arguments: json },
        { type: 'function_call_output', call_id: `call_${at}`, output: result },
        reply,
      ];
    }),
  );
  return merged(
    fc.record({ model: fc.constantFrom(...models), input: fc.oneof<fc.Arbitrary<Json>[]>(said, items) }),
    optional('stream', fc.boolean()),
    optional('instructions', said),
    optional('max_output_tokens', fc.integer({ min: 1, max: 4000 })),
    optional(
      'tools',
      fc
        .uniqueArray(name, { minLength: 1, maxLength: 3 })
        .chain((names) =>
          schema.map(
            (parameters): Json => names.map((each) => ({ type: 'function', name: each, parameters, strict: false })),
          ),
        ),
    ),
    optional('reasoning', fc.constantFrom<Json>({ effort: 'low' }, { effort: 'high', summary: 'auto' })),
    optional('text', fc.constantFrom<Json>({ format: { type: 'text' } }, { format: { type: 'json_object' } })),
    optional('store', fc.constant(false)),
  );
}

export function embeddingsBody(models: readonly string[]): fc.Arbitrary<Body> {
  return merged(
    fc.record({
      model: fc.constantFrom(...models),
      input: fc.oneof<fc.Arbitrary<Json>[]>(said, fc.array(said, { minLength: 1, maxLength: 4 })),
    }),
    optional('encoding_format', fc.constantFrom('float', 'base64')),
    optional('dimensions', fc.constantFrom(8, 256)),
  );
}

function nested(depth: number): Json {
  let value: Json = [];
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    0.5,
    1e300,
    9_007_199_254_740_992,
    '',
    ' ',
    [],
    {},
    [null],
    [[]],
    [{}],
    { type: null },
  ),
  fc.constantFrom<Json>(
    { type: 'text' },
    { type: 'tool_use' },
    { type: 'tool_result' },
    { type: 'image' },
    { type: 'document' },
  ),
  fc.constantFrom<Json>('user', 'assistant', 'system', 'developer', 'tool', 'auto', 'tool_result', 'function'),
  fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value))),
  words,
  fc.constantFrom<Json>(
    '\ud800',
    'x'.repeat(5000),
    nested(40),
    nested(3000),
    Array.from({ length: 300 }, () => null),
  ),
);

/** One change: at the place that the number leads to, the value becomes another one, goes, or is there twice. */
const change = fc.record({
  way: fc.array(fc.nat(30), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('set', 'set', 'set', 'delete', 'double', 'add'),
  value: odd,
  key: fc.constantFrom(
    'type',
    'content',
    'role',
    'name',
    'id',
    'cache_control',
    'tool_calls',
    'later_field',
    'function',
    'source',
  ),
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function changed(value: Json, { way, kind, value: other, key }: Change): Json {
  const [step = 0, ...rest] = way;
  if (Array.isArray(value)) {
    if (value.length === 0) return kind === 'add' ? [other] : value;
    const at = step % value.length;
    const inner = value[at] ?? null;
    if (rest.length > 0 && typeof inner === 'object' && inner !== null)
      return value.with(at, changed(inner, { way: rest, kind, value: other, key }));
    if (kind === 'delete') return value.toSpliced(at, 1);
    if (kind === 'double') return value.toSpliced(at, 0, inner);
    return kind === 'add' ? [...value, other] : value.with(at, other);
  }
  if (typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const at = keys[step % Math.max(1, keys.length)];
  if (at === undefined || kind === 'add') return { ...value, [key]: other };
  const inner = value[at] ?? null;
  if (rest.length > 0 && typeof inner === 'object' && inner !== null)
    return { ...value, [at]: changed(inner, { way: rest, kind, value: other, key }) };
  if (kind !== 'delete') return { ...value, [at]: other };
  const { [at]: _gone, ...left } = value;
  return left;
}

/** A body with up to three changes. */
export function mutated(body: fc.Arbitrary<Body>): fc.Arbitrary<{ body: Json; changes: number }> {
  return fc.tuple(body, fc.array(change, { maxLength: 3 })).map(([from, changes]) => ({
    body: changes.reduce<Json>(changed, from),
    changes: changes.length,
  }));
}
