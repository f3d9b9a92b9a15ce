import type { QueuedMessage } from '../../api/sessions.ts';
import type { RecordEntry } from '../store/session-record.ts';
import { readPrompt } from './prompt.ts';

/** The kinds of events that say what became of words for a running turn. */
export const steeringKinds = ['steered', 'steering-read'];

/** Words that were said into a turn and not read, by its events of these kinds. What was cut on record is left out. */
export function unreadWords(entries: readonly RecordEntry[]): Pick<QueuedMessage, 'id' | 'prompt'>[] {
  const unread = new Map<string, QueuedMessage['prompt']>();
  for (const { kind, event, cuts } of entries) {
    if (typeof event !== 'object' || event === null || !('id' in event) || typeof event.id !== 'string') continue;
    const prompt = kind === 'steered' && 'prompt' in event && Array.isArray(event.prompt) ? event.prompt : null;
    if (prompt === null) unread.delete(event.id);
    else {
      const isCut = (index: number) => cuts?.some(({ at }) => at.startsWith(`/prompt/${index}/`)) === true;
      const whole = readPrompt(prompt).filter(({ type }, index) => type === 'text' || !isCut(index));
      if (whole.length > 0) unread.set(event.id, [...whole]);
    }
  }
  return [...unread].map(([id, prompt]) => ({ id, prompt }));
}
