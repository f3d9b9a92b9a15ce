import { blocksOf, type Line, readLine, textOf, timeOf } from './line.ts';
import { kindOfUserLine, wordsOf } from './user-words.ts';

/** What one line of a transcript says, in words that a person or the model said. */
export interface Said {
  /** The uuid of the line. */
  message: string;
  who: 'user' | 'agent';
  at: number | null;
  words: string;
}

/** More of one message is not searched: what a person pasted may be large. */
const longest = 20_000;
/** Lines that hold no words of either; parsing them would be most of the work. */
const elsewhere = ['"attachment":{"type":"prompt_snapshot"', '"tool_use_id"', '"attachment":{"type":"skill_listing"'];

export function saidIn(text: string): Said | null {
  const beginning = text.slice(0, 600);
  if (elsewhere.some((mark) => beginning.includes(mark))) return null;
  const line = readLine(text);
  if (line === null || line.isSidechain === true) return null;
  const words = wordsIn(line);
  const message = textOf(line.uuid);
  if (message === null || words === '') return null;
  return { message, who: line.type === 'user' ? 'user' : 'agent', at: timeOf(line), words: words.slice(0, longest) };
}

function wordsIn(line: Line): string {
  if (line.type === 'user' && kindOfUserLine(line) === 'prompt') return texts(wordsOf(line));
  if (line.type !== 'assistant' || line.isApiErrorMessage === true) return '';
  return texts(blocksOf(line).filter(({ type }) => type === 'text'));
}

function texts(blocks: readonly Line[]): string {
  return blocks
    .flatMap(({ text }) => textOf(text) ?? [])
    .join('\n')
    .trim();
}
