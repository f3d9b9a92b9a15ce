import { basename } from 'node:path';
import type { ContentBlock, SessionUpdate, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk/unstable';
import { isObject } from '../../formats/wire/json.ts';
import {
  blocksOf,
  branchOf,
  kindOfUserLine,
  type Line,
  ownWords,
  textOf,
  textsOfResult,
  timeOf,
  wordsOf,
} from './line.ts';

/** One turn in its transcript. */
export interface TranscriptTurn {
  /** The uuid of the message that opened it, or of its first line. */
  id: string;
  /** Null if no prompt opened it: a background task ended, or the transcript begins in the middle. */
  prompt: ContentBlock[] | null;
  begunBy: 'prompt' | 'notification' | 'earlier-conversation';
  /** The background task whose end began it; null if none did, or it has no name. */
  task: string | null;
  /** What happened in it, in the shapes that a live turn has. */
  updates: SessionUpdate[];
  /** `cancelled`: a person stopped it, or a tool call was never answered. */
  state: 'done' | 'cancelled' | 'failed';
  /** Its last line is no end: it may be going on in another program. */
  isOpen: boolean;
  /** Failure in Claude Code's words. */
  failure: string | null;
  /** ms since the epoch; null if unknown. */
  startedAt: number | null;
  endedAt: number | null;
  model: string | null;
  /** Usage that the last answer in it reported. */
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number } | null;
  /** Claude Code's own ids of its prompts on the wire; each is of the turn that had it first. */
  promptIds: string[];
  /** The uuid of the last assistant line: where a fork of it ends. */
  lastMessage: string | null;
  /** The turn that it was copied from, in a fork; null if it is no copy. */
  copyOf: CopiedTurn | null;
}

/** A turn by Claude Code's own ids. */
interface CopiedTurn {
  sessionId: string;
  turn: string;
}

/** All turns of a transcript, in their order. */
export function turnsOf(lines: readonly Line[]): TranscriptTurn[] {
  return turnsOfBranch(branchOf(lines));
}

/** Turns in lines that all belong to one conversation. */
export function turnsOfBranch(lines: readonly Line[]): TranscriptTurn[] {
  const reading = new Reading();
  for (const line of lines) reading.read(line);
  return reading.end();
}

/** A turn that goes on in a program: calls that have no result yet have not failed. */
export function underWay<Turn extends Pick<TranscriptTurn, 'updates'>>(turn: Turn): Turn {
  const isUnanswered = (update: SessionUpdate): boolean =>
    update.sessionUpdate === 'tool_call_update' && update.status === 'failed' && !('rawOutput' in update);
  return { ...turn, updates: turn.updates.filter((update) => !isUnanswered(update)) };
}

/** Model name of words that Claude Code puts in place of an answer. */
export const synthetic = '<synthetic>';
/** What Claude Code puts in the place of an answer that never came. */
const noAnswer = 'No response requested.';

/** True if a line only replaces an answer that never came. */
export function isNoAnswer(line: Line): boolean {
  const isSynthetic = isObject(line.message) && line.message.model === synthetic;
  return isSynthetic && blocksOf(line).every(({ text }) => text === noAnswer);
}

class Reading {
  readonly #turns: TranscriptTurn[] = [];
  readonly #promptIds = new Set<string>();
  /** Tool calls without a result, each with its turn and the file that it is about. */
  readonly #open = new Map<string, { turn: TranscriptTurn; path: string | null }>();

  read(line: Line): void {
    if (line.type === 'user') this.#readUser(line);
    else if (line.type === 'assistant') this.#readAssistant(line);
    else if (line.type === 'attachment') this.#readAttachment(line);
    else if (line.type === 'system') this.#readSystem(line);
  }

