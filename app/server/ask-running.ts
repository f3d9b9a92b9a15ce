import { request } from 'node:http';

/** Where a Jumpseat listens, and the key with its label. */
export interface RunningDoor {
  baseUrl: string;
  key: string;
}

/** Of the answers that are asked for in this way none comes near. */
const longest = 4 * 1024 * 1024;

/** Asks the running Jumpseat of this folder. Null: no answer with 200. */
export function askRunning(
  { baseUrl, key }: RunningDoor,
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const options = { method: 'POST', headers, agent: false, ...(signal && { signal }) };
    const sent = request(`${baseUrl}${path}`, options, (response) => {
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
