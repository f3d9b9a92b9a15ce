import type { JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { asObject, roughTokens } from '../json.ts';
import { citationOf } from '../pages.ts';
import type { Answer, Thought } from '../prompt.ts';
import { sign } from '../signatures.ts';
import {
  argumentPieces,
  bill,
  type CopilotUsage,
  modelId,
  type PromptTokens,
  pieces,
  type Tokens,
} from './answer-parts.ts';

/**
 * A simulated answer as Copilot's `/v1/messages` writes it: fields in alphabetical order, `copilot_usage` on
 * `message_delta`, `amazon-bedrock-invocationMetrics` on `message_stop`, the model's name with dashes.
 */
interface MessagesAnswer {
  events: JsonObject[];
  whole: JsonObject;
  usage: CopilotUsage;
}

type Block = { signature: string; thinking: string; type: 'thinking' } | TextBlock | ToolUseBlock;
type TextBlock = { citations?: JsonObject[]; text: string; type: 'text' };
type ToolUseBlock = { id: string; input: unknown; name: string; type: 'tool_use' };

const stopReasons = { end: 'end_turn', calls: 'tool_use', length: 'max_tokens', sequence: 'stop_sequence' } as const;

export function messagesAnswer(
  answer: Answer,
  model: SimulatedModel,
  prompt: PromptTokens,
  body: JsonObject,
): MessagesAnswer {
  const blocks = answer.thoughts.map((thought) => blockOf(thought, model.id, body));
  const tokens = countTokens(answer.thoughts, prompt);
  const usage = bill(tokens, model.prices);
  const id = modelId('msg_bdrk_');
  const name = dashed(model.id);
  const edits = body.context_management === undefined ? {} : { context_management: { applied_edits: [] } };
  const stop = { stop_details: null, stop_reason: stopReasons[answer.stop], stop_sequence: answer.sequence };
  const events: JsonObject[] = [
    {
      message: {
        content: [],
        id,
        model: name,
        role: 'assistant',
        stop_details: null,
        stop_reason: null,
        stop_sequence: null,
        type: 'message',
        usage: startUsage(tokens),
      },
      type: 'message_start',
    },
    ...blocks.flatMap((block, index) => blockEvents(block, index)),
    {
      ...edits,
      copilot_usage: usage,
      delta: stop,
      type: 'message_delta',
      usage: {
        cache_creation_input_tokens: tokens.cacheWrite,
        cache_read_input_tokens: tokens.cacheRead,
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        ...thinkingDetails(tokens),
      },
    },
    {
      'amazon-bedrock-invocationMetrics': {
        firstByteLatency: 850,
        inputTokenCount: tokens.input,
        invocationLatency: 1153,
        outputTokenCount: tokens.output,
      },
      type: 'message_stop',
    },
  ];
  const whole = {
    content: blocks,
    ...edits,
    copilot_usage: usage,
    id,
    model: name,
    role: 'assistant',
    ...stop,
    type: 'message',
    usage: { ...startUsage(tokens), output_tokens: tokens.output, ...thinkingDetails(tokens) },
  };
  return { events, whole, usage };
}

/** `claude-sonnet-4.6` is called `claude-sonnet-4-6` in answers. */
function dashed(model: string): string {
  return model.replaceAll('.', '-');
}

function blockOf(thought: Thought, model: string, body: JsonObject): Block {
  switch (thought.kind) {
    case 'text':
      return thought.cited === undefined
        ? { text: thought.text, type: 'text' }
        : { citations: [citationOf(thought.cited)], text: thought.text, type: 'text' };
    case 'thinking': {
      const omitted = asObject(body.thinking).display === 'omitted';
      return { signature: sign(model, thought.text), thinking: omitted ? '' : thought.text, type: 'thinking' };
    }
    case 'call':
      return { id: modelId('toolu_bdrk_'), input: thought.input, name: thought.name, type: 'tool_use' };
  }
}

function countTokens(thoughts: readonly Thought[], prompt: PromptTokens): Tokens {
  let output = 0;
  let thinking = 0;
  for (const thought of thoughts) {
    const size = thought.kind === 'call' ? roughTokens(thought.input) + 20 : roughTokens(thought.text);
    output += size;
    if (thought.kind === 'thinking') thinking += size;
  }
  return { ...prompt, output: Math.max(1, output), thinking };
}

function startUsage(tokens: Tokens): JsonObject {
  return {
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: tokens.cacheWrite },
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    input_tokens: tokens.input,
    output_tokens: Math.min(3, tokens.output),
  };
}

function thinkingDetails(tokens: Tokens): JsonObject {
  return tokens.thinking === 0 ? {} : { output_tokens_details: { thinking_tokens: tokens.thinking } };
}

function blockEvents(block: Block, index: number): JsonObject[] {
  const start = (content_block: JsonObject): JsonObject => ({ content_block, index, type: 'content_block_start' });
  const delta = (delta: JsonObject): JsonObject => ({ delta, index, type: 'content_block_delta' });
  const stop = { index, type: 'content_block_stop' };
  switch (block.type) {
    case 'text':
      return [
        start(block.citations === undefined ? { text: '', type: 'text' } : { citations: [], text: '', type: 'text' }),
        ...(block.citations ?? []).map((citation) => delta({ citation, type: 'citations_delta' })),
        ...pieces(block.text).map((text) => delta({ text, type: 'text_delta' })),
        stop,
      ];
    case 'thinking':
      return [
        start({ signature: '', thinking: '', type: 'thinking' }),
        ...pieces(block.thinking).map((thinking) => delta({ thinking, type: 'thinking_delta' })),
        delta({ signature: block.signature, type: 'signature_delta' }),
        stop,
      ];
    case 'tool_use':
      return [
        start({ id: block.id, input: {}, name: block.name, type: 'tool_use' }),
        delta({ partial_json: '', type: 'input_json_delta' }),
        ...argumentPieces(JSON.stringify(block.input)).map((partial_json) =>
          delta({ partial_json, type: 'input_json_delta' }),
        ),
        stop,
      ];
  }
}
