import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';

/** One line of a transcript, as far as anything is known about it: Claude Code's format is not documented. */
export type Line = Readonly<JsonObject>;

/** Kinds that hold no word of the conversation and may be large: the requests as they were sent. */
const withoutWords = ['{"type":"api-request', '{"type":"file-history-snapshot"', '{"type":"cost-state"'];

/** Null if it is no line of a transcript, was cut, or says nothing about the conversation. */
export function readLine(text: string): Line | null {
  if (!text.startsWith('{') || withoutWords.some((beginning) => text.startsWith(beginning))) return null;
  return parseObject(text);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** ms since the epoch; null if it is missing or none. */
export function timeOf(line: Line): number | null {
  const at = typeof line.timestamp === 'string' ? Date.parse(line.timestamp) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** The blocks of a message; a plain text is one. */
export function blocksOf(line: Line): Line[] {
  const { message } = line;
  const content = isObject(message) ? message.content : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/**
 * The lines of a transcript that the conversation consists of now, in their order: a person who went back left lines
 * behind that stand in the file still. Each line names the one before it; the last one is the end of what counts.
 */
export function branchOf(lines: readonly Line[]): Line[] {
  const main = lines.filter((line) => line.isSidechain !== true && isLink(line));
  const byId = new Map(main.map((line, index) => [idOf(line), index]));
  const onBranch = new Set<number>();
  let index = main.length - 1;
  // Every step goes to an earlier line, or to one that a compaction names: a circle would end at its first line.
  while (index >= 0 && !onBranch.has(index)) {
    onBranch.add(index);
    index = before(main, byId, index);
  }
  return withSiblings(main, new Set(main.filter((_line, at) => onBranch.has(at))));
}

/** Index of the line before one; -1 if it is the first. */
function before(main: readonly Line[], byId: ReadonlyMap<string | null, number>, index: number): number {
  const line = main[index];
  const parent = textOf(line?.parentUuid) ?? textOf(line?.logicalParentUuid);
  if (parent === null) return -1;
  // A line that was cut, or was never written: whatever stands before is the best that is known.
  return byId.get(parent) ?? index - 1;
}

/**
 * A message with several tool calls is several lines, and each result names the call that it belongs to: of these
 * forks all count.
 */
function withSiblings(main: readonly Line[], kept: ReadonlySet<Line>): Line[] {
  const messages = new Set([...kept].flatMap((line) => messageId(line) ?? []));
  const said = main.filter((line) => kept.has(line) || isOf(messages, line));
  const calls = new Set(said.flatMap((line) => blocksOf(line).flatMap((block) => callId(block) ?? [])));
  const wanted = new Set([...said, ...main.filter((line) => line.type === 'user' && answers(line, calls))]);
  return main.filter((line) => wanted.has(line));
}

function isOf(messages: ReadonlySet<string>, line: Line): boolean {
  const id = messageId(line);
  return id !== null && messages.has(id);
}

function answers(line: Line, calls: ReadonlySet<string>): boolean {
  return blocksOf(line).some(({ type, tool_use_id: id }) => type === 'tool_result' && calls.has(String(id)));
}

function callId({ type, id }: Line): string | null {
  return type === 'tool_use' ? textOf(id) : null;
}

function messageId(line: Line): string | null {
  return line.type === 'assistant' && isObject(line.message) ? textOf(line.message.id) : null;
}

/** The title at the end of a copy has an id, but no line before it. */
function isLink(line: Line): boolean {
  return idOf(line) !== null && (line.parentUuid !== undefined || line.type === 'user' || line.type === 'assistant');
}

function idOf(line: Line): string | null {
  return textOf(line.uuid);
}

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
