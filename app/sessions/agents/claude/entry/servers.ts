import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { AdapterQuery, SdkServer } from './adapter.ts';

/** A server that is slower is there later. */
const connectsWithinMs = 5_000;

/**
 * Gives a session its servers over the pipe, where every Claude Code takes them. With the start only the newest does;
 * older ones want them on the command line, keys and all.
 */
export async function serve(query: AdapterQuery, servers: readonly McpServer[]): Promise<void> {
  if (servers.length === 0) return;
  const given = Object.fromEntries(servers.flatMap((server) => toSdk(server) ?? []));
  const asked = query.setMcpServers(given).catch((error: unknown) => {
    // They are told as failed, or not at all, with what is in force.
    process.stderr.write(`Servers were not taken: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  await Promise.race([asked, sleep(connectsWithinMs, undefined, { ref: false })]);
}

/** Null: of a kind that was not told to be taken. */
function toSdk(server: McpServer): [string, SdkServer][] | null {
  const named = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  if (!('type' in server)) {
    const { name, command, args, env } = server;
    return [[name, { type: 'stdio', command, args: [...args], env: named(env) }]];
  }
  if (server.type !== 'http' && server.type !== 'sse') return null;
  return [[server.name, { type: server.type, url: server.url, headers: named(server.headers) }]];
}
