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
