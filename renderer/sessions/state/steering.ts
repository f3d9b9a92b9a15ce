import type { Editing } from './editing.ts';

/** The words for the running turn have been read: they stand in the transcript from here on. */
export function takeSteering(editing: Editing, turn: number, at: number | null): void {
  const { steering } = editing.now;
  if (steering.length === 0) return;
  for (const { id, prompt, queuedAt } of steering) {
    editing.add({ turn, lanes: [] }, { kind: 'steered', id, prompt, at: queuedAt ?? at });
  }
  editing.set({ steering: [] });
}

/**
 * Whether what begins now shows that words said into the turn were read: the agent takes them with the results of its
 * next tools, or, where it uses none, once its answer is complete.
 */
export function hasReadSteering(editing: Editing, turn: number, kind: string, message: string | null): boolean {
  const since = editing.now.steering[0]?.queuedAt;
  if (since === undefined) return false;
  const blocks = editing.blocks({ turn, lanes: [] });
  const last = blocks.at(-1);
  const isWords = last?.kind === 'text' || last?.kind === 'thinking';
  if (kind !== 'tool_call' && isWords) return last.message !== message;
  return blocks.some((block) => block.kind === 'step' && block.endedAt !== null && block.endedAt >= since);
}
