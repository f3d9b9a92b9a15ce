import { readFileSync } from 'node:fs';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { addSecret, redact } from '../../../app/adapters/redact.ts';
import type { Dialer, HideSecret, Log, LogLevel, Redact, SecretName, Secrets } from '../../../app/ports.ts';
import { FakeServer, type Route } from './fake-server.ts';
import { HandClock } from './hand-clock.ts';

export function sample(name: string): string {
  return readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
}

export function jsonSample(name: string): Record<string, unknown> {
  return JSON.parse(sample(name));
}

export interface Line {
  level: LogLevel;
  event: string;
  facts: Record<string, unknown>;
}

export class LineLog implements Log {
  readonly lines: Line[] = [];
  write(level: LogLevel, event: string, facts: Record<string, unknown> = {}): void {
    this.lines.push({ level, event, facts });
  }
}

export class MapSecrets implements Secrets {
  readonly storage = 'memory';
  readonly values = new Map<SecretName, string>();
  reads = 0;
  /** Thrown by every call while it is set. */
  trouble: Error | null = null;
  async status() {
    return { kind: 'available' as const };
  }
  async get(name: SecretName): Promise<string | null> {
    this.reads += 1;
    if (this.trouble) throw this.trouble;
    return this.values.get(name) ?? null;
  }
  async set(name: SecretName, value: string): Promise<void> {
    if (this.trouble) throw this.trouble;
    this.values.set(name, value);
  }
  async delete(name: SecretName): Promise<void> {
    if (this.trouble) throw this.trouble;
    this.values.delete(name);
  }
}

export const githubToken = 'ghu_thisIsTheGithubTokenOfTheTest0001';

export interface Surroundings {
  clock: HandClock;
  log: LineLog;
  secrets: MapSecrets;
  dialer: Dialer;
  github: FakeServer;
  copilot: FakeServer;
  /** For the constructor of an account. */
  parts: {
    clock: HandClock;
    log: LineLog;
    secrets: MapSecrets;
    dialer: Dialer;
    github: { web: URL; api: URL };
    redact: Redact;
    hideSecret: HideSecret;
  };
  stop(): Promise<void>;
}

/** A GitHub and a Copilot on this machine. Each mint gives another token: `tid=1;exp=…`, `tid=2;…`. */
export async function surround(routes: { github?: Record<string, Route>; copilot?: Record<string, Route> } = {}) {
  const copilot = await FakeServer.start(routes.copilot);
  const github = await FakeServer.start({
    'GET /copilot_internal/v2/token': (_request, before) => ({ body: tokenBody(copilot, before + 1) }),
    'GET /copilot_internal/user': () => ({ body: jsonSample('copilot_internal-user-student-token-billing.json') }),
    ...routes.github,
  });
  const clock = new HandClock();
  const log = new LineLog();
  const secrets = new MapSecrets();
  const dialer = nodeDialer({ env: {} });
  const surroundings: Surroundings = {
    clock,
    log,
    secrets,
    dialer,
    github,
    copilot,
    parts: { clock, log, secrets, dialer, github: { web: github.url, api: github.url }, redact, hideSecret: addSecret },
    async stop() {
      dialer.close();
      await github.stop();
      await copilot.stop();
    },
  };
  return surroundings;
}

/** The recorded answer with its placeholders filled in. */
export function tokenBody(copilot: { url: URL }, number: number, changes: Record<string, unknown> = {}) {
  return {
    ...jsonSample('copilot-token.response.shape.json'),
    token: `tid=${number};exp=1764000000;sku=monthly_subscriber:mac`,
    endpoints: { api: copilot.url.origin },
    ...changes,
  };
}
