import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { type AgentName, agentNames } from '../agents/agent.ts';
import { webReadable, webWritable } from '../agents/stdio.ts';
import type { EditorFrontDependencies } from './editor-front.ts';
import { agentHeader } from './editor-path.ts';
import { editorStream } from './editor-stream.ts';
import { serveEditor } from './serve-editor.ts';

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
