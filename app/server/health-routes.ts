import type { Problem } from '../api/call.ts';
import type { CallRoute, Routes } from './routes.ts';

export interface HealthDependencies {
  /** Null: an exchange would work now. May ask GitHub and Copilot. */
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
      else response.status(503).json({ ready: false, code: problem.code, reason: problem.text, mend: problem.mend });
    });
    router.get('/metrics', async (_request, response) => {
      const text = await dependencies.metrics();
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      response.send(text);
    });
  };
}
