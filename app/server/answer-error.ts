import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dialectOf, type RouteError, tellError } from './client-api.ts';
import { pathOf, requestIdOf, tooLarge } from './door.ts';

/** Answers an error in the words of the route's API. */
export function answerError(request: IncomingMessage, response: ServerResponse, error: RouteError): void {
  const { status, body } = errorFor(request, response, error);
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

/** The error's status and body; its headers are set on the way. */
function errorFor(
  request: IncomingMessage,
  response: ServerResponse,
  error: RouteError,
): { status: number; body: object } {
  const requestId = requestIdOf(request) ?? `req_${randomUUID()}`;
  const reported = tellError(dialectOf(pathOf(request), request.headers), error, requestId);
  if (error.shouldRetry === false) response.setHeader('x-should-retry', 'false');
  response.setHeader(reported.idHeader, requestId);
  return reported;
}

/** How long a client that sends nothing more is waited for, and one that goes on sending. */
const lingerMs = { idle: 5_000, most: 60_000 } as const;

/** Refuses a body that is too large and closes. */
export function answerTooLarge(request: IncomingMessage, response: ServerResponse): void {
  answerUnread(request, response, tooLarge);
}

/**
 * Refuses a request whose body was not read to its end and closes. What is still on its way is read and thrown away for
 * a while first: a socket that is closed with unread bytes is reset, and the client would never see why.
 */
export function answerUnread(request: IncomingMessage, response: ServerResponse, error: RouteError): void {
  const { status, body: said } = errorFor(request, response, error);
  const body = Buffer.from(JSON.stringify(said));
  response.writeHead(status, {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.write(body);
  const finish = (): void => {
    clearTimeout(idle);
    clearTimeout(most);
    response.end();
  };
  const idle = setTimeout(finish, lingerMs.idle);
  const most = setTimeout(finish, lingerMs.most);
  if (request.closed) finish();
  else request.on('close', finish);
  request.on('data', () => idle.refresh());
  request.resume();
}
