import { clockTime } from '../../../app/words/times.ts';
import type { Turn } from '../state/conversation.ts';

/** Of a turn as an article: `Prompt, 10:39:41`. */
export function turnName({ startedAt, begunBy }: Pick<Turn, 'startedAt' | 'begunBy'>): string {
  const what =
    begunBy === 'prompt' ? 'Prompt' : begunBy === 'notification' ? 'Background task' : 'Earlier conversation';
  return startedAt === null ? what : `${what}, ${clockTime(startedAt)}`;
}
