import type { Session, SessionRule } from '../api/sessions.ts';
import { type Message, msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { capital, oneLine } from './text.ts';

/** What an agent is called. */
export interface AgentWords {
  /** The program. */
  title: string;
  /** Name of the agent in sentences. */
  name: string;
  /** What it reads about a folder when it begins there. */
  memory: string;
}

const words: Readonly<Record<Session['agent'], AgentWords>> = {
  claude: { title: 'Claude Code', name: 'Claude', memory: 'CLAUDE.md' },
  codex: { title: 'Codex', name: 'Codex', memory: 'AGENTS.md' },
};

/** @param agent by its name; one that is not known is a session of Claude Code’s own files */
export function agentWords(agent: string): AgentWords {
  return agent === 'codex' ? words.codex : words.claude;
}

const efforts: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['none', msg('None')],
  ['minimal', msg('Minimal')],
  ['low', msg('Low')],
  ['medium', msg('Medium')],
  ['high', msg('High')],
  ['xhigh', msg('Extra high')],
  ['max', msg('Max')],
]);

/** `High` for `high`; a word that is not known is shown with a capital. */
export function effortWords(effort: string): string {
  const known = efforts.get(effort);
  return known === undefined ? capital(effort) : translated(known);
}

/** What Claude Code calls its permission modes in which something is asked. */
export const askingModes = ['default', 'acceptEdits', 'plan', 'auto'] as const;

export interface ModeWords {
  name: string;
  text: string;
}

/** Words for permission modes. Claude Code has no switch that makes the commands ask which they name. */
export const modeWordsOf: Readonly<Record<(typeof askingModes)[number], Readonly<Record<keyof ModeWords, Message>>>> = {
  default: {
    name: msg('Ask first'),
    text: msg(
      'Reads freely. Asks before it edits, runs a command or uses the web. Commands that change nothing (ls, echo, sleep …) don’t ask.',
    ),
  },
  acceptEdits: {
    name: msg('Accept edits'),
    text: msg(
      'Edits in the folder don’t ask, nor do commands that only change files there (rm, mv, mkdir …). Commands that do more ask.',
    ),
  },
  plan: { name: msg('Plan only'), text: msg('Reads and plans. Changes nothing until you approve the plan.') },
  auto: { name: msg('Auto'), text: msg('A model judges each step and runs what it finds safe. It can be wrong.') },
};

const mostOfCommand = 80;

/** Characters with which a command can contain a second one: a rule then covers it whole or not at all. */
export const joinsCommands = /[;&|<>$`(){}\n\r\\]/;

/** What is allowed for a session, as Claude Code writes its own rules: `Bash(npm test:*)`, `WebSearch`. */
export function ruleNotation({ tool, input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return tool;
  return `${tool}(${input}${isExact ? '' : ':*'})`;
}

/** What a person agrees to with a rule, as a choice of a question. */
export function ruleOffer({ input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return t('Allow every use of this tool for this session');
  return isExact
    ? t('Allow this very command for this session')
    : t('Allow {input}, with any arguments, for this session', { input: oneLine(input, mostOfCommand) });
}

/** Kind of a tool, as people are told of it. */
export type ToolKind =
  | 'shell'
  | 'read'
  | 'search'
  | 'write'
  | 'edit'
  | 'notebook'
  | 'web'
  | 'mcp'
  | 'client-tool'
  | 'tasks'
  | 'skill'
  | 'subagent'
  | 'question'
  | 'plan'
  | 'other';

/** Tools of Claude Code by their names. */
const byTool: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  BashOutput: 'shell',
  TaskOutput: 'shell',
  KillShell: 'shell',
  KillBash: 'shell',
  TaskStop: 'shell',
  Read: 'read',
  NotebookRead: 'read',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'notebook',
  WebFetch: 'web',
  WebSearch: 'web',
  TodoWrite: 'tasks',
  TaskCreate: 'tasks',
  TaskUpdate: 'tasks',
  TaskList: 'tasks',
  TaskGet: 'tasks',
  Skill: 'skill',
  SlashCommand: 'skill',
  Agent: 'subagent',
  Task: 'subagent',
  AskUserQuestion: 'question',
  ExitPlanMode: 'plan',
};

/** What other agents say of a tool, in the protocol's words. */
const byProtocol: Readonly<Record<string, ToolKind>> = {
  execute: 'shell',
  read: 'read',
  search: 'search',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  fetch: 'web',
  switch_mode: 'plan',
};

/** @param protocolKind `kind` of ACP's tool calls; null if unknown */
export function toolKindOf(tool: string, protocolKind: string | null): ToolKind {
  if (tool.startsWith('mcp__')) return 'mcp';
  return byTool[tool] ?? byProtocol[protocolKind ?? ''] ?? 'other';
}

/** A tool of a server for MCP: `mcp__sentry__search`. Null if it is none. */
export function mcpTool(tool: string): { server: string; tool: string } | null {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return server === undefined || name === undefined ? null : { server, tool: name };
}
