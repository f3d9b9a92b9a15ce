import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { becomesRoot, deletes, discards } from '../../../app/words/session-questions.ts';
import { duration } from '../../../app/words/times.ts';
import { entriesOf, list, record, text } from '../state/fields.ts';
import type { DifferenceSource } from '../text/difference-lines.ts';

/** An option of the agent's own. */
export interface AskedOption {
  id: string;
  name: string;
  kind: string;
}

export interface AskedDifference {
  path: string;
  source: DifferenceSource;
}

/** Lines of a file, from 1. `last`: null for its end. */
export interface AskedLines {
  first: number;
  last: number | null;
}

/** What an agent asks to do, for a person to decide. */
export type PermissionSubject =
  | {
      kind: 'command';
      command: string;
      /** What the command's shell is called; the rule of a session names it. Null if it has no name. */
      tool: string | null;
      description: string | null;
      isInBackground: boolean;
      /** In ms; null for the agent's own. */
      timeLimit: number | null;
      isUnboxed: boolean;
    }
  | {
      kind: 'edit' | 'write';
      path: string;
      differences: readonly AskedDifference[];
      /** Every occurrence of the text. */
      isEverywhere: boolean;
    }
  | { kind: 'page'; address: string; prompt: string | null }
  | { kind: 'search-web'; query: string }
  | { kind: 'read'; path: string; lines: AskedLines | null }
  | { kind: 'mcp'; server: string; tool: string; says: string | null }
  | { kind: 'subagent'; type: string | null; task: string }
  | { kind: 'skill'; name: string }
  /** `file`: where the agent keeps it; null: nowhere. */
  | { kind: 'plan'; plan: string; file: string | null }
  | { kind: 'other'; tool: string };

export interface AskedPermission {
  toolCallId: string;
  /** The agent's name for its tool; null if it has none. */
  tool: string | null;
  subject: PermissionSubject;
  options: readonly AskedOption[];
  input: Readonly<Record<string, unknown>>;
  /** What of the input is in no other place of the card, so that nothing is hidden. */
  rest: Readonly<Record<string, unknown>>;
}

/** Read to be shown: what has an unknown shape is shown with all that it holds. */
export function readPermission({ request }: SessionQuestion): AskedPermission {
  const call = record(record(request)?.toolCall) ?? {};
  const input = record(call.rawInput) ?? {};
  const tool = text(call.name);
  const [subject, shown] = readSubject(
    call,
    tool,
    input,
    saysOf(record(record(record(request)?._meta)?.jumpseat) ?? {}),
  );
  const options = list(record(request)?.options).flatMap((one) => {
    const { optionId, name, kind } = record(one) ?? {};
    return typeof optionId === 'string' ? [{ id: optionId, name: text(name) ?? optionId, kind: text(kind) ?? '' }] : [];
  });
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => shown !== 'all' && !shown.includes(name)));
  return { toolCallId: text(call.toolCallId) ?? '', tool, subject, options, input, rest };
}

type Read = [PermissionSubject, shown: readonly string[] | 'all'];

function readSubject(
  call: Readonly<Record<string, unknown>>,
  tool: string | null,
  input: Readonly<Record<string, unknown>>,
  /** What a server says of its tool. */
  says: string | null,
): Read {
  const title = text(call.title) ?? tool ?? t('a tool');
  const server = serverOf(call, tool);
  if (server !== null) return [{ kind: 'mcp', ...server, says }, []];
  const plan = text(input.plan);
  // Without a file of its plan Claude Code gives none: it stands in the conversation then.
  if (call.kind === 'switch_mode' && (plan !== null || tool === 'ExitPlanMode')) {
    return [{ kind: 'plan', plan: plan ?? '', file: text(input.planFilePath) }, ['plan', 'planFilePath']];
  }
  const command = commandIn(input);
  if (command !== null) return [commandSubject(command, tool, input), commandInputs];
  const differences = differencesIn(call);
  if (differences.length > 0) return [changeSubject(tool, differences, input.replace_all === true), changeInputs];
  const path = text(input.file_path) ?? text(input.path) ?? text(input.notebook_path);
  switch (tool) {
    case 'WebFetch':
      if (typeof input.url !== 'string') break;
      return [{ kind: 'page', address: input.url, prompt: text(input.prompt) }, ['url', 'prompt']];
    case 'WebSearch':
      if (typeof input.query !== 'string') break;
      return [{ kind: 'search-web', query: input.query }, ['query']];
    case 'Skill':
      return [{ kind: 'skill', name: text(input.skill) ?? title }, ['skill']];
    case 'Agent':
    case 'Task': {
      const subject = { type: text(input.subagent_type), task: text(input.prompt) ?? text(input.description) ?? title };
      return [{ kind: 'subagent', ...subject }, ['subagent_type', 'prompt']];
    }
  }
  if ((call.kind === 'read' || call.kind === 'search') && path !== null) {
    return [{ kind: 'read', path, lines: linesOf(input) }, ['file_path', 'path', 'offset', 'limit']];
  }
  return [{ kind: 'other', tool: tool ?? title }, []];
}

