import type express from 'express';
import type { Request, Response } from 'express';
import { type Answering, answerCall, type CallTable } from '../api/call.ts';
import type { Routes } from './routes.ts';
import { callPath } from './running-proxy.ts';

const bodyLimit = '64kb';
/** Of a message with images: some of 3 MB each, in base64. */
const largeBodyLimit = '64mb';

/**
 * One route for all calls of the table that a dashboard may make: `POST /ui/api/call/totals` with the list of arguments
 * as JSON, answered `{ok: true, value}` or, with the same status, `{ok: false, problem}`. It lies behind the
 * dashboard's cookie. What changes something is asked by our own page alone: the browser has to say so in `Origin`,
 * which the door has compared with our addresses.
 */
export function dashboardCalls(answering: Answering): Routes {
  const { table } = answering;
  return (router, library) => {
    router.post(`${callPath}:name`, onlyOurPage, argumentsReader(library, table), async (request, response) => {
      const name = String(request.params.name);
      const call = Object.hasOwn(table, name) ? table[name] : undefined;
      if (call === undefined || call.from === 'tray') {
        response.status(404).json({ error: `There is no call ${name}.` });
        return;
      }
      // What was not written for a person is a fault; the server logs it.
      const answer = await answerCall(answering, name, request.body);
      if (answer.ok || answer.problem !== 'bad-call') response.json(answer);
      else {
        const text = `The page asked for “${name}” wrongly.`;
        response.json({ ok: false, problem: { code: 'bad-call', text, mend: 'Load it again.' } });
      }
    });
  };
}

/** What is no JSON, or too much of it, is the page's mistake and no fault of ours. */
function argumentsReader(library: typeof express, table: CallTable): express.RequestHandler {
  const readJson = library.json({ limit: bodyLimit, strict: true });
  const readLarge = library.json({ limit: largeBodyLimit, strict: true });
  return (request, response, next) => {
    const name = String(request.params.name);
    const isLarge = Object.hasOwn(table, name) && table[name]?.isLarge === true;
    const read = isLarge ? readLarge : readJson;
    read(request, response, (error?: unknown) => {
      const most = isLarge ? largeBodyLimit : bodyLimit;
      if (error === undefined) next();
      else response.status(400).json({ error: `A call has a list of arguments, as JSON of at most ${most}.` });
    });
  };
}

function onlyOurPage(request: Request, response: Response, next: () => void): void {
  if (request.headers.origin !== undefined && request.is('application/json') === 'application/json') next();
  else response.status(403).json({ error: 'Only the dashboard’s own page may ask that.' });
}
