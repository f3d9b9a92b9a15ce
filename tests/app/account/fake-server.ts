import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** As they came, in spelling and order. */
  rawHeaders: string[];
  body: string;
}

export interface Said {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Closes the connection instead of answering. */
  reset?: boolean;
}

/** Called with the request and how many of this route came before it. May answer by itself and return nothing. */
export type Route = (
  request: Seen,
  before: number,
  response: ServerResponse,
) => Said | undefined | Promise<Said | undefined>;

/** An HTTP server on loopback that answers by route (`GET /models`) and remembers what it was asked. */
export class FakeServer {
  readonly seen: Seen[] = [];
  readonly routes: Record<string, Route>;
  readonly #server: http.Server;
  readonly #counts = new Map<string, number>();

  private constructor(routes: Record<string, Route>) {
    this.routes = routes;
    this.#server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const name = `${request.method} ${request.url}`;
      const before = this.#counts.get(name) ?? 0;
      this.#counts.set(name, before + 1);
      const seen: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      };
      this.seen.push(seen);
      const said: Said | undefined = await (this.routes[name] ?? (() => ({ status: 404, body: 'no such route' })))(
        seen,
        before,
        response,
      );
      if (!said) return;
      if (said.reset) {
        request.socket.destroy();
        return;
      }
      response.writeHead(said.status ?? 200, said.headers);
      response.end(
        typeof said.body === 'string' ? said.body : said.body === undefined ? '' : JSON.stringify(said.body),
      );
    });
  }

  static async start(routes: Record<string, Route> = {}): Promise<FakeServer> {
    const server = new FakeServer(routes);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): URL {
    const address = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${address.port}`);
  }

  asked(name: string): Seen[] {
    return this.seen.filter((seen) => `${seen.method} ${seen.url}` === name);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A promise that a test opens. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
