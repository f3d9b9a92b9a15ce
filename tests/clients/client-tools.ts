import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';

interface Message {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: unknown; _meta?: Record<string, unknown>; protocolVersion?: string };
}

/** A client of sessions that brings a tool along, as a server for MCP of its own on this machine. */
export interface ClientTools {
  server: McpServer;
  calls: { name: string; given: unknown; toolUseId: unknown }[];
  /** Headers of its requests. */
  keys: Set<string | undefined>;
  /** Null: the client is gone in the middle of the call. */
  answer: (given: unknown) => string | null;
  close(): void;
}

/** @param tool is offered to the model at once, without a search for it */
export async function clientTools(tool: string): Promise<ClientTools> {
  const tools: ClientTools = {
    server: {
      type: 'http',
      name: 'client',
      url: '',
      headers: [{ name: 'x-client-key', value: 'secret-of-the-client' }],
    },
    calls: [],
    keys: new Set(),
    answer: () => 'an answer of the client',
    close: () => {
      served.closeAllConnections();
      served.close();
    },
  };
  const resultOf = ({ method, params = {} }: Message): unknown => {
    if (method === 'initialize') {
      const { protocolVersion } = params;
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'client', version: '1' } };
    }
    if (method === 'tools/list') {
      const inputSchema = { type: 'object', properties: { key: { type: 'string' } } };
      return { tools: [{ name: tool, description: 'Looks up', inputSchema, _meta: { 'anthropic/alwaysLoad': true } }] };
    }
    if (method !== 'tools/call') return {};
    const { name = '', arguments: given, _meta: meta } = params;
    tools.calls.push({ name, given, toolUseId: meta?.['claudecode/toolUseId'] });
    const text = tools.answer(given);
    return text === null ? null : { content: [{ type: 'text', text }] };
  };
  const served = createServer((request, response) => {
    tools.keys.add(request.headers['x-client-key']?.toString());
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(parts).toString()) as Message;
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const result = resultOf(message);
      if (result === null) {
        tools.close();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  }).listen(0, '127.0.0.1');
  await once(served, 'listening');
  Object.assign(tools.server, { url: `http://127.0.0.1:${(served.address() as AddressInfo).port}/mcp` });
  return tools;
}
