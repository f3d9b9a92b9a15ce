import { answerError, type Routes } from './server.ts';

const paths = [
  '/v1/chat/completions',
  '/chat/completions',
  '/v1/responses',
  '/responses',
  '/v1/embeddings',
  '/embeddings',
];

/** OpenAI's routes are known and closed: a client learns at once that it has to wait for them. */
export function openaiRoutes(): Routes {
  return (router) => {
    router.post(paths, (request, response) => {
      answerError(request, response, {
        status: 501,
        type: 'not_supported',
        message: 'Jumpseat: this version serves Anthropic’s Messages API only. Use /v1/messages.',
        shouldRetry: false,
      });
    });
  };
}
