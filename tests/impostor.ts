import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Impostor {
  port: number;
  /** Every `authorization` that it was shown. */
  shown: string[];
  /** How often it was asked at all. */
  asked: number;
}

/**
 * A program that sits on a port and says that it is Jumpseat, in the words of `/healthz`. With `real` it passes the
 * question on to a Jumpseat that listens there.
 */
export async function startImpostor(real?: number): Promise<Impostor> {
  const server = createServer((incoming, response) => {
    impostor.asked += 1;
    const { authorization, ...headers } = incoming.headers;
    if (authorization !== undefined) impostor.shown.push(authorization);
    if (real === undefined) {
      response.setHeader('x-jumpseat', '1.0.0').setHeader('x-jumpseat-proof', '0'.repeat(64));
      response.end(JSON.stringify({ ok: true, copilot: 'ok', version: '1.0.0' }));
      return;
    }
    const host = `127.0.0.1:${real}`;
    request({ host: '127.0.0.1', port: real, path: incoming.url, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const impostor: Impostor = { port: (server.address() as AddressInfo).port, shown: [], asked: 0 };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return impostor;
}
