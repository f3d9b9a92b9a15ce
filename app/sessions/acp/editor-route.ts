import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { McpOverAcpHttpBridge } from '@agentclientprotocol/sdk/experimental/mcp-http';
import {
  type AgentConnection,
  agent,
  type HasConnectionContext,
  isMcpServerAcp,
  McpOverAcpCaller,
  type McpServer,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { type AgentName, agentNames } from '../agents/agent.ts';
import { webReadable, webWritable } from '../agents/stdio.ts';
import { EditorFront, type EditorFrontDependencies } from './editor-front.ts';
import { chosenValue, isChoice } from './editor-options.ts';
import { editorStream } from './editor-stream.ts';
import { agentHeader } from './relay-editor.ts';

/** Of one call of a tool: a whole file may be in it. */
const largestCallBytes = 8 * 1024 * 1024;

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
  const tools = new EditorTools(given);
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
    .onRequest('session/new', async ({ params, client }) => front.begin(client, await tools.within(params, client)))
    .onRequest('session/load', async ({ params, client }) =>
      front.open(client, await tools.within(params, client), true),
    )
    .onRequest('session/resume', async ({ params, client }) =>
      front.open(client, await tools.within(params, client), false),
    )
    .onRequest('session/fork', async ({ params, client }) => front.fork(client, await tools.within(params, client)))
    .onNotification('mcp/message', tools.caller.handleNotification)
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

/**
 * Tools that run in the editor itself: servers for MCP of the type `acp`, whose calls go over the editor's own
 * connection (`mcp/message`). The agent gets each as a server on this machine, with a key of its own, that is open as
 * long as the editor is connected.
 */
class EditorTools {
  readonly caller: McpOverAcpCaller;
  readonly #bridge: McpOverAcpHttpBridge;
  readonly #given: EditorFrontDependencies;

  constructor(given: EditorFrontDependencies) {
    this.#given = given;
    this.caller = new McpOverAcpCaller({ clientInfo: { name: 'jumpseat', version: given.version } });
    this.#bridge = new McpOverAcpHttpBridge(this.caller, { maxRequestBodyBytes: largestCallBytes });
  }

  /** The request with servers that the agent reaches. Rejects with -32602 where it can't use tools of the editor. */
  async within<Request extends { mcpServers?: readonly McpServer[] }>(
    request: Request,
    editor: HasConnectionContext,
  ): Promise<Request & { mcpServers: McpServer[] }> {
    const { mcpServers = [] } = request;
    const { title, mcp } = this.#given.host.describe(this.#given.agent);
    const refused = mcp.acp ? undefined : mcpServers.find(isMcpServerAcp);
    if (refused !== undefined) {
      const why = `${title} can’t use the tools of "${refused.name}": it takes no servers of the type "acp".`;
      throw new RequestError(-32602, why);
    }
    return { ...request, mcpServers: await this.#bridge.adaptServers(editor, mcpServers) };
  }
}
