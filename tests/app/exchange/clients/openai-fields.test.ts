import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CatalogModel, readCatalog } from '../../../../app/copilot/model-entry.ts';
import { planChat } from '../../../../app/exchange/clients/chat-native.ts';
import { readChat } from '../../../../app/exchange/clients/chat-read.ts';
import { chatViaMessagesRules, planChatViaMessages } from '../../../../app/exchange/clients/chat-via-messages.ts';
import { embeddingsBatches, embeddingsRules, readEmbeddings } from '../../../../app/exchange/clients/embeddings.ts';
import type { OpenaiContext } from '../../../../app/exchange/clients/openai.ts';
import { planResponses, readResponses, responsesRules } from '../../../../app/exchange/clients/responses-native.ts';
import {
  planResponsesViaMessages,
  responsesViaMessagesRules,
} from '../../../../app/exchange/clients/responses-via-messages.ts';
import { Stopped } from '../../../../app/exchange/recover/error.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';

/** Keeps docs/openai-fields.md and what really happens in step, row by row. */

const doc = readFileSync(join(import.meta.dirname, '../../../../docs/openai-fields.md'), 'utf8');

interface Row {
  field: string;
  fates: string[];
}

function rowsOf(title: string): Row[] {
  const section = doc.split('\n## ').find((each) => each.startsWith(`\`POST ${title}\``)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, field = '', ...fates] = line.split('|').map((cell) => cell.trim());
      return { field: field.replaceAll('`', ''), fates: fates.filter((fate) => fate !== '') };
    });
}

const catalog = readCatalog({ data: defaultModels() });
function modelOf(id: string): CatalogModel {
  const found = catalog.find((model) => model.id === id);
  if (found === undefined) throw new Error(`${id} is not in the catalog.`);
  return found;
}

const context: OpenaiContext = {
  ...{ streamed: true, id: 'req_1', now: 0, search: null, learned: () => null },
  whySearchIsOff: () => 'Web search is off.',
};
type Sent = { body: Record<string, unknown>; notes: string } | { refused: string | undefined };

function sent(plan: () => { body: Buffer; notes: readonly { text: string }[] }): Sent {
  try {
    const { body, notes } = plan();
    return { body: JSON.parse(body.toString('utf8')), notes: notes.map(({ text }) => text).join('; ') };
  } catch (error) {
    if (error instanceof Stopped) return { refused: error.error.param };
    throw error;
  }
}

const messages = [{ role: 'user', content: 'hi' }];
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
const flatTools = [{ type: 'function', name: 'f', strict: false, parameters: { type: 'object', properties: {} } }];
const schema = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object', properties: {} } } };

/** A value that each field may well have; where it is limited, one beyond the limit. */
const values: Record<string, unknown> = {
  max_tokens: 1e9,
  max_completion_tokens: 1e9,
  max_output_tokens: 1,
  temperature: 0.5,
  top_p: 0.5,
  stop: ['end'],
  tool_choice: 'required',
  parallel_tool_calls: false,
  response_format: schema,
  reasoning_effort: 'tomorrow',
  reasoning: { effort: 'tomorrow' },
  n: 2,
  seed: 7,
  frequency_penalty: 1,
  presence_penalty: 1,
  logit_bias: { 50256: -100 },
  logprobs: true,
  top_logprobs: 2,
  verbosity: 'low',
  prediction: { type: 'content', content: 'x' },
  store: true,
  service_tier: 'priority',
  modalities: ['text', 'audio'],
  audio: { voice: 'x', format: 'wav' },
  web_search_options: {},
  functions: [{ name: 'f' }],
  function_call: 'auto',
  metadata: { a: 'b' },
  client_metadata: { a: 'b' },
  user: 'somebody',
  safety_identifier: 'somebody',
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  stream_options: { include_obfuscation: false },
  instructions: 'Be brief.',
  text: { format: { type: 'text' } },
  include: ['reasoning.encrypted_content'],
  truncation: 'auto',
  max_tool_calls: 3,
  previous_response_id: 'resp_1',
  prompt: 'hello',
  conversation: 'conv_1',
  background: true,
  dimensions: 8,
};

