import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientCall, ClientLeft } from '../exchange/client-call.ts';
import { ClientAnswer } from './client-answer.ts';
import { readBody } from './read-body.ts';
import { admission, answerError, answerTooLarge, type RunningCalls } from './server.ts';

/** Reads the body and hands the call over, with a signal that fires when the client leaves. */
export async function take(
  request: IncomingMessage,
  response: ServerResponse,
  running: RunningCalls,
  serve: (call: ClientCall) => Promise<void>,
): Promise<void> {
  const { requestId, client, startedAt, startedTicks } = admission(request);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    answerError(request, response, {
      status: 415,
      type: 'invalid_request_error',
      message: 'Jumpseat: send the body uncompressed.',
    });
    return;
  }
  const read = await readBody(request);
  if (!read.ok) {
    if (read.why === 'left') return;
    answerTooLarge(request, response);
    return;
  }

  const controller = new AbortController();
  running.add(controller);
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new ClientLeft());
  });
  // A client that left while its body was read has closed the answer already.
  if (response.destroyed) controller.abort(new ClientLeft());
  try {
    await serve({
      client,
      headers: request.headers,
      body: read.body,
      requestId,
      startedAt,
      startedTicks,
      signal: controller.signal,
      answer: new ClientAnswer(response),
    });
  } finally {
    running.delete(controller);
  }
}
