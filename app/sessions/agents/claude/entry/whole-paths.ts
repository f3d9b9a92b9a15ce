import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { isObject } from '../../../../formats/wire/json.ts';
import type { Adapter, ReportedUpdate, SessionParams } from './adapter.ts';

interface ToolEnd {
  tool_use_id?: string;
  /** Claude Code's own folder at that moment: a `cd` of one command counts for the next tools. */
  cwd?: string;
  tool_response?: unknown;
}

/** Where the result of an edit names its file. */
const names = ['filePath', 'notebook_path'] as const;

/**
 * Claude Code's result of an edit names the file as the model did, and a relative path means the folder that Claude
 * Code is in at that moment, which only a hook is told. In what the adapter says of the result the path is whole.
 */
export function tellWholePaths(adapter: Adapter): void {
  const folders = new Map<string, string>();
  const look = ({ tool_use_id: id, cwd, tool_response: result }: ToolEnd): object => {
    if (id !== undefined && cwd !== undefined && isObject(result) && names.some((name) => isPartial(result[name]))) {
      folders.set(id, cwd);
    }
    return {};
  };
  const create = adapter.createSession.bind(adapter);
  adapter.createSession = (params, options) => create(withHook(params, look), options);
  const { client } = adapter;
  const tell = client.sessionUpdate.bind(client);
  client.sessionUpdate = (reported) => tell(withWholePath(reported, folders));
}

function withHook(params: SessionParams, look: (end: ToolEnd) => object): SessionParams {
  const { _meta: meta } = params;
  const options = meta?.claudeCode?.options;
  const { PostToolUse: others = [] } = Object(options?.hooks);
  const hook = { hooks: [(end: ToolEnd) => Promise.resolve(look(end))] };
  const hooks = { ...Object(options?.hooks), PostToolUse: [hook, ...others] };
  return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options: { ...options, hooks } } } };
}

function withWholePath(reported: ReportedUpdate, folders: Map<string, string>): ReportedUpdate {
  const { update } = reported;
  const result = update._meta?.claudeCode?.toolResponse;
  const folder = folders.get(update.toolCallId ?? '');
  if (folder === undefined || !isObject(result)) return reported;
  folders.delete(update.toolCallId ?? '');
  const paths = names.flatMap((name) => {
    const path = result[name];
    return isPartial(path) ? [[name, wholePath(path, folder)]] : [];
  });
  const claudeCode = { ...update._meta?.claudeCode, toolResponse: { ...result, ...Object.fromEntries(paths) } };
  return { ...reported, update: { ...update, _meta: { ...update._meta, claudeCode } } };
}

function isPartial(path: unknown): path is string {
  return typeof path === 'string' && path !== '' && !isAbsolute(path);
}

/** Resolves a path by Claude Code's rules: one that begins with `~` is below the person's home. */
function wholePath(path: string, folder: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
