import { isObject } from '../wire/json.ts';

/**
 * Anthropic's Messages API as it passes through: only what Jumpseat reads is typed, everything else goes on untouched,
 * so that a field or block of tomorrow neither fails a type check nor gets lost.
 */
export interface MessagesRequest {
  model: string;
  messages: Message[];
  system?: string | SystemBlock[];
  tools?: Tool[];
  tool_choice?: ToolChoice;
  max_tokens?: number;
  /** Absent means false. */
  stream?: boolean;
  thinking?: Thinking;
  output_config?: OutputConfig;
  context_management?: unknown;
  stop_sequences?: string[];
  temperature?: number;
  top_p?: number;
  top_k?: number;
  metadata?: unknown;
  [key: string]: unknown;
}

export interface Message {
  /** `user` or `assistant`; newer clients also put `system` between turns. */
  role: 'user' | 'assistant' | 'system' | (string & {});
  content: string | Block[];
  [key: string]: unknown;
}

export interface Block {
  type: string;
  [key: string]: unknown;
}

type SystemBlock = Block;

export interface Tool {
  name: string;
  /** Absent or `custom` for a client's own tool; a dated name for one that the API brings along. */
  type?: string;
  description?: string;
  input_schema?: unknown;
  defer_loading?: boolean;
  [key: string]: unknown;
}

export interface ToolChoice {
  type: string;
  name?: string;
  disable_parallel_tool_use?: boolean;
  [key: string]: unknown;
}

export interface Thinking {
  type: string;
  budget_tokens?: number;
  [key: string]: unknown;
}

export interface OutputConfig {
  effort?: string;
  format?: unknown;
  [key: string]: unknown;
}

interface TextBlock extends Block {
  type: 'text';
  text: string;
}
interface ThinkingBlock extends Block {
  type: 'thinking';
  thinking: string;
  signature?: string;
}
export interface ToolUseBlock extends Block {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}
export interface ToolResultBlock extends Block {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | Block[];
  is_error?: boolean;
}
interface ToolReferenceBlock extends Block {
  type: 'tool_reference';
  tool_name: string;
}

export function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value.type === 'string';
}
export function isTextBlock(block: Block): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string';
}
export function isThinkingBlock(block: Block): block is ThinkingBlock {
  return block.type === 'thinking' && typeof block.thinking === 'string';
}
export function isToolUseBlock(block: Block): block is ToolUseBlock {
  return block.type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string';
}
export function isToolResultBlock(block: Block): block is ToolResultBlock {
  return block.type === 'tool_result' && typeof block.tool_use_id === 'string';
}
export function isToolReferenceBlock(block: Block): block is ToolReferenceBlock {
  return block.type === 'tool_reference' && typeof block.tool_name === 'string';
}

/** A string is one text block. What is no block at all is passed over. */
export function* blocksOf(content: string | Block[]): Generator<[number, Block]> {
  if (typeof content === 'string') {
    yield [0, { type: 'text', text: content }];
    return;
  }
  for (const [index, block] of content.entries()) if (isBlock(block)) yield [index, block];
}

/** Carries a cache mark. */
export function isMarked(carrier: { [key: string]: unknown }): boolean {
  return isObject(carrier.cache_control);
}

/** A whole answer. Fields that Jumpseat does not know stay where they are. */
export interface WholeMessage {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: Block[];
  stop_reason: string | null;
  stop_sequence: string | null;
  usage: MessagesUsage;
  [key: string]: unknown;
}

/** Tokens. `input_tokens` is without cached ones; `output_tokens` is a running total. */
export interface MessagesUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  [key: string]: unknown;
}

/**
 * Looks only at what every later step relies on: an object, `model` a string, `messages` a list of objects with a role
 * and a content. Whatever else may be wrong, blocks included, is for later steps or the upstream to say. The object is
 * not copied. `message` names the field, without a prefix.
 */
export function readMessagesRequest(
  value: unknown,
): { ok: true; request: MessagesRequest } | { ok: false; message: string } {
  return isMessagesRequest(value)
    ? { ok: true, request: value }
    : { ok: false, message: complaint(value) ?? 'The body must be a JSON object.' };
}

function isMessagesRequest(value: unknown): value is MessagesRequest {
  return complaint(value) === null;
}

function complaint(value: unknown): string | null {
  if (!isObject(value)) return 'The body must be a JSON object.';
  if (typeof value.model !== 'string' || value.model === '') return 'model: a string is required.';
  if (!Array.isArray(value.messages)) return 'messages: a list is required.';
  for (const [at, message] of value.messages.entries()) {
    if (!isObject(message)) return `messages.${at}: an object is required.`;
    if (typeof message.role !== 'string') return `messages.${at}.role: a string is required.`;
    const { content } = message;
    if (typeof content !== 'string' && !Array.isArray(content))
      return `messages.${at}.content: a string or a list of blocks is required.`;
  }
  return null;
}
