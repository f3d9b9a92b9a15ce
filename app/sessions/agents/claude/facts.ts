import type { RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import type { InForce } from '../../../api/session-surroundings.ts';
import type { BackgroundTask } from '../../../api/sessions.ts';
import { isObject } from '../../../formats/wire/json.ts';
import { readExit, sessionEnded } from '../agent-extras.ts';
import type { AgentFact, FactReader, LastingRule, ReportedEdit } from '../agent-facts.ts';

/** The adapter's notification with a message of the Agent SDK, as the SDK gave it. */
const rawMessage = '_claude/sdkMessage';

/** Tools that change files with nothing in their results that says which. */
const unreported: ReadonlySet<unknown> = new Set(['Bash']);

/** Why a tool didn't run: denied by the person, or by a rule of theirs. */
const refusals: ReadonlySet<unknown> = new Set(['user-rejected', 'permission-rule']);

/** The modes that an approved plan is carried out in. */
const modesAfterPlan: ReadonlyMap<string, string> = new Map([
  ['exit-plan-default', 'default'],
  ['exit-plan-accept-edits', 'acceptEdits'],
  ['exit-plan-auto', 'auto'],
]);

/** Reads what claude-agent-acp reports beyond the protocol: raw messages, and `_meta.claudeCode` of tool calls. */
export const claudeFacts: FactReader = {
  factOf(method, params) {
    const sessionId = field(params, 'sessionId');
    if (method === sessionEnded) {
      const exit = readExit(field(params, 'exit'));
      return typeof sessionId === 'string' && exit !== null ? { kind: 'ended', sessionId, exit } : null;
    }
    if (method !== rawMessage) return null;
    const message = field(params, 'message');
    return typeof sessionId === 'string' ? readMessage(sessionId, message) : null;
  },
  editOf(update) {
    if (update.sessionUpdate !== 'tool_call_update') return null;
    const meta = update._meta?.claudeCode;
    const reported = field(meta, 'toolResponse');
    return reported === undefined ? null : readEdit(update.toolCallId, field(meta, 'toolName'), reported);
  },
  changesFilesUnreported(update) {
    return update.sessionUpdate === 'tool_call' && unreported.has(field(update._meta?.claudeCode, 'toolName'));
  },
  deniedCall(update) {
    if (update.sessionUpdate !== 'tool_call_update') return null;
    return refusals.has(field(update._meta?.claudeCode, 'nonExecutionKind')) ? update.toolCallId : null;
  },
  acceptEdits: 'acceptEdits',
  modeAfter: (optionId) => modesAfterPlan.get(optionId) ?? null,
  // The conversation would go on under another id of Claude Code's, and the first words of it are asked again; or it
  // would never ask any more, which is chosen in one way alone.
  mayOffer: (optionId) => !optionId.startsWith('exit-plan-clear') && optionId !== 'exit-plan-bypass',
  lastingRule,
};

function readMessage(sessionId: string, message: unknown): AgentFact | null {
  const type = field(message, 'type');
  if (type === 'assistant') return readAssistant(sessionId, message);
  if (type === 'command_lifecycle') {
    const state = field(message, 'state');
    const kind = state === 'started' ? 'prompt' : state === 'cancelled' ? 'prompt-dropped' : null;
    const promptId = field(message, 'command_uuid');
    return kind !== null && typeof promptId === 'string' ? { kind, sessionId, promptId } : null;
  }
  return type === 'system' ? readSystem(sessionId, message) : null;
}

function readSystem(sessionId: string, message: unknown): AgentFact | null {
  const subtype = field(message, 'subtype');
  const mode = field(message, 'permissionMode');
  if (typeof mode === 'string') {
    if (subtype !== 'init') return { kind: 'mode', sessionId, mode };
    return {
      ...{ kind: 'begun', sessionId, mode, plugins: list(message, 'plugins').flatMap(readPlugin) },
      pluginErrors: list(message, 'plugin_errors').flatMap(readPluginError),
      servers: list(message, 'mcp_servers').flatMap(readServer),
    };
  }
  if (subtype === 'background_tasks_changed') {
    return { kind: 'tasks', sessionId, tasks: list(message, 'tasks').flatMap(readTask) };
  }
  if (subtype === 'api_retry') return readRetry(sessionId, message);
  const state = field(message, 'state');
  if (subtype !== 'session_state_changed' || typeof state !== 'string') return null;
  return { kind: 'working', sessionId, isWorking: state !== 'idle' };
}

function readRetry(sessionId: string, message: unknown): AgentFact | null {
  const delayMs = field(message, 'retry_delay_ms');
  const status = field(message, 'error_status');
  if (typeof delayMs !== 'number') return null;
  return { kind: 'retry', sessionId, delayMs, status: typeof status === 'number' ? status : null };
}

/** Reads a plugin; Claude Code's built-in ones have no path. */
function readPlugin(plugin: unknown): InForce['plugins'] {
  const name = field(plugin, 'name');
  const path = field(plugin, 'path');
  const version = field(plugin, 'version');
  const id = field(plugin, 'source') ?? name;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof path !== 'string' || path === 'builtin') return [];
  return [{ id, name, path, version: typeof version === 'string' ? version : null, isOn: true }];
}

function readPluginError(error: unknown): { plugin: string; path: string | null; message: string }[] {
  const [plugin, path, message] = [field(error, 'plugin'), field(error, 'path'), field(error, 'message')];
  if (typeof plugin !== 'string' || typeof message !== 'string') return [];
  return [{ plugin, path: typeof path === 'string' ? path : null, message }];
}

