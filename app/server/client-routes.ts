import type { ClientCall } from '../exchange/client-call.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import type { CallRoute } from './routes.ts';
import type { RunningCalls } from './server.ts';
import { take } from './take-call.ts';

/** Anthropic's Messages API. The query string (`?beta=true`) says nothing that the headers do not. */
export function messagesRoutes(exchanger: Exchanger, running: RunningCalls): CallRoute[] {
  return [
    {
      method: 'POST',
      path: '/v1/messages',
      handle: (request, response) => take(request, response, running, (call) => exchanger.messages(call)),
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      handle: (request, response) => take(request, response, running, (call) => exchanger.countTokens(call)),
    },
  ];
}

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