const commandInputs = ['command', 'description', 'run_in_background', 'timeout', 'dangerouslyDisableSandbox'];
/** Inputs that the difference already shows. */
const changeInputs = [
  ...['file_path', 'content', 'old_string', 'new_string', 'replace_all', 'notebook_path', 'new_source', 'edits'],
];

function commandSubject(
  command: string,
  tool: string | null,
  input: Readonly<Record<string, unknown>>,
): PermissionSubject {
  return {
    kind: 'command',
    command,
    tool: typeof input.command === 'string' ? tool : null,
    description: text(input.description),
    isInBackground: input.run_in_background === true,
    timeLimit: typeof input.timeout === 'number' ? input.timeout : null,
    isUnboxed: input.dangerouslyDisableSandbox === true,
  };
}

/** Some agents send the words of a command one by one. */
function commandIn({ command }: Readonly<Record<string, unknown>>): string | null {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return null;
  return command.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

function changeSubject(
  tool: string | null,
  differences: readonly AskedDifference[],
  isEverywhere: boolean,
): PermissionSubject {
  const path = differences[0]?.path ?? '';
  return { kind: tool === 'Write' ? 'write' : 'edit', path, differences, isEverywhere };
}

function differencesIn(call: Readonly<Record<string, unknown>>): AskedDifference[] {
  return list(call.content).flatMap((one) => {
    const { type, path, oldText, newText } = record(one) ?? {};
    if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return [];
    const before = text(oldText);
    // Where a piece of a file stands in it is not told.
    const firstLine = before === null ? 1 : null;
    return [{ path, source: { kind: 'texts', before, after: newText, firstLine } }];
  });
}

function serverOf(call: Readonly<Record<string, unknown>>, tool: string | null) {
  const [prefix, server, ...rest] = (tool ?? '').split('__');
  if (prefix !== 'mcp' || server === undefined || rest.length === 0) return null;
  const named = text(record(record(record(call._meta)?.claudeCode)?.mcpServer)?.name);
  return { server: named ?? server, tool: rest.join('__') };
}

/** A server's description of its tool; null if it has none. */
function saysOf({ says, hints }: Readonly<Record<string, unknown>>): string | null {
  const described = text(says);
  if (described !== null) return described;
  const { readOnly, destructive, openWorld } = record(hints) ?? {};
  const words = [
    ...(readOnly === true ? [t('It only reads.')] : []),
    ...(destructive === true && readOnly !== true ? [t('It may delete or overwrite.')] : []),
    ...(openWorld === true ? [t('It reaches out of this machine.')] : []),
  ];
  return words.length === 0 ? null : words.join(' ');
}

function linesOf({ offset, limit }: Readonly<Record<string, unknown>>): AskedLines | null {
  if (typeof offset !== 'number' && typeof limit !== 'number') return null;
  const first = typeof offset === 'number' ? offset : 1;
  return { first, last: typeof limit === 'number' ? first + limit - 1 : null };
}

/** `input: {…}` for people, with all of it. */
export function inputText(input: Readonly<Record<string, unknown>>): string {
  return entriesOf(input).length === 0 ? '' : JSON.stringify(input, null, 2);
}

/** Claude Code's own, of a command that names none. */
const usualLimit = 120_000;

/** What a person could overlook in a command, in amber. It is read by its words: one that hides them is not known. */
export function warningsOf({ command, isUnboxed }: Extract<PermissionSubject, { kind: 'command' }>): string[] {
  return [
    ...(isUnboxed ? [t('without the sandbox')] : []),
    ...(becomesRoot.test(command) ? [t('as root')] : []),
    ...(deletes.test(command) ? [t('deletes files')] : []),
    ...(discards.test(command) ? [t('discards changes')] : []),
  ];
}

/** `10 m 00 s`; null if it goes without saying. */
export function timeLimitWords(limit: number | null): string | null {
  return limit === null || limit === usualLimit ? null : duration(limit);
}