function readServer(server: unknown): { name: string; state: string }[] {
  const [name, state] = [field(server, 'name'), field(server, 'status')];
  return typeof name === 'string' && typeof state === 'string' ? [{ name, state }] : [];
}

const taskKinds: Readonly<Record<string, BackgroundTask['kind']>> = {
  local_bash: 'command',
  local_agent: 'subagent',
};

/** Empty for Claude Code's own background work (`ambient`): nobody waits for it. */
function readTask(task: unknown): BackgroundTask[] {
  const id = field(task, 'task_id');
  const title = field(task, 'description');
  if (typeof id !== 'string' || field(task, 'ambient') === true) return [];
  return [{ id, kind: taskKinds[String(field(task, 'task_type'))] ?? 'other', title: String(title ?? '') }];
}

function readAssistant(sessionId: string, message: unknown): AgentFact | null {
  const messageId = field(field(message, 'message'), 'id');
  const transcriptId = field(message, 'uuid');
  if (typeof messageId !== 'string' || typeof transcriptId !== 'string') return null;
  const requestId = field(message, 'request_id');
  const isSubagent = typeof field(message, 'parent_tool_use_id') === 'string';
  const named = typeof requestId === 'string' ? requestId : null;
  return { kind: 'message', sessionId, messageId, transcriptId, requestId: named, isSubagent };
}

/** Results of Edit, MultiEdit, Write and NotebookEdit hold the file as it was before, whole. */
function readEdit(toolCallId: string, tool: unknown, reported: unknown): ReportedEdit | null {
  if (tool === 'Write') {
    const path = field(reported, 'filePath');
    const before = field(reported, 'originalFile');
    const after = field(reported, 'content');
    if (typeof path !== 'string' || typeof after !== 'string') return null;
    return { toolCallId, path, before: typeof before === 'string' ? before : null, after };
  }
  if (tool === 'NotebookEdit') {
    const path = field(reported, 'notebook_path');
    const before = field(reported, 'original_file');
    const after = field(reported, 'updated_file');
    if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') return null;
    return { toolCallId, path, before, after };
  }
  if (tool !== 'Edit' && tool !== 'MultiEdit') return null;
  const path = field(reported, 'filePath');
  const before = field(reported, 'originalFile');
  if (typeof path !== 'string' || typeof before !== 'string') return null;
  const after = edited(before, reported);
  return after === null ? null : { toolCallId, path, before, after };
}

/** Null if the result does not say what became of the file. */
function edited(before: string, reported: unknown): string | null {
  const edits = field(reported, 'edits');
  let after = before;
  for (const edit of Array.isArray(edits) ? edits : [reported]) {
    const from = field(edit, 'oldString') ?? field(edit, 'old_string');
    const to = field(edit, 'newString') ?? field(edit, 'new_string');
    const all = field(edit, 'replaceAll') ?? field(edit, 'replace_all');
    if (typeof from !== 'string' || typeof to !== 'string') return null;
    // An empty old text makes a file out of an empty one.
    if (from === '') after = to;
    else if (!after.includes(from)) return null;
    else after = all === true ? after.split(from).join(to) : after.replace(from, () => to);
  }
  return after;
}

function list(value: unknown, name: string): unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The adapter's options with which Claude Code allows the like from then on. */
const lasting: ReadonlySet<string> = new Set(['allow-with-updates', 'allow-skill-exact', 'allow-skill-prefix']);

/** Tools whose option changes the session's permission mode and writes nothing. */
const changesMode: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** Claude Code would allow a part of what these do: a folder, a host, a skill. A rule of ours allows all of it. */
const allowsLess: ReadonlySet<string> = new Set([
  ...['Read', 'Glob', 'Grep', 'WebFetch', 'Skill', 'SandboxNetworkAccess'],
]);

/** Commands with other characters get no rule wider than the command itself. */
const plainCommand = /^[\w ./:=@%+,~-]+$/;

/**
 * Claude Code writes most of what is allowed by a lasting option into `.claude/settings.local.json` of the folder,
 * also of an untrusted one, where it outlives the session. In its place stands a rule that allows no more.
 */
function lastingRule({ toolCall, _meta }: RequestPermissionRequest, optionId: string): LastingRule {
  const { name: tool, rawInput } = toolCall;
  if (!lasting.has(optionId)) return null;
  if (typeof tool !== 'string' || allowsLess.has(tool)) return 'none';
  if (changesMode.has(tool)) return null;
  const input = isObject(rawInput) ? rawInput : {};
  if (typeof input.command !== 'string') return { tool, input: null, isExact: false };
  // Who allowed commands in the sandbox did not allow this one outside of it.
  if (input.dangerouslyDisableSandbox === true) return 'none';
  const begins = beginningOf(tool, _meta?.jumpseat);
  const isCovered = begins !== null && `${input.command} `.startsWith(`${begins} `) && plainCommand.test(input.command);
  return isCovered ? { tool, input: begins, isExact: false } : { tool, input: input.command, isExact: true };
}

/** What Claude Code would allow with any arguments, where that is one thing: `npm view` of `Bash(npm view *)`. */
function beginningOf(tool: string, reported: unknown): string | null {
  const rules: unknown = isObject(reported) ? reported.rules : null;
  const [rule, ...others]: unknown[] = Array.isArray(rules) ? rules : [];
  if (typeof rule !== 'string' || others.length > 0 || !rule.startsWith(`${tool}(`)) return null;
  // Longer than a choice can show it is no beginning to agree to.
  return /^\((.{1,80}?)(?::\*| \*)\)$/.exec(rule.slice(tool.length))?.[1] ?? null;
}
