import { request } from 'node:http';
import { z } from 'zod';
import { withoutSpeaker } from '../words/text.ts';

/** Where a Jumpseat listens, and the key with its label. */
export interface RunningDoor {
  baseUrl: string;
  key: string;
}

export interface RunningAnswer {
  /** 0: none came. */
  status: number;
  /** Null: it did not come whole. */
  text: string | null;
}

/** Of the answers that are asked for in this way none comes near. */
const longest = 4 * 1024 * 1024;
const longestError = 2_000;
const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Asks the running Jumpseat of this folder. Never rejects. */
export function askRunning(
  { baseUrl, key }: RunningDoor,
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<RunningAnswer> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const options = { method: 'POST', headers, agent: false, ...(signal && { signal }) };
    const sent = request(`${baseUrl}${path}`, options, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > longest) response.destroy();
      });
      response.on('error', () => resolve({ status, text: null }));
      response.on('close', () => resolve({ status, text: response.complete ? text : null }));
    });
    sent.on('error', () => resolve({ status: 0, text: null }));
    sent.end(body);
  });
}

/** What it says of a request that it doesn’t take (too many at once, about to end, too large). Null: nothing usable. */
export function refusalIn({ text }: RunningAnswer): string | null {
  try {
    const { error } = errorSchema.parse(JSON.parse(text ?? ''));
    return withoutSpeaker(error.message).slice(0, longestError);
  } catch {
    return null;
  }
}
