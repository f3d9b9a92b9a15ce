import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { type AgentConnection, agent, RequestError, type Stream } from '@agentclientprotocol/sdk/unstable';
import { type AgentName, agentNames } from '../agents/agent.ts';
import { webReadable, webWritable } from '../agents/stdio.ts';
import { EditorFront, type EditorFrontDependencies } from './editor-front.ts';
import { chosenValue, isChoice } from './editor-options.ts';
import { editorStream } from './editor-stream.ts';
import { agentHeader } from './relay-editor.ts';

export type EditorSurroundings = Omit<EditorFrontDependencies, 'agent'>;

/** Serves an editor over these two until it leaves. */
export async function serveEditorStreams(
  given: EditorFrontDependencies,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  await serveEditor(given, editorStream(webWritable(output), webReadable(input))).closed;
}

/**
 * `POST /acp`: an editor's connection. Its request and its answer are both open as long as the editor is: frames of
 * ACP, one a line, come in with the one and go out with the other.
 */
export async function serveEditorRequest(
  given: EditorSurroundings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wanted = request.headers[agentHeader];
  const agent: AgentName = agentNames.find((name) => name === wanted) ?? 'claude';
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  const connection = serveEditor({ ...given, agent }, editorStream(webWritable(response), webReadable(request)));
  // The relay that carries it may end without a word.
  response.on('close', () => connection.close());
  await connection.closed;
  response.end();
}

/**
 * One editor that speaks the Agent Client Protocol with us. It sees the sessions that the window sees, and what it
 * leaves open goes on without it.
 */
export function serveEditor(given: EditorFrontDependencies, stream: Stream): AgentConnection {
  const front = new EditorFront(given);
  const connection = agent({ name: 'jumpseat' })
    .onRequest('initialize', ({ params }) => {
      const { clientCapabilities: can } = params;
      front.abilities = {
        forms: can?.elicitation?.form != null,
        subagents: 'subagents' in (can ?? {}),
        notices: can?.session?.notices != null,
      };
      return front.about();
    })
    .onRequest('authenticate', async () => {
      await front.refuseSignedOut();
      return {};
    })
    .onRequest('session/new', ({ params, client }) => front.begin(client, params))
    .onRequest('session/load', ({ params, client }) => front.open(client, params, true))
    .onRequest('session/resume', ({ params, client }) => front.open(client, params, false))
    .onRequest('session/fork', ({ params, client }) => front.fork(client, params))
    .onRequest('session/list', ({ params }) => front.list(params.cwd ?? null, params.cursor ?? null))
    .onRequest('session/prompt', ({ params, client }) => front.prompt(client, params.sessionId, params.prompt))
    .onRequest('session/close', async ({ params }) => {
      await front.close(params.sessionId);
      return {};
    })
    .onRequest('session/set_mode', async ({ params, client }) => {
      await front.choose(client, params.sessionId, { mode: params.modeId });
      return {};
    })
    .onRequest('session/set_config_option', async ({ params, client }) => {
      const { sessionId, configId, value } = params;
      if (!isChoice(configId)) throw RequestError.invalidParams(`There is no option "${configId}".`);
      if (typeof value !== 'string') throw RequestError.invalidParams(`"${configId}" takes a text.`);
      const options = await front.choose(client, sessionId, { [configId]: chosenValue(configId, value) });
      return { configOptions: options.configOptions };
    })
    .onNotification('session/cancel', ({ params }) => front.cancel(params.sessionId))
    .connect(stream);
  void connection.closed.then(() => front.left());
  return connection;
}
