import { get } from 'node:http';
import type { App } from '../api/app.ts';
import type { Environment } from '../environment.ts';
import { type RunningDoor, type RunningProxy, runningProxy } from '../server/running-proxy.ts';
import type { Opened } from './surroundings.ts';

/* What a command asks of the Jumpseat that runs: its door, and whether it is ready. */

/** The way to the running Jumpseat, under this label. `no-key`: only that one has its key. */
type RunningWay = RunningDoor | 'none' | 'no-key';

export async function runningDoor({ app, ports, variables }: Opened, label: string): Promise<RunningWay> {
  const running = await runningProxy(ports.paths.lock);
  if (running === null) return 'none';
  if (!knowsKey({ ports, variables })) return 'no-key';
  return { baseUrl: running.baseUrl, key: `${await app.localKey()}.${label}` };
}

/** The key is not in the memory of another process alone. */
export function knowsKey({ ports, variables }: Pick<Opened, 'ports' | 'variables'>): boolean {
  return ports.secrets.storage !== 'memory' || variables.key !== null;
}

/** Null: Claude Code's settings.json can't be read. */
export async function isClaudeCodeSetUp(
  app: Pick<App, 'planSetup'>,
  env: Environment,
  running: RunningProxy | null,
): Promise<boolean | null> {
  if (running !== null && env.ANTHROPIC_BASE_URL === running.baseUrl) return true;
  return app.planSetup('undo').then(
    ({ isSetUp }) => isSetUp,
    () => null,
  );
}

interface Readiness {
  ready: boolean;
  problem: { code: string; text: string; mend: string } | null;
}

/**
 * What the running proxy says of itself (`/readyz`); it may have to ask GitHub first. Null: it said nothing in time.
 */
export function readinessOf(proxy: RunningProxy, timeoutMs = 20_000): Promise<Readiness | null> {
  return new Promise((resolve) => {
    const request = get(`${proxy.baseUrl}/readyz`, { timeout: timeoutMs, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', () => resolve(null));
      response.on('end', () => resolve(readReadiness(response.statusCode ?? 0, body)));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });
}

function readReadiness(status: number, body: string): Readiness | null {
  if (status === 200) return { ready: true, problem: null };
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return null;
    const text = 'reason' in value && typeof value.reason === 'string' ? value.reason : `The proxy answered ${status}.`;
    const mend = 'mend' in value && typeof value.mend === 'string' ? value.mend : '';
    const code = 'code' in value && typeof value.code === 'string' ? value.code : 'not-ready';
    return { ready: false, problem: { code, text, mend } };
  } catch {
    return null;
  }
}
