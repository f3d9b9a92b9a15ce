import type { Problem } from '../api/problem.ts';
import type { Routes } from './server.ts';

export interface HealthDependencies {
  version: string;
  /** From what is known already; asks nobody. */
  copilot(): 'ok' | 'unavailable';
  /** Null: an exchange would work now. May ask GitHub and Copilot. */
  notReady(): Promise<Problem | null>;
  metrics(): Promise<string>;
}

export function healthRoutes(dependencies: HealthDependencies): Routes {
  return (router) => {
    router.get('/healthz', (_request, response) => {
      response.setHeader('x-jumpseat', dependencies.version);
      response.json({ ok: true, copilot: dependencies.copilot(), version: dependencies.version });
    });
    router.get('/readyz', async (_request, response) => {
      const problem = await dependencies.notReady();
      if (problem === null) response.json({ ready: true });
      else response.status(503).json({ ready: false, code: problem.code, reason: problem.text, mend: problem.mend });
    });
    router.get('/metrics', async (_request, response) => {
      const text = await dependencies.metrics();
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      response.send(text);
    });
  };
}