  end(): TranscriptTurn[] {
    for (const { turn } of this.#open.values()) if (turn.state === 'done') turn.state = 'cancelled';
    for (const [toolCallId, { turn }] of this.#open) {
      turn.updates.push({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    }
    return this.#turns;
  }

  #readUser(line: Line): void {
    switch (kindOfUserLine(line)) {
      case 'prompt':
        this.#begin(line, 'prompt', toContent(wordsOf(line)));
        break;
      case 'notification':
        this.#begin(line, 'notification', null).task = taskIn(line);
        break;
      case 'results':
        this.#readResults(line);
        break;
      case 'interrupted':
        this.#interrupted(line);
        break;
      case 'summary':
        this.#summarized(line);
        break;
      case 'echo':
        break;
    }
  }

  #begin(line: Line, begunBy: TranscriptTurn['begunBy'], prompt: ContentBlock[] | null): TranscriptTurn {
    const at = timeOf(line);
    const turn: TranscriptTurn = {
      ...{ id: textOf(line.uuid) ?? '', prompt, begunBy, task: null, updates: [], state: 'done', isOpen: true },
      failure: null,
      ...{ startedAt: at, endedAt: null, model: null, usage: null, promptIds: [], lastMessage: null },
      copyOf: copyOf(line),
    };
    this.#turns.push(turn);
    this.#ownsPrompt(turn, line);
    return turn;
  }

  #ownsPrompt(turn: TranscriptTurn, line: Line): void {
    const promptId = textOf(line.promptId);
    if (promptId === null || this.#promptIds.has(promptId)) return;
    this.#promptIds.add(promptId);
    turn.promptIds.push(promptId);
  }

  /** The turn that a line belongs to; lines before any prompt have a turn of their own. */
  #turn(line: Line): TranscriptTurn {
    return this.#turns.at(-1) ?? this.#begin(line, 'earlier-conversation', null);
  }

  #readResults(line: Line): void {
    for (const block of blocksOf(line)) {
      if (block.type !== 'tool_result') continue;
      const id = textOf(block.tool_use_id) ?? '';
      const call = this.#open.get(id);
      if (call === undefined) continue;
      this.#open.delete(id);
      const lost = interruptedIn(block);
      if (lost === null) call.turn.updates.push(toToolEnd(block, line, call.path));
      else Object.assign(call.turn, { state: 'failed', failure: lost });
      // A late result does not lengthen a turn that others followed.
      if (call.turn === this.#turns.at(-1)) call.turn.endedAt = timeOf(line) ?? call.turn.endedAt;
    }
    const words = wordsOf(line).filter(({ text }) => !String(text).startsWith('[Request interrupted by user'));
    const turn = this.#turn(line);
    this.#ownsPrompt(turn, line);
    this.#said(turn, words, textOf(line.uuid));
  }

  /** Words that joined a running turn. */
  #said(turn: TranscriptTurn, words: readonly Line[], messageId: string | null): void {
    for (const content of toContent(words)) {
      turn.updates.push({ sessionUpdate: 'user_message_chunk', content, ...(messageId === null ? {} : { messageId }) });
    }
  }

  #interrupted(line: Line): void {
    const turn = this.#turn(line);
    turn.state = 'cancelled';
    turn.isOpen = false;
    turn.endedAt = timeOf(line) ?? turn.endedAt;
  }

  #readAssistant(line: Line): void {
    const message = isObject(line.message) ? line.message : {};
    if (line.isApiErrorMessage === true) {
      this.#failed(line);
      return;
    }
    const blocks = blocksOf(line);
    if (isNoAnswer(line)) return;
    const turn = this.#turn(line);
    const messageId = textOf(message.id);
    for (const block of blocks) this.#readBlock(turn, block, messageId === null ? {} : { messageId });
    turn.endedAt = timeOf(line) ?? turn.endedAt;
    turn.lastMessage = textOf(line.uuid) ?? turn.lastMessage;
    turn.isOpen = message.stop_reason === 'tool_use' || message.stop_reason === null;
    if (message.model === synthetic) return;
    turn.model = textOf(message.model) ?? turn.model;
    if (isObject(message.usage)) turn.usage = usageOf(message.usage);
  }

  #readBlock(turn: TranscriptTurn, block: Line, ids: { messageId?: string }): void {
    if (block.type === 'text' && typeof block.text === 'string') {
      const content = { type: 'text' as const, text: block.text };
      turn.updates.push({ sessionUpdate: 'agent_message_chunk', content, ...ids });
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      const content = { type: 'text' as const, text: textOf(block.thinking) ?? '' };
      turn.updates.push({ sessionUpdate: 'agent_thought_chunk', content, ...ids });
    } else if (block.type === 'tool_use') {
      const call = toToolCall(block);
      turn.updates.push(call);
      this.#open.set(call.toolCallId, { turn, path: call.locations?.[0]?.path ?? null });
    }
  }

  #failed(line: Line): void {
    const turn = this.#turn(line);
    turn.state = 'failed';
    turn.isOpen = false;
    turn.failure = blocksOf(line)
      .flatMap(({ text }) => textOf(text) ?? [])
      .join('\n');
    turn.endedAt = timeOf(line) ?? turn.endedAt;
  }

  /** A message that was sent while Claude worked. */
  #readAttachment(line: Line): void {
    const attachment = isObject(line.attachment) ? line.attachment : {};
    if (attachment.type !== 'queued_command' || attachment.commandMode === 'task-notification') return;
    const { prompt } = attachment;
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    if (!Array.isArray(blocks)) return;
    const words = wordsOf({ message: { content: blocks } }).filter(({ text }) => !isNotification(text));
    this.#said(this.#turn(line), words, textOf(attachment.source_uuid) ?? textOf(line.uuid));
  }

  #readSystem(line: Line): void {
    if (line.subtype === 'turn_duration') {
      const turn = this.#turns.at(-1);
      if (turn !== undefined) turn.endedAt = timeOf(line) ?? turn.endedAt;
    } else if (line.subtype === 'compact_boundary') {
      const compactionId = textOf(line.uuid) ?? '';
      const { compactMetadata } = line;
      // What a person asked for is a turn of its own, and the command stands behind it.
      const isAsked = isObject(compactMetadata) && compactMetadata.trigger === 'manual';
      const asked = isAsked ? this.#begin(line, 'prompt', [{ type: 'text', text: '/compact' }]) : null;
      if (asked !== null) asked.isOpen = false;
      (asked ?? this.#turn(line)).updates.push({
        ...{ sessionUpdate: 'compaction_update', compactionId, status: 'completed' },
        ...(isObject(compactMetadata) ? { _meta: { claudeCode: { compactMetadata } } } : {}),
      });
    }
  }

  /** The summary belongs to the compaction before it. */
  #summarized(line: Line): void {
    const turn = this.#turn(line);
    this.#ownsPrompt(turn, line);
    const last = turn.updates.findLast((update) => update.sessionUpdate === 'compaction_update');
    const summary = toContent(blocksOf(line)).map((content) =>
      content.type === 'text' ? { ...content, text: summaryIn(content.text) } : content,
    );
    if (last?.sessionUpdate === 'compaction_update') last.summary = summary;
    else {
      const compactionId = textOf(line.uuid) ?? '';
      turn.updates.push({ sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary });
    }
  }
}

