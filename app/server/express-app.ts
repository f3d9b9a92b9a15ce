import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { answerError } from './answer-error.ts';

/**
 * A part of the local server: its routes, put on the router behind the door. Of the library it takes what it needs from
 * what it is given: see `expressApp`. What it needs besides may be loaded then, with the first request for a route.
 */
export type Routes = (router: express.Router, library: typeof express) => void | Promise<void>;

/**
 * What a program asks for many times an hour, or first of all. At exactly this path it is served without the router,
 * which costs as much as all that is done with a small request here (measured: a fifth of a request); spelled in
 * another way it finds its way through it.
 */
export interface CallRoute {
  method: 'GET' | 'POST';
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

interface ExpressAppDependencies {
  version: string;
  calls: readonly CallRoute[];
  routes: readonly Routes[];
  /** False: it was refused, and answered. */
  admit(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  broke(error: unknown, request: IncomingMessage, response: ServerResponse): void;
}

/** All routes behind the door. The one file that loads express, which takes its time. */
export async function expressApp(dependencies: ExpressAppDependencies): Promise<express.Express> {
  const { version, calls, routes, admit, broke } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use((request: Request, response: Response, next: NextFunction) => {
    if (admit(request, response, request.path)) next();
  });

  const router = express.Router({ caseSensitive: true });
  router.head(['/', '/api/hello'], (_request, response) => {
    response.setHeader('x-jumpseat', version);
    response.status(200).end();
  });
  for (const { method, path, handle } of calls) {
    if (method === 'GET') router.get(path, handle);
    else router.post(path, handle);
  }
  for (const add of routes) await add(router, express);
  refuseOtherMethods(router);
  app.use(router);
  app.use((request: Request, response: Response) => {
    answerError(request, response, {
      status: 404,
      type: 'not_found_error',
      message:
        `Jumpseat: there is no ${request.method} ${request.path} here. Clients find /v1/messages, ` +
        '/v1/chat/completions, /v1/responses, /v1/embeddings and /v1/models.',
    });
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof URIError && !response.headersSent) {
      answerError(request, response, {
        status: 400,
        type: 'invalid_request_error',
        message: 'Jumpseat: the path holds an escape that means no character. Encode it in UTF-8.',
      });
      return;
    }
    broke(error, request, response);
  });
  return app;
}

/** A path that exists answers other methods with 405 and the ones it takes. */
function refuseOtherMethods(router: express.Router): void {
  const methods = new Map<string, Set<string>>();
  for (const { route } of router.stack) {
    if (route === undefined) continue;
    for (const path of [route.path].flat()) {
      const known = methods.get(path) ?? new Set<string>();
      for (const each of route.stack) known.add(each.method.toUpperCase());
      methods.set(path, known);
    }
  }
  for (const [path, known] of methods) {
    const takes = [...known].join(', ');
    router.all(path, (request, response) => {
      response.setHeader('allow', takes);
      answerError(request, response, {
        status: 405,
        type: 'invalid_request_error',
        message: `Jumpseat: ${request.path} accepts ${takes}, not ${request.method}.`,
      });
    });
  }
}
