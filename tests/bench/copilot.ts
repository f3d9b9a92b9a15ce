import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect, createServer as createTunnel, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createAuthority } from '../app/adapters/certificate.ts';
import { events, type Format } from './events.ts';

/**
 * A GitHub and a Copilot over TLS on 127.0.0.1, in a process of their own so that their work is not counted as the
 * product's. Nothing is checked: whatever is asked, the stream of the last script is the answer. First message sent:
 * `{port, tunnelPort, certificate}`.
 */
export interface Script {
  /** How many events a stream has. */
  events: number;
  /** Between two events: no write of its own (`burst`), one write each (`each`), or so many ms. */
  pace: 'burst' | 'each' | number;
  /** Paced events say in their text when they were sent. */
  stamped?: boolean;
}

export interface CopilotReady {
  port: number;
  /**
   * An HTTP proxy (CONNECT alone) that leads everywhere to this server: for programs whose upstream cannot be named.
   */
  tunnelPort: number;
  /** PEM of the authority that signed this server's certificates. */
  certificate: string;
}

const shortRequest = 4_000;
let script: Script = { events: 8, pace: 'burst' };
const sample = (name: string): Buffer => readFileSync(new URL(`../samples/${name}`, import.meta.url));
const catalog = sample('models-full-catalog-2026-03-28.json');
const user = sample('copilot_internal-user-student-token-billing.json');
const authority = createAuthority('Jumpseat Bench');
const certificates = new Map(
  ['localhost', 'api.github.com', 'api.githubcopilot.com', 'update.code.visualstudio.com', 'aur.archlinux.org'].map(
    (name) => [name, authority.issue(name)],
  ),
);
const own = certificates.get('localhost') ?? authority.issue('localhost');

const server = createServer(
  {
    ...own,
    SNICallback: (name, done) => done(null, createSecureContext(certificates.get(name) ?? own)),
  },
  (request, response) => {
    let isWhole = false;
    request.on('data', (chunk: Buffer) => {
      // Only short requests ask for a whole answer here: they come in one piece.
      if (chunk.length < shortRequest) isWhole = chunk.includes('"stream":false');
    });
    request.on('end', () => answer(request, response, isWhole));
  },
);
server.keepAliveTimeout = 120_000;
// What `localhost` is differs: some machines try ::1 first.
server.listen({ port: 0, host: '127.0.0.1' }, () => {
  const tunnel = createTunnel((client) => client.once('data', () => join(client)));
  tunnel.listen(0, '127.0.0.1', () => {
    process.send?.({ port: portOf(server), tunnelPort: portOf(tunnel), certificate: authority.certificate });
  });
});
process.on('disconnect', () => process.exit());
process.on('message', (reported: Script) => {
  script = reported;
  process.send?.('ready');
});

function join(client: Socket): void {
  const upstream = connect({ port: portOf(server), host: '127.0.0.1', noDelay: true }, () => {
    client.setNoDelay(true);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.on('error', () => client.destroy());
  client.on('error', () => upstream.destroy());
}

function portOf(listening: { address(): ReturnType<typeof server.address> }): number {
  const address = listening.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

function answer(request: IncomingMessage, response: ServerResponse, isWhole: boolean): void {
  const path = request.url ?? '';
  if (path.startsWith('/copilot_internal/v2/token')) {
    const api = `https://localhost:${portOf(server)}`;
    const expires = Math.round(Date.now() / 1000) + 1800;
    json(response, {
      token: 'bench',
      endpoints: { api },
      refresh_in: 1500,
      expires_at: expires,
      sku: 'monthly_subscriber',
    });
  } else if (path.startsWith('/copilot_internal/user')) send(response, user);
  else if (path.startsWith('/user')) json(response, { login: 'bench' });
  else if (path === '/models') send(response, catalog);
  else if (path === '/v1/messages' && isWhole) json(response, wholeMessage);
  else if (path === '/v1/messages') stream(response, 'messages');
  else if (path === '/chat/completions' && isWhole) json(response, wholeChat);
  else if (path === '/chat/completions') stream(response, 'chat');
  else if (path === '/responses') stream(response, 'responses');
  else {
    response.writeHead(404);
    response.end();
  }
}

const wholeMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content: [{ type: 'text', text: 'One, two, three, four, five. '.repeat(4) }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, output_tokens: 20 },
};

const wholeChat = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_717_764_806,
  model: 'claude-sonnet-4-6',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: wholeMessage.content[0]?.text } },
  ],
  usage: { completion_tokens: 20, prompt_tokens: 20, total_tokens: 40 },
};

function json(response: ServerResponse, body: object): void {
  send(response, JSON.stringify(body));
}

function send(response: ServerResponse, body: Buffer | string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}

/** In place of any event: whoever passes bytes on asks for no more. By the clock that all processes share. */
function stampedDelta(): string {
  const delta = { type: 'text_delta', text: `@${process.hrtime.bigint()}@` };
  return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n\n`;
}

function stream(response: ServerResponse, format: Format): void {
  const { pace, stamped = false } = script;
  const all = events(format, script.events);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'x-request-id': '00000000-0000-4000-8000-000000000000',
  });
  if (pace === 'burst') {
    response.end(Buffer.concat(all));
    return;
  }
  let next = 0;
  const one = (): boolean => {
    const event = all[next++];
    if (event !== undefined) response.write(stamped ? stampedDelta() : event);
    if (next < all.length && !response.destroyed) return true;
    response.end();
    return false;
  };
  if (pace === 'each') {
    const step = (): void => {
      if (!one()) return;
      if (response.writableNeedDrain) response.once('drain', step);
      else setImmediate(step);
    };
    step();
    return;
  }
  one();
  const timer = setInterval(() => {
    if (!one()) clearInterval(timer);
  }, pace);
}