/** What Claude Code says where it was killed while a tool ran; null of any other result. */
function interruptedIn({ content }: Line): string | null {
  const text = textsOfResult(content);
  return text.startsWith('[Tool call interrupted: the session ended') ? text.slice(1).replace(/\]$/, '') : null;
}

/** The summary of a compaction without what Claude Code tells the model around it. */
function summaryIn(text: string): string {
  const begin = /^This session is being continued from a previous conversation[\s\S]*?^Summary:[ \t]*\r?\n/m.exec(text);
  if (begin === null) return text;
  const end = text.indexOf('\n\nIf you need specific details from before compaction', begin[0].length);
  return text.slice(begin[0].length, end === -1 ? undefined : end).trim();
}

/** Claude Code puts it in quotes: `Background command "wait" completed (exit code 0)`. */
function taskIn(line: Line): string | null {
  const words = blocksOf(line)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join('\n');
  const summary = /<summary>([^<]{1,2000})<\/summary>/.exec(words)?.[1] ?? '';
  return /"(.+)"/.exec(summary)?.[1] ?? textOf(summary.trim());
}

function copyOf({ forkedFrom }: Line): CopiedTurn | null {
  if (!isObject(forkedFrom)) return null;
  const [sessionId, turn] = [textOf(forkedFrom.sessionId), textOf(forkedFrom.messageUuid)];
  return sessionId === null || turn === null ? null : { sessionId, turn };
}

function isNotification(text: unknown): boolean {
  return typeof text === 'string' && ownWords(text).startsWith('<task-notification>');
}

/** Texts and images; a document is named. */
function toContent(blocks: readonly Line[]): ContentBlock[] {
  return blocks.flatMap((block): ContentBlock[] => {
    if (block.type === 'text' && typeof block.text === 'string') return [{ type: 'text', text: block.text }];
    const image = block.type === 'image' && isObject(block.source) ? toImageBlock(block.source) : null;
    return image === null ? [] : [image];
  });
}

function usageOf(usage: Line): TranscriptTurn['usage'] {
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: count(usage.cache_creation_input_tokens),
  };
}

