import type { IncomingMessage, ServerResponse } from 'node:http';
import type express from 'express';

/**
 * A part of the local server: its routes, put on the router behind the door. Of the library it takes what it needs from
 * what it is given: see `express-app.ts`. What it needs besides may be loaded then, with the first request for a route.
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
