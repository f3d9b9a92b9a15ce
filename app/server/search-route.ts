import type { App } from '../api/app.ts';
import { answerError } from './answer-error.ts';
import type { CallRoute } from './express-app.ts';
import type { RunningCalls } from './take-call.ts';
import { take } from './take-call.ts';

export const searchPath = '/search';

/**
 * `POST /search`: what a person types into a terminal, beside the Jumpseat that keeps the log. It takes the arguments
 * of the call `search`, as a list, and answers with its result.
 */
export function searchRoute(search: App['search'], running: RunningCalls): CallRoute {
  return {
    method: 'POST',
    path: searchPath,
    handle: (request, response) =>
      take(request, response, running, async (call) => {
        const { searchCalls } = await import('../api/calls/search.ts');
        const given = searchCalls.search.given.safeParse(parsed(call.body));
        if (!given.success) {
          const message = 'Jumpseat: a list with a text to search for is required.';
          answerError(request, response, { status: 400, type: 'invalid_request_error', message });
          return;
        }
        const [words, options] = given.data;
        const outcome = await search(words, options, call.signal).catch((error: unknown) => {
          if (call.signal.aborted) return null;
          throw error;
        });
        if (outcome === null) return;
        call.answer.begin(200, { 'content-type': 'application/json; charset=utf-8' });
        call.answer.end(JSON.stringify(outcome));
      }),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
