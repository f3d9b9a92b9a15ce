/**
 * Events of a native stream, as scripts of the simulator take them: the usual ones, built from what matters in a test.
 */

export interface StreamEvent {
  event: string;
  data: Record<string, unknown>;
}

export function messageStart(model = 'claude-sonnet-4-6'): StreamEvent {
  return {
    event: 'message_start',
    data: {
      message: {
        content: [],
        id: 'msg_1',
        model,
        role: 'assistant',
        stop_reason: null,
        stop_sequence: null,
        type: 'message',
        usage: { input_tokens: 5, output_tokens: 1 },
      },
      type: 'message_start',
    },
  };
}

export function blockStart(index: number, content_block: Record<string, unknown>): StreamEvent {
  return { event: 'content_block_start', data: { content_block, index, type: 'content_block_start' } };
}

export function blockDelta(index: number, delta: Record<string, unknown>): StreamEvent {
  return { event: 'content_block_delta', data: { delta, index, type: 'content_block_delta' } };
}

export function blockStop(index: number): StreamEvent {
  return { event: 'content_block_stop', data: { index, type: 'content_block_stop' } };
}

/** A block of text from its start to its stop. */
export function textBlock(index: number, text: string): StreamEvent[] {
  return [
    blockStart(index, { text: '', type: 'text' }),
    blockDelta(index, { text, type: 'text_delta' }),
    blockStop(index),
  ];
}

/** A tool call from its start to its stop; without `stop` it stays open. */
export function toolBlock(index: number, name: string, json: string, stop = true): StreamEvent[] {
  return [
    blockStart(index, { id: 'toolu_1', input: {}, name, type: 'tool_use' }),
    blockDelta(index, { partial_json: json, type: 'input_json_delta' }),
    ...(stop ? [blockStop(index)] : []),
  ];
}

/** The two events that end a message. */
export function messageEnd(stop_reason: string, more: Record<string, unknown> = {}): StreamEvent[] {
  return [
    {
      event: 'message_delta',
      data: {
        ...more,
        delta: { stop_reason, stop_sequence: null },
        type: 'message_delta',
        usage: { output_tokens: 3 },
      },
    },
    { event: 'message_stop', data: { type: 'message_stop' } },
  ];
}

export function errorEvent(type: string, message: string): StreamEvent {
  return { event: 'error', data: { error: { message, type }, type: 'error' } };
}

/** A chunk of Chat Completions, without an event name as on the wire. */
export function chatChunk(
  delta: Record<string, unknown>,
  finish_reason: string | null = null,
  more: Record<string, unknown> = {},
): { data: Record<string, unknown> } {
  return {
    data: {
      choices: [{ delta, finish_reason, index: 0 }],
      created: 1,
      id: 'chatcmpl-1',
      model: 'gpt-4.1-2025-04-14',
      object: 'chat.completion.chunk',
      ...more,
    },
  };
}

export const chatDone = 'data: [DONE]\n\n';

/** An event of Responses; of the item in the first place unless `more` says otherwise. */
export function responseEvent(type: string, more: Record<string, unknown> = {}): StreamEvent {
  return { event: `response.${type}`, data: { output_index: 0, ...more, type: `response.${type}` } };
}

export const responseDone: StreamEvent = responseEvent('completed', { response: { status: 'completed' } });
