import { isObject } from '../../formats/wire/json.ts';
import { blocksOf, type Line, readLine, textOf, timeOf } from './line.ts';

/**
 * What a user line is. Claude Code writes much under that name which no person typed.
 * - `prompt`: a person's own words, or a command that became a prompt.
 * - `results`: of tools; own words may stand beside them.
 * - `notification`: a background task ended, and Claude goes on by itself.
 * - `interrupted`: a person stopped the turn.
 * - `summary`: of what a compaction left out.
 * - `echo`: of a command that ran in the terminal, or words of Claude Code for the model alone.
 */
type UserLineKind = 'prompt' | 'results' | 'notification' | 'interrupted' | 'summary' | 'echo';

const echoes = [
  '<command-name>',
  '<local-command-',
  '<bash-input>',
  '<bash-stdout>',
  '<bash-stderr>',
  '[SYSTEM NOTIFICATION - NOT USER INPUT]',
];
const interruption = '[Request interrupted by user';
const notification = '<task-notification>';
/** A command of a person's own or of a plugin: what it stands for follows as a line of Claude Code's. */
const command = /^<command-message>[\s\S]*?<\/command-message>\s*<command-name>([^<]*)<\/command-name>/;

export function kindOfUserLine(line: Line): UserLineKind {
  if (line.isCompactSummary === true) return 'summary';
  const blocks = blocksOf(line);
  if (blocks.some(({ type }) => type === 'tool_result')) return 'results';
  const first = textOf(blocks.find(({ type }) => type === 'text')?.text)?.trimStart() ?? '';
  if (line.isMeta === true) return 'echo';
  if (first.startsWith(notification)) return 'notification';
  if (first.startsWith(interruption)) return 'interrupted';
  if (echoes.some((beginning) => first.startsWith(beginning))) return 'echo';
  return wordsOf(line).length === 0 ? 'echo' : 'prompt';
}

/** What a person gave: texts without reminders of Claude Code's, and what is attached. */
export function wordsOf(line: Line): Line[] {
  return blocksOf(line).flatMap((block): Line[] => {
    if (block.type === 'tool_result') return [];
    if (block.type !== 'text') return [block];
    const words = ownWords(textOf(block.text) ?? '');
    return words === '' ? [] : [{ type: 'text', text: words }];
  });
}

/** The words of a text that a person typed. */
export function ownWords(text: string): string {
  const [beginning, name] = command.exec(text) ?? [];
  if (beginning !== undefined && name !== undefined) {
    const given = within(text, 'command-args').trim();
    return `${name.startsWith('/') ? '' : '/'}${name.trim()}${given === '' ? '' : ` ${given}`}`;
  }
  return withoutTagged(text, 'system-reminder').trim();
}

/** Text without every `<tag>…</tag>`, in one pass: a person may paste any number of opening tags. */
function withoutTagged(text: string, tag: string): string {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const begin = text.indexOf(opening, from);
    const end = begin === -1 ? -1 : text.indexOf(closing, begin + opening.length);
    if (end === -1) return [...kept, text.slice(from)].join('');
    kept.push(text.slice(from, begin));
    from = end + closing.length;
  }
}

/** Between the first `<tag>` and the `</tag>` after it; empty where one is missing. */
function within(text: string, tag: string): string {
  const begin = text.indexOf(`<${tag}>`);
  const end = begin === -1 ? -1 : text.indexOf(`</${tag}>`, begin);
  return end === -1 ? '' : text.slice(begin + tag.length + 2, end);
}

/** The texts of a tool's result, one after the other. */
export function textsOfResult(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .flatMap(({ type, text, tool_name: name }) => {
      // The adapter's words for what a search of tools found.
      if (type === 'tool_reference') return typeof name === 'string' ? [`Tool: ${name}`] : [];
      return type === 'text' && typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

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
