import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closed, endStream, frame, openStream, playSteps, sendWhole, write } from './http-server.ts';
import type { RecordedRequest } from './record.ts';
import type { Reply, StreamEnd, UsualChange } from './script.ts';

/** Answers as a script says, whatever was asked. */
export async function play(
  request: RecordedRequest,
  response: ServerResponse,
  reply: Exclude<Reply, { kind: 'usual' }>,
): Promise<void> {
  switch (reply.kind) {
    case 'answer': {
      await Promise.race([reply.gate, closed(response)]);
      const { status, headers, body } = reply;
      return sendWhole(response, { status, body, ...(headers === undefined ? {} : { headers }) });
    }
    case 'stream':
      await Promise.race([reply.gate, closed(response)]);
      if (response.destroyed) return;
      openStream(response, reply.headers, reply.status);
      await playSteps(response, reply.events);
      return finish(request, response, reply.end ?? 'clean');
    case 'silence':
      return closed(response);
    case 'reset':
      return finish(request, response, 'reset');
  }
}

/** Plays the usual events at the simulation's pace, and stops where the script says so. */
export async function playUsual(
  request: RecordedRequest,
  response: ServerResponse,
  frames: readonly string[],
  headers: Record<string, string>,
  change: UsualChange,
  paceMs: number,
): Promise<void> {
  await Promise.race([change.gate, closed(response)]);
  if (response.destroyed) return;
  openStream(response, headers);
  const cutAt = change.cutAfter ?? frames.length;
  for (const [index, bytes] of frames.slice(0, cutAt).entries()) {
    await Promise.race([change.before?.(index), closed(response)]);
    if (paceMs > 0) await Promise.race([sleep(paceMs, undefined, { ref: false }), closed(response)]);
    if (response.destroyed) return;
    await write(response, bytes);
  }
  if (change.errorEvent !== undefined) {
    await write(response, frame('error', change.errorEvent));
    return finish(request, response, 'clean');
  }
  return finish(request, response, change.cutAfter === undefined ? 'clean' : (change.cut ?? 'destroy'));
}

function finish(request: RecordedRequest, response: ServerResponse, end: StreamEnd): void {
  if (response.destroyed) return;
  if (end === 'destroy' || end === 'reset') request.outcome = 'broken';
  endStream(response, end);
}
