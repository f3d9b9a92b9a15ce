import { basename } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk/unstable';
import { isObject } from '../../formats/wire/json.ts';
import { type Line, textOf, textsOfResult } from './line.ts';

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
export function toToolCall(block: Line): Extract<SessionUpdate, { sessionUpdate: 'tool_call' }> {
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
export function toToolEnd(
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

export function toImageBlock(source: Line): { type: 'image'; mimeType: string; data: string } | null {
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
