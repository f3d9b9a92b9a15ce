import { isObject } from '../../formats/wire/json.ts';
import { blocksOf, type Line, textOf } from './line.ts';

/**
 * What a user line is. Claude Code writes much under that name which no person typed.
 * - `prompt`: a person's own words, or a command that became a prompt.
 * - `results`: of tools; own words may stand beside them.
 * - `notification`: a background task ended, and Claude goes on by itself.
 * - `interrupted`: a person stopped the turn.
 * - `summary`: of what a compaction left out.
 * - `echo`: of a command that ran in the terminal, or words of Claude Code for the model alone.
 */
export type UserLineKind = 'prompt' | 'results' | 'notification' | 'interrupted' | 'summary' | 'echo';

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
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
const commandArguments = /<command-args>([\s\S]*?)<\/command-args>/;

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
    const given = commandArguments.exec(text)?.[1]?.trim() ?? '';
    return `${name.startsWith('/') ? '' : '/'}${name.trim()}${given === '' ? '' : ` ${given}`}`;
  }
  return text.replaceAll(reminder, '').trim();
}

/** The texts of a tool's result, one after the other. */
export function textsOfResult(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}
