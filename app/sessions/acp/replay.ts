import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import type { RecordEntry } from '../store/session-record.ts';
import type { TranscriptTurn } from '../transcripts/transcript-turns.ts';

/** A conversation as the updates that an editor shows it from. */
export function replayOf(turns: readonly TranscriptTurn[]): SessionUpdate[] {
  return turns.flatMap(({ id, prompt, updates }) => [...saidBy(id, prompt ?? []), ...updates]);
}

type Block = { type: string } & Record<string, unknown>;
const blocksSchema = z.array(z.looseObject({ type: z.string() })).nullable();
const startedSchema = z.object({ prompt: blocksSchema });
const updateSchema = z.object({ child: z.null(), update: z.looseObject({ sessionUpdate: z.string() }) });
const voidSchema = z.object({ messageId: z.string() });

/** What tells of the session itself and not of what was said. */
const passing: ReadonlySet<string> = new Set([
  ...['available_commands_update', 'usage_update', 'session_info_update'],
  ...['current_mode_update', 'config_option_update', 'subagent_update'],
]);

/** The same from our own record, for an agent whose transcripts we don't read; as far back as that is kept. */
export function replayOfRecord(entries: readonly RecordEntry[]): SessionUpdate[] {
  const cut = new Set(entries.flatMap(({ kind, event }) => (kind === 'void' ? (voided(event) ?? []) : [])));
  return entries.flatMap(({ kind, event, turnId }): SessionUpdate[] => {
    if (kind === 'turn-started' || kind === 'steered') {
      return saidBy(turnId ?? '', startedSchema.safeParse(event).data?.prompt ?? []);
    }
    const update = kind === 'update' ? updateSchema.safeParse(event).data?.update : undefined;
    if (update === undefined || passing.has(update.sessionUpdate) || cut.has(String(update.messageId))) return [];
    // Kept as it came from the agent.
    return [update as SessionUpdate];
  });
}

function saidBy(messageId: string, prompt: readonly Block[]): SessionUpdate[] {
  return prompt.map((content) => ({ sessionUpdate: 'user_message_chunk', content, messageId }) as SessionUpdate);
}

function voided(event: unknown): string[] | null {
  const { data } = voidSchema.safeParse(event);
  return data === undefined ? null : [data.messageId];
}
