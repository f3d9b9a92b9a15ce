import type { sessionShortcuts } from '../session-shortcuts.ts';
import { terminalText } from '../text/terminal.tsx';
import { answerOf, type Item, saidIn } from './items.ts';
import { commandOf, textIn } from './step-words.ts';

type Move = { kind: 'go' | 'copy'; index: number };

/**
 * Where a key leads. Null if it is no key of the transcript, or there is nothing further.
 * @param name the key that was pressed, of those of the transcript
 * @param from the item with the focus; null if none has it
 * @param atTop the first one in view
 */
export function moveFor(
  name: keyof typeof sessionShortcuts.transcript | null,
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
  const isPrompt = ({ kind }: Item): boolean => kind === 'prompt';
  switch (name) {
    case 'down':
      return look(isLine, 1);
    case 'up':
      return look(isLine, -1);
    case 'nextPrompt':
      return look(isPrompt, 1);
    case 'promptBefore':
      return look(isPrompt, -1);
    case 'nextFailure':
      return look(hasFailed, 1);
    case 'failureBefore':
      return look(hasFailed, -1);
    case 'copy':
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

/** What `c` copies of an item. Empty: it has no words of its own. */
export function copiedText(item: Item): string {
  switch (item.kind) {
    case 'prompt':
    case 'begun':
      return saidIn(item.turn);
    case 'text':
    case 'thinking':
      return item.block.text;
    case 'steered':
      return saidIn(item.block);
    case 'step':
      return terminalText(textIn(item.step.content)) || commandOf(item.step);
    case 'reading':
      return item.steps.map(({ content }) => terminalText(textIn(content))).join('\n');
    case 'figures':
      return answerOf(item.turn);
    case 'compaction':
      return item.block.summary ?? '';
    default:
      return '';
  }
}
