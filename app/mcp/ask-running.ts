import { request } from 'node:http';
import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnswerTool } from './tools.ts';

/** Where a Jumpseat listens, and the key with its label. */
export interface RunningDoor {
  baseUrl: string;
  key: string;
}

const answerSchema = z.object({ result: z.unknown() });
/** A page has 40 000 characters, a search some more. */
const longest = 4 * 1024 * 1024;

/**
 * Answers the tools by asking the running Jumpseat: searches then have their row there, and no second process signs in.
 * @param door looked for anew with every call, since it may have been started again. Null: none runs.
 */
export function askRunning(door: () => Promise<RunningDoor | null>): AnswerTool {
  return async (name, given, signal) => {
    const found = await door();
    if (found === null) return failed('Jumpseat isn’t running. Start it, then ask again.');
    const asked = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    });
    const text = await post(found, asked, signal);
    signal.throwIfAborted();
    return (text === null ? null : resultIn(text)) ?? failed('The running Jumpseat didn’t answer. Restart it.');
  };
}

/** Null: no answer with 200. */
function post({ baseUrl, key }: RunningDoor, body: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const sent = request(`${baseUrl}/mcp`, { method: 'POST', headers, agent: false, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > longest) response.destroy();
      });
      response.on('error', () => resolve(null));
      response.on('close', () => resolve(response.statusCode === 200 && response.complete ? text : null));
    });
    sent.on('error', () => resolve(null));
    sent.end(body);
  });
}

/** JSON, or the one event with data that a stream holds. */
function resultIn(text: string): CallToolResult | null {
  const data = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '');
  try {
    const { result } = answerSchema.parse(JSON.parse(data));
    return isCallToolResult(result) ? result : null;
  } catch {
    return null;
  }
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Jumpseat: ${text}` }] };
}
