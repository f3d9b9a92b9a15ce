import type { Block } from './conversation.ts';
import type { Editing, Found, Place } from './editing.ts';

export function laneOf({ turn, lanes, index }: Found): Place {
  return { turn, lanes: [...lanes, index] };
}

/** Adds a block at the end; the one before it is complete. */
export function push(editing: Editing, place: Place, block: Block, at: number | null): void {
  closeOpen(editing, place, at);
  editing.add(place, block);
}

/** Text and thinking are open as long as they are the last block. */
export function closeOpen(editing: Editing, place: Place, at: number | null): void {
  const blocks = editing.blocks(place);
  const index = blocks.length - 1;
  const last = blocks[index];
  if (last?.kind === 'text' && last.isOpen) editing.replace(place, index, { ...last, isOpen: false });
  if (last?.kind === 'thinking' && last.isOpen) editing.replace(place, index, { ...last, isOpen: false, endedAt: at });
}
