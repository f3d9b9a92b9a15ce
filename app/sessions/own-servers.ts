import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import { mcpAddress, mcpName } from '../openai-clients/mcp.ts';

/** Jumpseat's own search and pages, as a server for a session that opens it with its own key. */
export function searchServer({ baseUrl, key }: { baseUrl: string; key: string }): McpServer {
  const headers = [{ name: 'Authorization', value: `Bearer ${key}` }];
  return { type: 'http', name: mcpName, url: mcpAddress({ baseUrl }), headers };
}
