import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { TranscriptTurn } from '../transcripts/transcript-turns.ts';

/** A conversation as the updates that an editor shows it from. */
export function replayOf(turns: readonly TranscriptTurn[]): SessionUpdate[] {
  return turns.flatMap(({ id, prompt, updates }) => [
    ...(prompt ?? []).map(
      (content): SessionUpdate => ({ sessionUpdate: 'user_message_chunk', content, messageId: id }),
    ),
    ...updates,
  ]);
}
