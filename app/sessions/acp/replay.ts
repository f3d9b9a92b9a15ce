import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import type { RecordEntry } from '../store/session-record.ts';
import type { TranscriptTurn } from '../transcripts/transcript-turns.ts';

/** A conversation as the updates that an editor shows it from. */
export function replayOf(turns: readonly TranscriptTurn[]): SessionUpdate[] {
  return turns.flatMap(({ id, prompt, updates }) => [...saidBy(id, prompt ?? []), ...updates]);
}

/**
 * What a transcript has from before a turn that is under way, of which the record says more.
 * @param live the record of that turn
 */
export function turnsBefore(turns: readonly TranscriptTurn[], live: readonly RecordEntry[]): TranscriptTurn[] {
  const [first] = live;
  if (first === undefined) return [...turns];
  // The transcript has the end of a background task before the agent begins to speak of it.
  const isReport = ({ begunBy, endedAt }: TranscriptTurn): boolean =>
    begunBy === 'notification' && (endedAt === null || endedAt >= first.at);
  return turns.filter((turn, index) => {
    if (turn.startedAt !== null && turn.startedAt >= first.at) return false;
    return !(index === turns.length - 1 && isReport(turn));
  });
}

/** Entries without a cut message that was sent again. */
export function withoutVoid(entries: readonly RecordEntry[]): RecordEntry[] {
  const cut = new Set(entries.flatMap(({ kind, event }) => (kind === 'void' ? (voided(event) ?? []) : [])));
  return entries.filter(({ kind, event }) => {
    const update = kind === 'update' ? updateSchema.safeParse(event).data?.update : undefined;
    return update === undefined || !cut.has(String(update.messageId));
  });
}

/** Text that an editor received of the current message. An editor can't discard text, so it receives only the rest. */
export class ReportedWords {
  #message: unknown = null;
  readonly #words = new Map<string, string>();
  /** Text of the cut message, by kind, which the whole answer repeats: the next message, and none after it. */
  #cut = new Map<string, string>();

  voids(event: unknown): void {
    if (this.#message === null || !voided(event)?.includes(String(this.#message))) return;
    this.#cut = new Map(this.#words);
    this.#message = null;
  }

  /** Null if the editor has received all of it. */
  rest<Update extends { sessionUpdate: string } & Record<string, unknown>>(update: Update): Update | null {
    const { sessionUpdate: kind, messageId } = update;
    const { data: content } = wordsSchema.safeParse(update.content);
    if (messageId == null || content === undefined) return update;
    if (messageId !== this.#message) {
      this.#words.clear();
      if (this.#message !== null) this.#cut.clear();
    }
    this.#message = messageId;
    this.#words.set(kind, (this.#words.get(kind) ?? '') + content.text);
    const cut = this.#cut.get(kind) ?? '';
    this.#cut.delete(kind);
    if (cut === '' || !content.text.startsWith(cut)) return update;
    const text = content.text.slice(cut.length);
    return text === '' ? null : { ...update, content: { ...content, text } };
  }
}

type Block = { type: string } & Record<string, unknown>;
const blocksSchema = z.array(z.looseObject({ type: z.string() })).nullable();
const startedSchema = z.object({ prompt: blocksSchema });
const updateSchema = z.object({ child: z.null(), update: z.looseObject({ sessionUpdate: z.string() }) });
const wordsSchema = z.looseObject({ text: z.string() });
const voidSchema = z.object({ messageId: z.string() });

/** Events about the session itself and not about what was said. */
const passing: ReadonlySet<string> = new Set([
  ...['available_commands_update', 'usage_update', 'session_info_update'],
  ...['current_mode_update', 'config_option_update', 'subagent_update'],
]);

/** The same from our own record, for an agent whose transcripts we don't read; as far back as that is kept. */
export function replayOfRecord(entries: readonly RecordEntry[]): SessionUpdate[] {
  return withoutVoid(entries).flatMap((entry): SessionUpdate[] => {
    const { kind, event } = entry;
    if (kind === 'turn-started' || kind === 'steered') return saidIn(entry);
    const update = kind === 'update' ? updateSchema.safeParse(event).data?.update : undefined;
    if (update === undefined || passing.has(update.sessionUpdate)) return [];
    // Kept as it came from the agent.
    return [update as SessionUpdate];
  });
}

/** What a person said to begin a turn, or into it. */
export function saidIn({ event, turnId }: Pick<RecordEntry, 'event' | 'turnId'>): SessionUpdate[] {
  return saidBy(turnId ?? '', startedSchema.safeParse(event).data?.prompt ?? []);
}

function saidBy(messageId: string, prompt: readonly Block[]): SessionUpdate[] {
  return prompt.map((content) => ({ sessionUpdate: 'user_message_chunk', content, messageId }) as SessionUpdate);
}

function voided(event: unknown): string[] | null {
  const { data } = voidSchema.safeParse(event);
  return data === undefined ? null : [data.messageId];
}
