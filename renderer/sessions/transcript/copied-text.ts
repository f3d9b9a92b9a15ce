import { terminalText } from '../text/terminal-runs.ts';
import { answerOf, type Item, saidIn } from './items.ts';
import { commandOf, textIn } from './step-words.ts';

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
