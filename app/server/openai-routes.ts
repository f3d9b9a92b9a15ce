import type { ClientCall } from '../exchange/client-call.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import type { CallRoute } from './routes.ts';
import type { RunningCalls } from './server.ts';
import { take } from './take-call.ts';

/** OpenAI's APIs, each under its own path and under the one that tools write whose base address ends with `/v1`. */
export function openaiRoutes(exchanger: Exchanger, running: RunningCalls): CallRoute[] {
  const routes = (path: string, serve: (call: ClientCall) => Promise<void>): CallRoute[] =>
    [`/v1${path}`, path].map((path) => ({
      method: 'POST',
      path,
      handle: (request, response) => take(request, response, running, serve),
    }));
  return [
    ...routes('/chat/completions', (call) => exchanger.chat(call)),
    ...routes('/responses', (call) => exchanger.responses(call)),
    ...routes('/embeddings', (call) => exchanger.embeddings(call)),
    ...routes('/alpha/search', (call) => exchanger.alphaSearch(call)),
  ];
}
