import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AnswerSink, ClientCall } from '../exchange/client-call.ts';
import type { Log } from '../ports.ts';
import { answerTools, type WebTools } from './answer-tool.ts';
import { webServer } from './tools.ts';

export interface McpDependencies extends WebTools {
  version: string;
  log: Log;
}

/** Largest message, in bytes; queries are far smaller. */
const largestMessage = 256 * 1024;

/** One request of a client over HTTP; what it answers is MCP's own. */
export async function answerMcp(call: ClientCall, dependencies: McpDependencies): Promise<void> {
  const { version, log } = dependencies;
  const answer = answerTools(dependencies, call);
  const handler = createMcpHandler(() => webServer(version, answer), {
    // Its message may quote what was asked.
    onerror: ({ name }) => log.write('info', 'mcp.refused', { error: name }),
    maxRequestBodySize: largestMessage,
  });
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: protocolHeaders(call.headers),
    // Of what is too large as much as shows that it is.
    body: new Uint8Array(call.body.subarray(0, largestMessage + 1)),
    signal: call.signal,
  });
  try {
    const response = await handler.fetch(request);
    call.answer.begin(response.status, Object.fromEntries(response.headers));
    await passOn(response.body, call.answer, call.signal);
  } catch (error) {
    // The client has left.
    if (!call.signal.aborted) throw error;
  } finally {
    call.answer.end();
    await handler.close();
  }
}

/** Headers without keys. */
function protocolHeaders(headers: ClientCall['headers']): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isProtocol = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
    if (isProtocol && typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/** Ends with the body, or when the client left. */
async function passOn(body: ReadableStream<Uint8Array> | null, answer: AnswerSink, signal: AbortSignal): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!answer.write(Buffer.from(part.value))) await new Promise<void>((resolve) => answer.drained(resolve));
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