/**
 * What a mapped field comes out as, in a Responses body and in a Messages body. Sampling values leave where the model
 * reasons.
 */
const mappedTo: Record<string, { responses: object; messages: object }> = {
  messages: {
    responses: { input: [expect.objectContaining({ role: 'user' })] },
    messages: { messages: [expect.objectContaining({ role: 'user' })] },
  },
  prompt: {
    responses: { input: [expect.objectContaining({ content: [{ type: 'input_text', text: 'hello' }] })] },
    messages: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] },
  },
  temperature: { responses: {}, messages: { temperature: 0.5 } },
  top_p: { responses: {}, messages: { top_p: 0.5 } },
  // Cut on the way back.
  stop: { responses: {}, messages: { stop_sequences: ['end'] } },
  tools: {
    responses: { tools: [expect.objectContaining({ type: 'function', name: 'f' })] },
    messages: { tools: [expect.objectContaining({ name: 'f' })] },
  },
  tool_choice: { responses: { tool_choice: 'required' }, messages: { tool_choice: { type: 'any' } } },
  parallel_tool_calls: {
    responses: { parallel_tool_calls: false },
    messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  },
  response_format: {
    responses: { text: { format: expect.objectContaining({ type: 'json_schema', name: 'x' }) } },
    messages: { output_config: { format: expect.objectContaining({ type: 'json_schema' }) } },
  },
  verbosity: { responses: { text: { verbosity: 'low' } }, messages: {} },
};
/** What is mapped to nothing is said in the log. */
const notedAs: Record<string, string> = {
  temperature: 'sampling values removed',
  top_p: 'sampling values removed',
  stop: 'stop sequence cut locally',
};

/** What stands in the body whatever the client says; usage is always asked for. */
const written: Record<string, unknown> = {
  model: expect.stringMatching(/^(gpt-5-mini|gpt-5\.4|claude-sonnet-4\.5|text-embedding-3-small)$/),
  stream: true,
  stream_options: expect.toSatisfy((value) => value === undefined || Object(value).include_usage === true),
  encoding_format: undefined,
};

type Onward = 'itself' | 'responses' | 'messages';

function check(
  fate: string,
  field: string,
  value: unknown,
  outcome: Sent,
  again: (value: unknown) => Sent,
  onward: Onward = 'itself',
): void {
  const refused = /^refused(?: \((.+)\))?$/.exec(fate);
  if (refused !== null) {
    expect(outcome).toEqual({ refused: field });
    const [, neutral] = refused;
    if (neutral !== undefined) expect(again(JSON.parse(neutral))).toHaveProperty('body');
    return;
  }
  if (!('body' in outcome)) throw new Error(`${field} was refused.`);
  const { body, notes } = outcome;
  switch (fate) {
    case 'passed':
      expect(body[field]).toEqual(value);
      break;
    case 'limited':
      expect(notes).toContain(field === 'reasoning' ? 'reasoning.effort' : field);
      break;
    case 'dropped':
      expect(body).not.toHaveProperty(field);
      if (field !== 'stream_options') expect(notes).toContain(field);
      break;
    case 'mapped':
      checkMapped(field, onward, body, notes);
      break;
    case 'written':
      expect(body[field]).toEqual(written[field]);
      break;
    default:
      throw new Error(`${fate} is no fate.`);
  }
}

function checkMapped(field: string, onward: Onward, body: Record<string, unknown>, notes: string): void {
  if (onward === 'itself') {
    // The one field that is read in an old form.
    expect([field, body.messages]).toEqual(['prompt', [{ role: 'user', content: 'hello' }]]);
    expect(body).not.toHaveProperty('prompt');
    return;
  }
  const mapped = mappedTo[field]?.[onward] ?? null;
  expect(mapped).not.toBeNull();
  expect(body).toMatchObject(Object(mapped));
  if (Object.keys(Object(mapped)).length === 0) expect(notes).toContain(notedAs[field] ?? 'nobody says it');
}

