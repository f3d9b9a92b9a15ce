import type { Item } from './items.ts';

export type Move = { kind: 'go' | 'copy'; index: number };

interface Pressed {
  key: string;
  shiftKey: boolean;
}

/**
 * Where a key leads. Null: it is no key of the transcript, or there is nothing further.
 * @param from the item with the focus; null: none has it
 * @param atTop the first one in view
 */
export function moveFor(
  { key, shiftKey }: Pressed,
  items: readonly Item[],
  from: number | null,
  atTop: number,
): Move | null {
  const look = (isWanted: (item: Item) => boolean, step: 1 | -1): Move | null => {
    let index = from ?? (step === 1 ? atTop - 1 : atTop);
    do {
      index += step;
      if (index < 0 || index >= items.length) return null;
    } while (!isWanted(items[index] as Item));
    return { kind: 'go', index };
  };
  switch (key) {
    case 'ArrowDown':
      return look(isLine, 1);
    case 'ArrowUp':
      return look(isLine, -1);
    case 'u':
    case 'U':
      return look(({ kind }) => kind === 'prompt', shiftKey ? -1 : 1);
    case 'e':
    case 'E':
      return look(hasFailed, shiftKey ? -1 : 1);
    case 'c':
      return { kind: 'copy', index: from ?? atTop };
    default:
      return null;
  }
}

function isLine({ kind }: Item): boolean {
  return kind === 'step' || kind === 'reading' || kind === 'thinking';
}

function hasFailed(item: Item): boolean {
  if (item.kind === 'step') return item.step.state === 'failed';
  if (item.kind === 'reading') return item.steps.some(({ state }) => state === 'failed');
  return item.kind === 'end';
}
