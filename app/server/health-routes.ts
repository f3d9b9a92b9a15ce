import type { Problem } from '../api/call.ts';
import type { Exchange } from '../api/exchange.ts';
import type { AppState } from '../api/state.ts';
import { scopeInWords } from '../words/own-limits.ts';
import type { CallRoute, Routes } from './express-app.ts';

/**
 * Running sums since the proxy was started, by what Prometheus users group by. Cheap to add to; read only when asked.
 */
export class Counters {
  readonly #requests = new Map<string, number>();
  readonly #tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #nanoAiu = 0;
  #premium = 0;

  /** Listens to exchanges, which count when they have ended. */
  readonly add = (exchange: Exchange): void => {
    if (exchange.outcome === 'running') return;
    const key = [
      exchange.api,
      exchange.initiator ?? 'none',
      exchange.outcome,
      exchange.status ?? 'none',
      exchange.charge.kind,
    ].join('|');
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    this.#tokens.input += exchange.tokens.input ?? 0;
    this.#tokens.output += exchange.tokens.output ?? 0;
    this.#tokens.cacheRead += exchange.tokens.cacheRead ?? 0;
    this.#tokens.cacheWrite += exchange.tokens.cacheWrite ?? 0;
    this.#nanoAiu += exchange.charge.nanoAiu ?? 0;
    this.#premium += exchange.charge.premiumRequests ?? 0;
  };

  /** Prometheus' text format, written by its client library, which is loaded at the first scrape. */
  async text(state: AppState, sessions: ReadonlyMap<string, number> = new Map()): Promise<string> {
    const { Counter, Gauge, Registry } = await import('prom-client');
    const registry = new Registry();
    const registers = [registry];
    const requests = new Counter({
      name: 'jumpseat_requests_total',
      help: 'Requests that ended, since the proxy was started',
      labelNames: ['api', 'initiator', 'outcome', 'status', 'charge'],
      registers,
    });
    for (const [key, count] of this.#requests) {
      const [api = '', initiator = '', outcome = '', status = '', charge = ''] = key.split('|');
      requests.inc({ api, initiator, outcome, status, charge }, count);
    }
    const tokens = new Counter({
      name: 'jumpseat_tokens_total',
      help: 'Tokens as Copilot reported them',
      labelNames: ['kind'],
      registers,
    });
    for (const [kind, count] of Object.entries(this.#tokens)) tokens.inc({ kind }, count);
    new Counter({ name: 'jumpseat_credits_total', help: 'AI credits as Copilot reported them', registers }).inc(
      this.#nanoAiu / 1e9,
    );
    new Counter({
      name: 'jumpseat_premium_requests_total',
      help: 'Premium requests, estimated by Jumpseat on plans that count them',
      registers,
    }).inc(this.#premium);
    new Gauge({ name: 'jumpseat_requests_running', help: 'Requests under way', registers }).set(state.health.running);
    new Gauge({
      name: 'jumpseat_requests_held',
      help: 'Prompts that wait to be let through',
      registers,
    }).set(state.health.held.prompts);
    const limitOf = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['limit', 'scope'], registers });
    const used = limitOf('jumpseat_own_limit_used', 'How much of your own limits is used');
    const most = limitOf('jumpseat_own_limit', 'Your own limits');
    for (const limit of state.ownLimits) {
      const labels = { limit: limit.setting, ...(limit.scope && { scope: scopeInWords(limit.scope) }) };
      used.set(labels, limit.used);
      most.set(labels, limit.most);
    }
    new Gauge({ name: 'jumpseat_ready', help: '1 when a request would work now', registers }).set(
      state.health.ready ? 1 : 0,
    );
    new Gauge({ name: 'jumpseat_resident_memory_bytes', help: 'Resident memory of the process', registers }).set(
      process.memoryUsage.rss(),
    );
    const held = new Gauge({
      name: 'jumpseat_sessions',
      help: 'Sessions that Jumpseat leads and holds now, by what they do',
      labelNames: ['state'],
      registers,
    });
    for (const [name, count] of sessions) held.set({ state: name }, count);
    return registry.metrics();
  }
}

interface HealthDependencies {
  /** Null if an exchange would work now. May ask GitHub and Copilot. */
  notReady(): Promise<Problem | null>;
  metrics(): Promise<string>;
}

/** `GET /healthz`. `copilot`: from what is known already; sends no request. */
export function healthRoute(dependencies: { version: string; copilot(): 'ok' | 'unavailable' }): CallRoute {
  const { version, copilot } = dependencies;
  return {
    method: 'GET',
    path: '/healthz',
    handle: async (_request, response) => {
      const body = Buffer.from(JSON.stringify({ ok: true, copilot: copilot(), version }));
      response.writeHead(200, {
        'x-jumpseat': version,
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
      });
      response.end(body);
    },
  };
}

export function healthRoutes(dependencies: HealthDependencies): Routes {
  return (router) => {
    router.get('/readyz', async (_request, response) => {
      const problem = await dependencies.notReady();
      if (problem === null) response.json({ ready: true });
      else
        response.status(503).json({ ready: false, code: problem.code, reason: problem.text, remedy: problem.remedy });
    });
    router.get('/metrics', async (_request, response) => {
      const text = await dependencies.metrics();
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      response.send(text);
    });
  };
}