describe('POST /v1/chat/completions', () => {
  const rows = rowsOf('/v1/chat/completions');
  it('has a row for every field with a rule', () => {
    for (const rules of Object.values(chatViaMessagesRules))
      expect(rows.map(({ field }) => field).sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(rows)('$field', ({ field, fates: [through = '', asResponses = '', asMessages = ''] }) => {
    const value = { messages, tools, model: 'm', stream: true, ...values }[field];
    // `tools` go along, for the choice needs some; a prompt stands in the place of messages.
    const body = (model: string, each: unknown) =>
      readChat({
        model,
        ...(field === 'prompt' ? {} : { messages }),
        ...(field === 'tool_choice' || field === 'parallel_tool_calls' ? { tools } : {}),
        [field]: field === 'model' ? model : each,
      });
    // The efforts of gpt-5-mini and gpt-5.4 are listed.
    const direct = (each: unknown): Sent =>
      sent(() => planChat(body('gpt-5-mini', each), modelOf('gpt-5-mini'), context));
    const responses = (each: unknown): Sent =>
      sent(() => planChatViaMessages(body('gpt-5.4', each), modelOf('gpt-5.4'), '/responses', context));
    const claude = 'claude-sonnet-4.5';
    const asked = (each: unknown): Sent =>
      sent(() => planChatViaMessages(body(claude, each), modelOf(claude), '/v1/messages', context));
    check(through, field, value, direct(value), direct);
    check(asResponses, field, value, responses(value), responses, 'responses');
    check(asMessages, field, value, asked(value), asked, 'messages');
  });

  it('`strict` of a tool and of a schema reaches a model that has Responses', () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false };
    const strict = readChat({
      model: 'gpt-5.4',
      messages,
      tools: [{ type: 'function', function: { name: 'f', strict: true, parameters } }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: parameters } },
    });
    expect(sent(() => planChatViaMessages(strict, modelOf('gpt-5.4'), '/responses', context))).toMatchObject({
      body: {
        tools: [{ type: 'function', name: 'f', strict: true, parameters }],
        text: { format: { type: 'json_schema', name: 'x', strict: true, schema: parameters } },
      },
    });
  });

  it.each([
    ['gpt-5-mini', '/chat/completions'],
    ['gpt-5.4', '/responses'],
    ['claude-sonnet-4.5', '/v1/messages'],
  ] as const)('an image by its address is refused by its place for %s', (id, path) => {
    const url = 'https://example.com/x.png';
    const request = readChat({
      model: id,
      messages: [
        ...messages,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
    const plan = () =>
      path === '/chat/completions'
        ? planChat(request, modelOf(id), context)
        : planChatViaMessages(request, modelOf(id), path, context);
    expect(sent(plan)).toEqual({ refused: 'messages[1].content[1].image_url' });
  });
});

describe('POST /v1/responses', () => {
  const rows = rowsOf('/v1/responses');
  it('has a row for every field with a rule', () => {
    expect(rows.map(({ field }) => field).sort()).toEqual(Object.keys(responsesViaMessagesRules).sort());
    expect(Object.keys(responsesViaMessagesRules)).toEqual(expect.arrayContaining(Object.keys(responsesRules)));
  });

  it.each(rows)('$field', ({ field, fates: [through = '', asMessages = '', asChat = ''] }) => {
    const value = {
      input: 'hi',
      tools: flatTools,
      model: 'm',
      stream: true,
      ...values,
      ...responsesValues,
    }[field];
    const body = (model: string, each: unknown) =>
      readResponses({ model, input: 'hi', tools: flatTools, [field]: field === 'model' ? model : each });
    const direct = (each: unknown): Sent =>
      sent(() => planResponses(body('gpt-5.4', each), modelOf('gpt-5.4'), context));
    const claude = 'claude-sonnet-4.5';
    const messagesOf = (each: unknown): Sent =>
      sent(() => planResponsesViaMessages(body(claude, each), modelOf(claude), '/v1/messages', context));
    const chatOf = (each: unknown): Sent =>
      sent(() => planResponsesViaMessages(body('gpt-4.1', each), modelOf('gpt-4.1'), '/chat/completions', context));
    check(through, field, value, direct(value), direct);
    checkTranslated(asMessages, field, value, messagesOf, 'messages');
    checkTranslated(asChat, field, value, chatOf, 'chat');
  });

  it('tools of OpenAI’s service go, with their choice where none is left', () => {
    const files = { type: 'file_search' };
    const plan = (each: unknown[]): Sent =>
      sent(() =>
        planResponses(
          readResponses({ model: 'gpt-5.4', input: 'hi', tool_choice: 'auto', tools: each }),
          modelOf('gpt-5.4'),
          context,
        ),
      );
    expect(plan([files, ...flatTools])).toMatchObject({
      body: { tools: flatTools },
      notes: expect.stringContaining('file_search'),
    });
    const alone = plan([files]);
    expect('body' in alone && Object.keys(alone.body).sort()).toEqual(['input', 'model', 'store', 'stream']);
  });
});

/** Where a mapped field of a Responses request comes out. */
const responsesMappedTo: Record<string, Record<'messages' | 'chat', object>> = {
  input: {
    messages: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
    chat: { messages: [{ role: 'user', content: 'hi' }] },
  },
  instructions: {
    messages: { system: [{ type: 'text', text: 'Be brief.' }] },
    chat: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
  },
  temperature: { messages: { temperature: 0.5 }, chat: { temperature: 0.5 } },
  top_p: { messages: { top_p: 0.5 }, chat: { top_p: 0.5 } },
  tools: {
    messages: { tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }] },
    chat: { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }] },
  },
  tool_choice: { messages: { tool_choice: { type: 'any' } }, chat: { tool_choice: 'required' } },
  parallel_tool_calls: {
    messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    chat: { parallel_tool_calls: false },
  },
  text: {
    messages: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    chat: { response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } },
  },
  include: { messages: {}, chat: {} },
};

