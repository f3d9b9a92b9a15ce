import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ClientAnswer } from '../../../app/server/take-call.ts';

it('a client that leaves while its buffer is full holds no other up', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => asked.resolve(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  client.end();
  const response = await asked.promise;
  const answer = new ClientAnswer(response);
  answer.begin(200, {});
  // It reads nothing: some MiB fill what the system holds for it.
  for (let written = 0; written < 64 && answer.write(Buffer.alloc(1024 * 1024)); written += 1);
  const drained = new Promise<void>((resolve) => answer.drained(resolve));
  client.destroy();
  await drained;
  expect(response.destroyed).toBe(true);
  expect([response.listenerCount('drain'), response.listenerCount('close')]).toEqual([0, 0]);
});
