import { get } from 'node:http';
import type { RunningProxy } from '../server/running-proxy.ts';

export interface Readiness {
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
