import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, readBody, sendWhole } from './http-server.ts';
import { parseJson } from './json.ts';
import { type RecordedRequest, recordRequest, type Service } from './record.ts';
import { flatRefusal } from './refusal.ts';
import type { Stage } from './stage.ts';

export type Answerer = (request: RecordedRequest, incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the three services have in common: read, record, answer, and notice when the other side leaves. */
export function serve(stage: Stage, service: Service, answer: Answerer): Handler {
  return (incoming, response) => {
    void take(stage, service, answer, incoming, response);
  };
}

async function take(
  stage: Stage,
  service: Service,
  answer: Answerer,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await readBody(incoming).catch(() => null);
  if (bytes === null) return;
  const parsed = parseBody(bytes, incoming.headers['content-type'] ?? '');
  const request = recordRequest(service, incoming, { parsed, bytes: bytes.length }, (name, value) =>
    stage.hide(name, value),
  );
  response.once('close', () => settle(stage, request, response));
  stage.keep(request);
  try {
    await answer(request, incoming, response);
  } catch (error) {
    // The stack ends in a body that is nested too deeply, in whichever parser reads it first.
    if (error instanceof RangeError && !response.headersSent) {
      sendWhole(response, flatRefusal('The request body is nested too deeply'));
      return;
    }
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    sendWhole(response, { status: 500, body: `simulator: ${what}` });
    response.destroy();
  }
}

function settle(stage: Stage, request: RecordedRequest, response: ServerResponse): void {
  if (response.headersSent) request.status = response.statusCode;
  if (request.outcome !== 'open') return;
  request.outcome = response.writableFinished ? 'answered' : 'aborted';
  if (request.outcome === 'aborted') stage.aborts.tell(request);
}

function parseBody(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return null;
  const text = bytes.toString('utf8');
  if (type.includes('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  return parseJson(text) ?? text;
}
