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
