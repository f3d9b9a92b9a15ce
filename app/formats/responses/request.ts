import type { JsonObject } from '../wire/json.ts';

/**
 * OpenAI's Responses API as Jumpseat writes it. Items carry no ids: Copilot encrypts them anew in every event, and
 * takes items without one.
 */
export interface ResponsesRequest {
  model: string;
  input: ResponsesItem[];
  instructions?: string;
  stream: true;
  /** Copilot keeps nothing between requests. */
  store: false;
  include: ['reasoning.encrypted_content'];
  max_output_tokens?: number;
  temperature?: number;
  top_p?: number;
  reasoning?: { effort: string; summary?: 'auto' };
  text?: { format?: ResponsesFormat; verbosity?: string };
  tools?: ResponsesTool[];
  tool_choice?: 'auto' | 'required' | 'none' | { type: 'function'; name: string };
  parallel_tool_calls?: false;
  [key: string]: unknown;
}

export type ResponsesItem =
  | { type: 'message'; role: 'system'; content: ResponsesText[] }
  | { type: 'message'; role: 'user'; content: ResponsesPart[] }
  | { type: 'message'; role: 'assistant'; content: { type: 'output_text'; text: string }[] }
  | { type: 'reasoning'; summary: { type: 'summary_text'; text: string }[]; encrypted_content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

interface ResponsesText {
  type: 'input_text';
  text: string;
}

export type ResponsesPart = ResponsesText | { type: 'input_image'; image_url: string; detail: 'auto' };

interface ResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: JsonObject;
  /** Said always: this API would otherwise take every schema for a strict one. */
  strict: boolean;
}

type ResponsesFormat =
  | { type: 'json_schema'; name: string; description?: string; strict?: boolean; schema: unknown }
  | { type: 'json_object' };
