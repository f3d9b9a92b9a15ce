import { promptBlocksSchema, type QueuedMessage as Told } from '../../api/sessions.ts';
import type { QueuedMessage } from '../store/message-queue.ts';

/** The messages that wait, as they lie on disk. One that can't be read is left there, and not sent. */
export function readQueue(kept: readonly QueuedMessage[]): Told[] {
  return kept.flatMap(({ id, prompt, queuedAt }) => {
    const read = promptBlocksSchema.safeParse(prompt);
    return read.success ? [{ id, prompt: read.data, queuedAt }] : [];
  });
}
