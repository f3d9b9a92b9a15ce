import type { OpenaiExchanger } from '../exchange/openai.ts';
import type { Routes, RunningCalls } from './server.ts';
import { take } from './take-call.ts';

/** OpenAI's APIs, each under its own path and under the one that tools write whose base address ends with `/v1`. */
export function openaiRoutes(exchanger: OpenaiExchanger, running: RunningCalls): Routes {
  return (router) => {
    router.post(['/v1/chat/completions', '/chat/completions'], (request, response) =>
      take(request, response, running, (call) => exchanger.chat(call)),
    );
    router.post(['/v1/responses', '/responses'], (request, response) =>
      take(request, response, running, (call) => exchanger.responses(call)),
    );
    router.post(['/v1/embeddings', '/embeddings'], (request, response) =>
      take(request, response, running, (call) => exchanger.embeddings(call)),
    );
  };
}
