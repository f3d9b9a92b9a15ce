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
