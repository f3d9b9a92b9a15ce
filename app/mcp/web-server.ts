import { McpServer } from '@modelcontextprotocol/server';
import { type AnswerTool, fetchDescription, fetchGiven, searchDescription, searchGiven } from './tools.ts';

/** Jumpseat as an MCP server: one for every request over HTTP, or for a program that speaks over stdio. */
export function webServer(version: string, answer: AnswerTool): McpServer {
  const server = new McpServer(
    { name: 'jumpseat', title: 'Jumpseat: web search', version },
    // The tools never change, so there is no event to wait for.
    { capabilities: { tools: { listChanged: false } } },
  );
  const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
  server.registerTool(
    'web_search',
    { title: 'Web search', description: searchDescription, inputSchema: searchGiven, annotations },
    (given, { mcpReq }) => answer('web_search', given, mcpReq.signal),
  );
  server.registerTool(
    'web_fetch',
    { title: 'Read a page', description: fetchDescription, inputSchema: fetchGiven, annotations },
    (given, { mcpReq }) => answer('web_fetch', given, mcpReq.signal),
  );
  return server;
}
