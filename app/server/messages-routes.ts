import type { Exchanger } from '../exchange/exchange.ts';
import type { Routes, RunningCalls } from './server.ts';
import { take } from './take-call.ts';

/** Anthropic's Messages API. The query string (`?beta=true`) says nothing that the headers do not. */
export function messagesRoutes(exchanger: Exchanger, running: RunningCalls): Routes {
  return (router) => {
    router.post('/v1/messages', (request, response) =>
      take(request, response, running, (call) => exchanger.messages(call)),
    );
    router.post('/v1/messages/count_tokens', (request, response) =>
      take(request, response, running, (call) => exchanger.countTokens(call)),
    );
  };
}
