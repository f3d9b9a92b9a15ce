import { messageIdForGrouping } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { getSessionMessages } from '@anthropic-ai/claude-agent-sdk';

/** The uuid of a message of Claude's, by this uuid or by the id that its updates have: the last that answers to it. */
export async function messageUuid(sessionId: string, wanted: string): Promise<string> {
  for (const message of (await getSessionMessages(sessionId)).reverse()) {
    if (message.uuid === wanted) return wanted;
    if (message.type === 'assistant' && messageIdForGrouping(message) === wanted) return message.uuid;
  }
  throw RequestError.invalidParams(
    { messageId: wanted },
    `The session has no message ${wanted} since its last compaction`,
  );
}
