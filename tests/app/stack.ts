import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { addSecret, redact } from '../../app/adapters/redact.ts';
import type { App } from '../../app/api/app.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { createApp } from '../../app/app.ts';
import type { AppOptions } from '../../app/app-options.ts';
import type { LogLevel, Paths, Ports, Secrets } from '../../app/ports.ts';
import type { SimulatorOptions } from '../../app/simulator/options.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { freePort } from '../free-port.ts';

export interface LogLine {
  level: LogLevel;
  event: string;
  facts: Record<string, unknown> | undefined;
}

export interface StackOptions {
  simulator?: SimulatorOptions;
  secrets?: Secrets;
  ports?: Partial<Ports>;
  app?: Partial<AppOptions>;
  home?: string;
  /** Do not start the proxy. */
  idle?: boolean;
}

/** The whole product against the simulator, in this process, with real sockets on both sides. */
export interface Stack {
  simulator: Simulator;
  app: App;
  home: string;
  key: string;
  baseUrl: string;
  log: LogLine[];
  /** Sends one request with the key and the label `test`; headers given here win, null takes one away. */
  send(sent: Sending): Promise<Answer>;
  messages(body: unknown, headers?: Record<string, string | null>): Promise<Answer>;
  /** The rows of ended exchanges, oldest first. Waits until `count` have ended. */
  rows(count: number): Promise<Exchange[]>;
  close(): Promise<void>;
}

export interface Sending {
  method?: string;
  path: string;
  headers?: Record<string, string | null>;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json(): unknown;
}

export function pathsIn(home: string): Paths {
  return {
    home,
    settings: join(home, 'settings.json'),
    history: join(home, 'history.db'),
    sessions: join(home, 'sessions.db'),
    transcripts: join(home, 'transcripts.db'),
    logs: join(home, 'logs'),
    lock: join(home, 'lock'),
    backups: join(home, 'backups'),
    cache: join(home, 'cache'),
  };
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const simulator = await startSimulator(options.simulator);
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'jumpseat-stack-'));
  const log: LogLine[] = [];
  const app = createApp(
    {
      secrets: options.secrets ?? memorySecrets({ 'github-token': simulator.githubToken }),
      dialer: nodeDialer(),
      clock: nodeClock(),
      paths: pathsIn(home),
      log: { write: (level, event, facts) => void log.push({ level, event, facts }) },
      openUrl: () => Promise.resolve(),
      redact,
      hideSecret: addSecret,
      ...options.ports,
    },
    {
      version: '0.0.0-test',
      // Whoever runs the tests may run Jumpseat.
      defaultPort: await freePort(),
      github: { web: new URL(simulator.webUrl), api: new URL(simulator.apiUrl) },
      ...options.app,
    },
  );
  const ended: Exchange[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  app.listen((event) => {
    if (event.event !== 'exchange' || event.exchange.outcome === 'running') return;
    ended.push(event.exchange);
    for (const wait of waiting.filter(({ count }) => ended.length >= count)) wait.resolve();
  });
  const baseUrl = options.idle === true ? '' : (await app.startProxy({ port: 0 })).baseUrl;
  const key = await app.localKey();
  const send = (sending: Sending): Promise<Answer> =>
    sendTo(baseUrl, { ...sending, headers: { authorization: `Bearer ${key}.test`, ...sending.headers } });
  return {
    simulator,
    app,
    home,
    key,
    baseUrl,
    log,
    send,
    messages: (body, headers = {}) =>
      send({
        method: 'POST',
        path: '/v1/messages',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    rows: async (count) => {
      if (ended.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return [...ended];
    },
    close: async () => {
      await app.close();
      await simulator.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Silence that is no slow machine any more. */
const silenceMs = 30_000;

/** One request over a connection of its own, with exactly the headers that are given (Host apart). */
export function sendTo(baseUrl: string, sending: Sending): Promise<Answer> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sending.headers ?? {})) if (value !== null) headers[name] = value;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(sending.path, baseUrl),
      { method: sending.method ?? 'GET', headers, agent: false, setHost: headers.host === undefined },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.setTimeout(silenceMs, () =>
      outgoing.destroy(new Error(`No answer to ${sending.path} for ${silenceMs} ms.`)),
    );
    outgoing.end(sending.body);
  });
}

/** A prompt as a client other than Claude Code sends it. */
export function prompt(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: 'claude-sonnet-4.6',
    max_tokens: 200,
    stream: true,
    messages: [{ role: 'user', content: text }],
    ...more,
  };
}

/** The events of a stream: name and parsed data. */
export function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const lines = part.split('\n');
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? '';
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6) ?? 'null';
      return { event, data: JSON.parse(data) };
    });
}