const responsesValues: Record<string, unknown> = {
  prompt: { id: 'pmpt_1' },
  text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: {} } } },
};

function checkTranslated(
  fate: string,
  field: string,
  value: unknown,
  plan: (value: unknown) => Sent,
  onward: 'messages' | 'chat',
): void {
  if (fate !== 'mapped') {
    if (field !== 'model' && field !== 'stream') check(fate, field, value, plan(value), plan);
    else expect(plan(value)).toMatchObject({ body: { stream: true } });
    return;
  }
  expect(plan(value)).toMatchObject({ body: Object(responsesMappedTo[field]?.[onward] ?? { nobody: 'says it' }) });
}

describe('an effort that a client made up', () => {
  const [reasoning_effort, notes] = ['what a person wrote', 'reasoning_effort (unknown) → high'];
  it('is in no note, which the log shows', () => {
    const chat = sent(() =>
      planChat(readChat({ model: 'm', messages, reasoning_effort }), modelOf('gpt-5-mini'), context),
    );
    expect(chat).toMatchObject({ notes: expect.stringContaining(notes) });
    expect(chat).toMatchObject({ notes: expect.not.stringContaining(reasoning_effort) });
  });
});

describe('POST /v1/embeddings', () => {
  const rows = rowsOf('/v1/embeddings');
  it('has a row for every field with a rule', () => {
    expect(rows.map(({ field }) => field)).toEqual(expect.arrayContaining(Object.keys(embeddingsRules)));
  });

  it.each(rows)('$field', ({ field, fates: [fate = ''] }) => {
    const model = modelOf('text-embedding-3-small');
    const value = { input: ['hi'], model: 'm', encoding_format: 'base64', ...values }[field];
    const plan = (each: unknown): Sent =>
      sent(() => {
        const { bodies, notes } = embeddingsBatches(
          readEmbeddings({ model: 'm', input: ['hi'], [field]: each }),
          model,
        );
        return { body: bodies[0] ?? Buffer.alloc(0), notes };
      });
    check(fate, field, value, plan(value), plan);
  });
});
