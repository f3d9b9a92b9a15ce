import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Issued } from './certificate.ts';

/** What a proxy was asked for. */
export interface Asked {
  target: string;
  authorization: string | undefined;
}

export interface TestProxy {
  port: number;
  asked: Asked[];
  close(): void;
}

interface ProxyOptions {
  /** Where `host:port` really is; the port on 127.0.0.1. */
  ports?: ReadonlyMap<string, number>;
  /** `name:password` that is asked for. */
  wants?: string;
  /** The ways to sign in that it names with 407, as it spells them; without this it names none. */
  offers?: readonly string[];
  /** What every CONNECT is answered with instead of a tunnel. */
  refuses?: number;
  /** Speaks TLS itself. */
  certificate?: Issued;
}

/** A real proxy for CONNECT. */
export async function connectProxy({
  ports,
  wants,
  offers = [],
  refuses,
  certificate,
}: ProxyOptions = {}): Promise<TestProxy> {
  const asked: Asked[] = [];
  const server = certificate ? https.createServer(certificate) : http.createServer();
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = incoming.url ?? '';
    const authorization = incoming.headers['proxy-authorization'];
    asked.push({ target, authorization });
    client.on('error', () => undefined);
    const expected = wants === undefined ? undefined : `Basic ${Buffer.from(wants).toString('base64')}`;
    if (refuses !== undefined) client.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
    else if (authorization !== expected) {
      const lines = offers.map((offer) => `Proxy-Authenticate: ${offer}\r\n`).join('');
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines}\r\n`);
    } else {
      const there = net.connect(ports?.get(target) ?? Number(target.split(':').at(-1)), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        there.write(head);
        there.pipe(client).pipe(there);
      });
      there.on('error', () => client.destroy());
      client.on('close', () => there.destroy());
    }
  });
  return serving(server, asked);
}

/** A real SOCKS5 proxy (RFC 1928, 1929), with a password where `wants` is given. */
export async function socksProxy({ ports, wants, refuses }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: Asked[] = [];
  const talk = async (client: net.Socket): Promise<unknown> => {
    client.on('error', () => undefined);
    const next = reader(client);
    const [, methods = 0] = await next(2);
    await next(methods);
    client.write(Buffer.from([5, wants === undefined ? 0 : 2]));
    let authorization: string | undefined;
    if (wants !== undefined) {
      const [, nameLength = 0] = await next(2);
      const name = (await next(nameLength)).toString();
      const [passwordLength = 0] = await next(1);
      authorization = `${name}:${await next(passwordLength)}`;
      client.write(Buffer.from([1, authorization === wants ? 0 : 1]));
      if (authorization !== wants) return client.end();
    }
    await next(4);
    const [length = 0] = await next(1);
    const host = (await next(length)).toString();
    const target = `${host}:${(await next(2)).readUInt16BE()}`;
    asked.push({ target, authorization });
    client.write(Buffer.from([5, refuses ?? 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (refuses !== undefined) return client.end();
    const there = net.connect(ports?.get(target) ?? 1, '127.0.0.1');
    there.on('error', () => client.destroy());
    client.on('close', () => there.destroy());
    return there.pipe(client).pipe(there);
  };
  // Who asked may be gone in the middle of it.
  const server = net.createServer((client) => void talk(client).catch(() => client.destroy()));
  return serving(server, asked);
}

function reader(socket: net.Socket): (length: number) => Promise<Buffer> {
  return async (length) => {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const chunk: Buffer | null = socket.read(length);
      if (chunk) return chunk;
      await once(socket, 'readable');
    }
  };
}

async function serving(server: net.Server, asked: Asked[]): Promise<TestProxy> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
