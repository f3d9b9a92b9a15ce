import { ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { sdkVariable } from '@anthropic-ai/claude-agent-sdk';
import { mostMessageBytes, ownStdio } from '../../stdio.ts';
import type { Adapter } from './adapter.ts';
import { claudeApp } from './claude-app.ts';

/** The process of Claude sessions, spoken to on stdio. It and its sessions end with its input. */
// Nothing that is started here has a use for it.
delete process.env[sdkVariable];
const { input, output } = ownStdio();
let adapter: Adapter | null = null;
const connection = claudeApp((connected) => {
  adapter = connected;
}).connect(ndJsonStream(output, input, { maxMessageBytes: mostMessageBytes }));

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const sessions = Object.keys(adapter?.sessions ?? {});
  await Promise.allSettled(sessions.map((id) => adapter?.teardownSession(id)));
  process.exit(0);
}
connection.closed.then(end, end);
process.on('SIGTERM', end);
process.on('SIGINT', end);
