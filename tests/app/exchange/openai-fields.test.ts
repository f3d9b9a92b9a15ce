import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CatalogModel } from '../../../app/copilot/model.ts';
import { readCatalog } from '../../../app/copilot/read-catalog.ts';
import { planChat, readChat } from '../../../app/exchange/chat.ts';
import { chatViaMessagesRules, planChatViaMessages } from '../../../app/exchange/chat-via-messages.ts';
import { embeddingsBatches, embeddingsRules, readEmbeddings } from '../../../app/exchange/embeddings.ts';
import type { OpenaiContext } from '../../../app/exchange/openai-plan.ts';
import { planResponses, readResponses, responsesRules } from '../../../app/exchange/responses.ts';
import { Stopped } from '../../../app/exchange/runs.ts';
import { defaultModels } from '../../../app/simulator/default-models.ts';

/** Keeps docs/openai-fields.md and what really happens in step, row by row. */

const doc = readFileSync(join(import.meta.dirname, '../../../docs/openai-fields.md'), 'utf8');

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

const context: OpenaiContext = { streamed: true, id: 'req_1', now: 0, learned: () => null };
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
  conversation: 'conv_1',
  prompt: { id: 'pmpt_1' },
  background: true,
  dimensions: 8,
};

/** Where a mapped field comes out in a Responses body (through Messages). */
const mappedTo: Record<string, string> = {
  messages: 'input',
  tools: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
  response_format: 'text',
};

/** What stands in the body whatever the client says; usage is always asked for. */
const written: Record<string, unknown> = {
  model: expect.stringMatching(/^(gpt-5-mini|gpt-5\.4|text-embedding-3-small)$/),
  stream: true,
  stream_options: expect.toSatisfy((value) => value === undefined || Object(value).include_usage === true),
  encoding_format: undefined,
};

function check(fate: string, field: string, value: unknown, outcome: Sent, again: (value: unknown) => Sent): void {
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
      if (field in mappedTo) expect(body).toHaveProperty(mappedTo[field] ?? '');
      break;
    case 'written':
      expect(body[field]).toEqual(written[field]);
      break;
    default:
      throw new Error(`${fate} is no fate.`);
  }
}

describe('POST /v1/chat/completions', () => {
  const rows = rowsOf('/v1/chat/completions');
  it('has a row for every field with a rule', () => {
    expect(rows.map(({ field }) => field).sort()).toEqual(Object.keys(chatViaMessagesRules).sort());
  });

  it.each(rows)('$field', ({ field, fates: [through = '', translated = ''] }) => {
    const value = { messages, tools, model: 'm', stream: true, ...values }[field];
    // `tools` go along, for the choice needs some; the efforts of gpt-5-mini are listed.
    const body = (model: string, each: unknown) =>
      readChat({
        model,
        messages,
        ...(field === 'tool_choice' || field === 'parallel_tool_calls' ? { tools } : {}),
        [field]: field === 'model' ? model : each,
      });
    const direct = (each: unknown): Sent =>
      sent(() => planChat(body('gpt-5-mini', each), modelOf('gpt-5-mini'), context));
    const via = (each: unknown): Sent =>
      sent(() => planChatViaMessages(body('gpt-5.4', each), modelOf('gpt-5.4'), '/responses', context));
    check(through, field, value, direct(value), direct);
    check(translated, field, value, via(value), via);
  });

  it('temperature, top_p and stop reach a model that takes them', () => {
    const request = readChat({ model: 'x', messages, temperature: 0.5, stop: 'end', max_tokens: 9 });
    const claude = modelOf('claude-sonnet-4.5');
    expect(sent(() => planChatViaMessages(request, claude, '/v1/messages', context))).toMatchObject({
      body: { temperature: 0.5, stop_sequences: ['end'], max_tokens: 9 },
    });
    const topP = readChat({ model: 'x', messages, top_p: 0.5 });
    expect(sent(() => planChatViaMessages(topP, claude, '/v1/messages', context))).toMatchObject({
      body: { top_p: 0.5, max_tokens: claude.limits.outputTokens },
    });
  });
});

describe('POST /v1/responses', () => {
  const rows = rowsOf('/v1/responses');
  it('has a row for every field with a rule', () => {
    expect(rows.map(({ field }) => field)).toEqual(expect.arrayContaining(Object.keys(responsesRules)));
  });

  it.each(rows)('$field', ({ field, fates: [fate = ''] }) => {
    const value = { input: 'hi', tools: flatTools, model: 'm', stream: true, ...values }[field];
    const plan = (each: unknown): Sent =>
      sent(() => {
        const body = { model: 'gpt-5.4', input: 'hi', tools: flatTools, [field]: field === 'model' ? 'gpt-5.4' : each };
        return planResponses(readResponses(body), modelOf('gpt-5.4'));
      });
    check(fate, field, value, plan(value), plan);
  });

  it('tools that are no functions go, with their choice where none is left', () => {
    const search = { type: 'web_search' };
    const plan = (each: unknown[]): Sent =>
      sent(() =>
        planResponses(
          readResponses({ model: 'gpt-5.4', input: 'hi', tool_choice: 'auto', tools: each }),
          modelOf('gpt-5.4'),
        ),
      );
    expect(plan([search, ...flatTools])).toMatchObject({
      body: { tools: flatTools },
      notes: expect.stringContaining('web_search'),
    });
    const alone = plan([search]);
    expect('body' in alone && Object.keys(alone.body).sort()).toEqual(['input', 'model', 'store', 'stream']);
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