const kinds: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  KillBash: 'execute',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Agent: 'think',
  Task: 'think',
  ExitPlanMode: 'switch_mode',
};

/** A tool call as a front is told of it, from a `tool_use` block. */
function toToolCall(block: Line): Extract<SessionUpdate, { sessionUpdate: 'tool_call' }> {
  const name = textOf(block.name) ?? 'Tool';
  const input = isObject(block.input) ? block.input : {};
  const path = textOf(input.file_path) ?? textOf(input.notebook_path);
  return {
    ...{ sessionUpdate: 'tool_call', toolCallId: textOf(block.id) ?? '', name, title: titleOf(name, input, path) },
    ...{ kind: kinds[name] ?? 'other', status: 'pending', rawInput: input, content: proposed(name, input, path) },
    locations: path === null ? [] : [{ path }],
    _meta: { claudeCode: { toolName: name } },
  };
}

function titleOf(name: string, input: Line, path: string | null): string {
  if (path !== null) return `${name} ${basename(path)}`;
  const said = [input.command, input.description, input.pattern, input.url, input.query, input.title];
  return said.map(textOf).find((text) => text !== null) ?? name;
}

/** What an edit was about to do, before it is known what was there. */
function proposed(name: string, input: Line, path: string | null): ToolCallContent[] {
  if (path === null || kinds[name] !== 'edit') return [];
  const [oldText, newText] = [textOf(input.old_string), input.new_string ?? input.content ?? input.new_source];
  return typeof newText === 'string' ? [{ type: 'diff', path, oldText, newText }] : [];
}

/** How a tool call ended, from a `tool_result` block and what Claude Code noted beside it. */
function toToolEnd(
  block: Line,
  line: Line,
  path: string | null,
): Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }> {
  const { toolUseResult: response } = line;
  const output = textsOfResult(block.content);
  const refusal = refusalIn(line);
  const whole = isObject(response) && path !== null ? wholeFile(response, path) : null;
  const images = Array.isArray(block.content) ? block.content.filter(isObject).flatMap(toImage) : [];
  return {
    ...{ sessionUpdate: 'tool_call_update', toolCallId: textOf(block.tool_use_id) ?? '' },
    ...{ status: block.is_error === true ? 'failed' : 'completed', rawOutput: output },
    ...(whole === null ? {} : { content: [whole] }),
    ...(whole === null && path === null ? { content: [...text(output), ...images] } : {}),
    _meta: {
      claudeCode: {
        ...(isObject(response) ? { toolResponse: response } : {}),
        ...(refusal === null ? {} : { nonExecutionKind: refusal }),
      },
    },
  };
}

function text(output: string): ToolCallContent[] {
  return output === '' ? [] : [{ type: 'content', content: { type: 'text', text: output } }];
}

function toImage({ type, source }: Line): ToolCallContent[] {
  const image = type === 'image' && isObject(source) ? toImageBlock(source) : null;
  return image === null ? [] : [{ type: 'content', content: image }];
}

function toImageBlock(source: Line): { type: 'image'; mimeType: string; data: string } | null {
  const [mimeType, data] = [textOf(source.media_type), textOf(source.data)];
  return mimeType === null || data === null ? null : { type: 'image', mimeType, data };
}

/** Before and after of a whole file, where Claude Code noted what it found. */
function wholeFile(response: Line, path: string): ToolCallContent | null {
  const found = textOf(response.originalFile);
  if (typeof response.content === 'string') {
    return { type: 'diff', path, oldText: found, newText: response.content };
  }
  const [oldString, newString] = [response.oldString, response.newString];
  if (found === null || typeof oldString !== 'string' || typeof newString !== 'string' || oldString === '') return null;
  const parts = found.split(oldString);
  if (parts.length === 1) return null;
  const newText =
    response.replaceAll === true
      ? parts.join(newString)
      : `${parts[0] ?? ''}${newString}${parts.slice(1).join(oldString)}`;
  return { type: 'diff', path, oldText: found, newText };
}

const refused = new Set(['user_reject', 'hook_reject']);

/** Null if it ran. */
function refusalIn({ permissionDecision, toolDenialKind }: Line): string | null {
  if (textOf(toolDenialKind) !== null) return textOf(toolDenialKind);
  if (!isObject(permissionDecision) || permissionDecision.decision !== 'reject') return null;
  return refused.has(String(permissionDecision.source)) ? 'user-rejected' : 'permission-rule';
}
