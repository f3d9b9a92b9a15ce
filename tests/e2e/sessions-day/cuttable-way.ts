import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';

export interface CuttableWay {
  /** As a browser's proxy. */
  readonly server: string;
  /** Ends what goes over it, and lets nothing through until it is fixed. */
  cut: () => void;
  remedy: () => void;
  close: () => void;
}

/** A way from a browser to servers of this machine that can be cut. */
export async function cuttableWay(): Promise<CuttableWay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer();
  server.on('request', (asked, answer) => {
    const { url = '', method, headers } = asked;
    const onwards = request(url, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.pipe(answer);
    });
    onwards.on('error', () => answer.destroy());
    answer.on('close', () => onwards.destroy());
    asked.pipe(onwards);
  });
  server.on('connection', (socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    server: `http://127.0.0.1:${port}`,
    cut,
    remedy: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
