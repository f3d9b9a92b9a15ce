import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { LongStrings } from '../../formats/wire/long-strings.ts';
import type { Log } from '../../ports.ts';
import type { LaunchedProcess } from '../../processes/launch.ts';
import type { AgentHandlers } from './agent.ts';
import { mostMessageBytes, webReadable, webWritable } from './stdio.ts';

/** The Agent Client Protocol on the standard streams of an agent's process. */
export function agentLine({ stdin, stdout }: LaunchedProcess, handlers: AgentHandlers, log: Log): ClientConnection {
  const said = webReadable(stdout).pipeThrough(withoutLongStrings());
  return connection(handlers, log, ndJsonStream(webWritable(stdin), said, { maxMessageBytes: mostMessageBytes }));
}

/** A tool's output may be larger than what there is memory for. */
function withoutLongStrings(): TransformStream<Uint8Array, Uint8Array> {
  const cutter = new LongStrings();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => cutter.take(chunk, (bytes) => controller.enqueue(bytes)),
  });
}

/** Questions go through the SDK, which keeps their ids; notifications pass unchanged, known or not. */
function connection(handlers: AgentHandlers, log: Log, stream: Stream): ClientConnection {
  return client({ name: 'jumpseat' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
      handlers.requestPermission(params, signal),
    )
    .onRequest(methods.client.elicitation.create, ({ params, signal }) => handlers.createElicitation(params, signal))
    .connect({ writable: stream.writable, readable: stream.readable.pipeThrough(reported(handlers, log)) });
}

function reported(handlers: AgentHandlers, log: Log): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const isReported = 'method' in message && !('id' in message);
      try {
        if (isReported && message.method === methods.client.session.update && isUpdate(message.params)) {
          handlers.update(message.params);
        } else if (isReported && message.method.startsWith('_')) handlers.extension(message.method, message.params);
        else controller.enqueue(message);
      } catch (error) {
        // One update that cannot be taken must not end the line, and every session with it.
        const what = error instanceof Error ? error.message : String(error);
        log.write('error', 'agent.update-failed', { message: what });
      }
    },
  });
}

function isUpdate(params: unknown): params is SessionNotification {
  if (typeof params !== 'object' || params === null) return false;
  return 'sessionId' in params && typeof params.sessionId === 'string' && 'update' in params;
}
