import { push } from './blocks.ts';
import type { Editing } from './editing.ts';

/**
 * Words for the running turn have been read: they stand in the transcript from here on.
 * @param id null: all of them
 */
export function takeSteering(editing: Editing, turn: number | null, id: string | null): void {
  const read = editing.now.steering.filter((words) => id === null || words.id === id);
  if (turn === null || read.length === 0) return;
  for (const { id, prompt, queuedAt } of read) {
    push(editing, { turn, lanes: [] }, { kind: 'steered', id, prompt, at: queuedAt }, queuedAt);
  }
  editing.set({ steering: editing.now.steering.filter((words) => !read.includes(words)) });
}
