import express, { type Request, type Response } from 'express';
import { type CallArguments, type CallName, type CallResult, calls } from '../api/calls.ts';
import type { Problem } from '../api/problem.ts';
import { CatalogError } from '../copilot/catalog.ts';
import type { Routes } from './server.ts';

/** The calls of the contract that the dashboard may make; what it is given has been checked. */
export type DashboardCalls = {
  readonly [Name in CallName]?: (...given: CallArguments<Name>) => CallResult<Name> | Promise<CallResult<Name>>;
};

const bodyLimit = '64kb';

/**
 * One route for all of them: `POST /ui/api/call/totals` with the list of arguments as JSON, answered `{ok: true, value}` or, with the
 * same status, `{ok: false, problem}`. It lies behind the dashboard's cookie. What changes something is asked by our own page alone: the browser has
 * to say so in `Origin`, which the door has compared with our addresses.
 */
export function dashboardCalls(handlers: DashboardCalls): Routes {
  return (router) => {
    router.post('/ui/api/call/:name', onlyOurPage, readArguments, async (request, response) => {
      const { name } = request.params;
      if (typeof name !== 'string' || !isCallName(name) || handlers[name] === undefined) {
        response.status(404).json({ error: `There is no call ${String(name)}.` });
        return;
      }
      const { arguments: expected, result } = calls[name];
      const read = expected.safeParse(request.body);
      if (!read.success) {
        refuse(response, {
          code: 'bad-call',
          text: `The page asked for “${name}” wrongly.`,
          mend: 'Load it again.',
        });
        return;
      }
      try {
        const value: unknown = await Reflect.apply(handlers[name], handlers, read.data);
        response.json({ ok: true, value: result.parse(value) });
      } catch (error) {
        const problem = readProblem(error);
        // What was not written for a person is a fault; the server logs it.
        if (problem === null) throw error;
        refuse(response, problem);
      }
    });
  };
}

const readJson = express.json({ limit: bodyLimit, strict: true });

/** What is no JSON, or too much of it, is the page's mistake and no fault of ours. */
function readArguments(request: Request, response: Response, next: () => void): void {
  readJson(request, response, (error?: unknown) => {
    if (error === undefined) next();
    else response.status(400).json({ error: `A call has a list of arguments, as JSON of at most ${bodyLimit}.` });
  });
}

function onlyOurPage(request: Request, response: Response, next: () => void): void {
  if (request.headers.origin !== undefined && request.is('application/json') === 'application/json') next();
  else response.status(403).json({ error: 'Only the dashboard’s own page may ask that.' });
}

function refuse(response: Response, problem: Problem): void {
  response.json({ ok: false, problem });
}

/** Errors that were written for a person carry their mend. */
function readProblem(error: unknown): Problem | null {
  if (error instanceof CatalogError) return { code: 'catalog', text: error.said, mend: 'Try again.' };
  if (!(error instanceof Error && 'mend' in error && typeof error.mend === 'string')) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { code, text: error.message, mend: error.mend };
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}
