import type { ClientCall } from '../exchange/client-call.ts';
import type { CallRoute } from '../server/express-app.ts';
import type { RunningCalls } from '../server/take-call.ts';
import { take } from '../server/take-call.ts';
import type { McpDependencies } from './answer-mcp.ts';

/**
 * `POST /mcp`: MCP's streamable HTTP, without sessions. Behind the same door as every route. The protocol is loaded
 * with the first request.
 */
export function mcpRoute(dependencies: McpDependencies, running: RunningCalls): CallRoute {
  const serve = async (call: ClientCall): Promise<void> => {
    const { answerMcp } = await import('./answer-mcp.ts');
    await answerMcp(call, dependencies);
  };
  return { method: 'POST', path: '/mcp', handle: (request, response) => take(request, response, running, serve) };
}
