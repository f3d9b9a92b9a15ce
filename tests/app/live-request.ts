import { request } from 'node:http';
import type { Stack } from './stack.ts';

/** A request to the proxy whose answer is looked at while it runs. */
export interface LiveRequest {
  /** Resolves with the head. */
  status: Promise<number>;
  /** Everything, when the connection is gone or the answer has ended. */
  text: Promise<string>;
  /** Resolves when what has arrived so far holds this text so many times. */
  seen(text: string, times?: number): Promise<void>;
  /** Closes the connection, whatever is on its way. */
  leave(): void;
}

export function openRequest(stack: Stack, body: unknown, headers: Record<string, string> = {}): LiveRequest {
  const status = Promise.withResolvers<number>();
  const text = Promise.withResolvers<string>();
  let soFar = '';
  const watchers: (() => void)[] = [];
  const outgoing = request(
    new URL('/v1/messages', stack.baseUrl),
    {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${stack.key}.test`, 'content-type': 'application/json', ...headers },
    },
    (response) => {
      status.resolve(response.statusCode ?? 0);
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        soFar += chunk;
        for (const watch of watchers) watch();
      });
      response.on('error', () => {});
      response.on('close', () => text.resolve(soFar));
    },
  );
  outgoing.on('error', () => text.resolve(soFar));
  outgoing.end(JSON.stringify(body));
  return {
    status: status.promise,
    text: text.promise,
    seen: (wanted, times = 1) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (soFar.split(wanted).length > times) resolve();
        };
        watchers.push(watch);
        watch();
      }),
    leave: () => outgoing.destroy(),
  };
}
