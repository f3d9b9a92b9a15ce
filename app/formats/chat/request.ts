import type { JsonObject } from '../wire/json.ts';

/**
 * OpenAI's Chat Completions as Jumpseat writes it, with Copilot's two additions (`reasoning_*`,
 * `copilot_cache_control`).
 */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  stream: true;
  stream_options: { include_usage: true };
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
  stop?: string[];
  reasoning_effort?: string;
  response_format?: { type: 'json_schema'; json_schema: { name: string; schema: unknown } };
  tools?: ChatTool[];
  tool_choice?: 'auto' | 'required' | 'none' | { type: 'function'; function: { name: string } };
  parallel_tool_calls?: false;
  [key: string]: unknown;
}

export type ChatMessage = (
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ChatPart[] }
  | {
      role: 'assistant';
      content: string | null;
      tool_calls?: ChatToolCall[];
      /** Copilot refuses the text without its opaque part, so they are both there or both absent. */
      reasoning_text?: string;
      reasoning_opaque?: string;
    }
  | { role: 'tool'; tool_call_id: string; content: string }
) & { copilot_cache_control?: { type: 'ephemeral' } };

export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters: JsonObject };
}
