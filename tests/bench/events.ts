export type Format = 'messages' | 'chat' | 'responses';

const words = [
  ' the',
  ' request',
  '\n\n',
  ' `exchange.ts`',
  ' and',
  ' then',
  'ing',
  ' “quoted”',
  ' a',
  ' function',
  '();\n',
  '    const',
  ' value',
  ' =',
  ' naïve',
  ' await',
  ' streams',
  '.',
  ' It',
  ' returns',
  ' early',
  ' when',
  ' there',
  ' is',
  ' nothing',
]; // as long as tokens are

const made = new Map<string, Buffer[]>();

/**
 * The events of one answer, in the shapes of the recorded ones: a beginning, `count` deltas, an end with usage and
 * bill.
 */
export function events(format: Format, count: number): Buffer[] {
  const key = `${format} ${count}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const all = writers[format](count).map((text) => Buffer.from(text));
  made.set(key, all);
  return all;
}

/** How many events with content a client gets of a stream with `count` deltas; the same in all formats. */
export const deltaMark = 'event: content_block_delta';

const bill = {
  token_details: [
    { batch_size: 1_000_000, cost_per_batch: 300_000_000_000, token_count: 16, token_type: 'input' },
    { batch_size: 1_000_000, cost_per_batch: 30_000_000_000, token_count: 0, token_type: 'cache_read' },
    { batch_size: 1_000_000, cost_per_batch: 375_000_000_000, token_count: 0, token_type: 'cache_write' },
    { batch_size: 1_000_000, cost_per_batch: 1_500_000_000_000, token_count: 17, token_type: 'output' },
  ],
  total_nano_aiu: 30_300_000,
};

/** Thinking with its signature, text, and a tool use: a third of the deltas each, as Claude Code’s turns have them. */
function messages(count: number): string[] {
  const event = (value: { type: string; [key: string]: unknown }): string =>
    `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const usage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, input_tokens: 16, output_tokens: 3 };
  const all = [
    event({
      type: 'message_start',
      message: {
        content: [],
        id: 'msg_bdrk_01DABCPsGX5TwDweJ5apqymy',
        model: 'claude-sonnet-4-6',
        role: 'assistant',
        stop_details: null,
        stop_reason: null,
        stop_sequence: null,
        type: 'message',
        usage: { cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 }, ...usage },
      },
    }),
  ];
  const blocks = [
    { content_block: { type: 'thinking', thinking: '', signature: '' }, delta: 'thinking_delta', field: 'thinking' },
    { content_block: { type: 'text', text: '' }, delta: 'text_delta', field: 'text' },
    {
      content_block: { type: 'tool_use', id: 'toolu_bdrk_01Q', name: 'Write', input: {} },
      delta: 'input_json_delta',
      field: 'partial_json',
    },
  ];
  let written = 0;
  for (const [index, { content_block, delta, field }] of blocks.entries()) {
    all.push(event({ type: 'content_block_start', index, content_block }));
    const until = Math.round((count * (index + 1)) / blocks.length);
    for (const from = written; written < until; written++) {
      const word = words[written % words.length] ?? '';
      const piece = field === 'partial_json' ? jsonPiece(word, written === from, written === until - 1) : word;
      all.push(event({ type: 'content_block_delta', index, delta: { type: delta, [field]: piece } }));
    }
    all.push(event({ type: 'content_block_stop', index }));
  }
  all.push(
    event({
      type: 'message_delta',
      copilot_usage: bill,
      delta: { stop_details: null, stop_reason: 'tool_use', stop_sequence: null },
      usage: { ...usage, output_tokens: count },
    }),
    event({
      type: 'message_stop',
      'amazon-bedrock-invocationMetrics': { firstByteLatency: 4016, inputTokenCount: 16, invocationLatency: 4164 },
    }),
  );
  return all;
}

/** The pieces of a call's arguments are a JSON object together. */
function jsonPiece(word: string, isFirst: boolean, isLast: boolean): string {
  const text = JSON.stringify(word).slice(1, -1);
  return `${isFirst ? '{"content":"' : ''}${text}${isLast ? '"}' : ''}`;
}

/** Text alone, with the results of the content filter that most chunks of these models carry. */
function chat(count: number): string[] {
  const clean = { filtered: false, severity: 'safe' };
  const facts = { created: 1_717_764_806, id: 'chatcmpl-9XTNuRVy7pKFgXL5VsZKe5wfpiWQU', model: 'gpt-4.1-2025-04-14' };
  const chunk = (delta: object, finish: string | null): string => {
    const choice = {
      index: 0,
      content_filter_offsets: { check_offset: 2312, start_offset: 2262, end_offset: 2319 },
      content_filter_results: { hate: clean, self_harm: clean, sexual: clean, violence: clean },
      delta,
    };
    const choices = [finish === null ? choice : { ...choice, finish_reason: finish }];
    return `data: ${JSON.stringify({ choices, ...facts })}\n\n`;
  };
  const usage = {
    completion_tokens: count,
    prompt_tokens: 16,
    total_tokens: 16 + count,
    prompt_tokens_details: { cached_tokens: 0 },
  };
  return [
    ...Array.from({ length: count }, (_, index) =>
      chunk({ content: words[index % words.length], role: 'assistant' }, null),
    ),
    chunk({ content: null, role: null }, 'stop'),
    `data: ${JSON.stringify({ choices: [], ...facts, usage, copilot_usage: bill })}\n\n`,
    'data: [DONE]\n\n',
  ];
}

/**
 * Text alone, as the Responses API sends it: every event with its number and with an id of its item that is new each
 * time.
 */
function responses(count: number): string[] {
  let sequence_number = 0;
  const event = (type: string, more: object): string =>
    `event: response.${type}\ndata: ` +
    `${JSON.stringify({ ...more, sequence_number: sequence_number++, type: `response.${type}` })}\n\n`;
  const id = (): string => sequence_number.toString(36).padStart(8, '0').repeat(40);
  const at = (): object => ({ content_index: 0, item_id: id(), output_index: 0 });
  const facts = {
    created_at: 1_763_553_900,
    id: id(),
    model: 'gpt-5.4',
    object: 'response',
    parallel_tool_calls: true,
  };
  const item = (text: string, status: string): object => ({
    content: text === '' ? [] : [part(text)],
    id: id(),
    role: 'assistant',
    status,
    type: 'message',
  });
  const part = (text: string): object => ({ annotations: [], logprobs: [], text, type: 'output_text' });
  const texts = Array.from({ length: count }, (_, index) => words[index % words.length] ?? '');
  const text = texts.join('');
  const usage = {
    input_tokens: 16,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: count,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 16 + count,
  };
  return [
    event('created', { response: { ...facts, output: [], status: 'in_progress', usage: null } }),
    event('in_progress', { response: { ...facts, output: [], status: 'in_progress', usage: null } }),
    event('output_item.added', { item: item('', 'in_progress'), output_index: 0 }),
    event('content_part.added', { ...at(), part: part('') }),
    ...texts.map((delta) => event('output_text.delta', { ...at(), delta, logprobs: [], obfuscation: 'aBcDeFgH' })),
    event('output_text.done', { ...at(), logprobs: [], text }),
    event('content_part.done', { ...at(), part: part(text) }),
    event('output_item.done', { item: item(text, 'completed'), output_index: 0 }),
    event('completed', {
      copilot_usage: bill,
      response: { ...facts, output: [item(text, 'completed')], status: 'completed', usage },
    }),
  ];
}

const writers: Record<Format, (count: number) => string[]> = { messages, chat, responses };
