import type { AnswersTo, App } from '../api/app.ts';
import type { lineCalls } from '../api/calls/setup.ts';
import { isPlaceLines, type LinesFor, type PlaceLines } from '../api/setup.ts';
import { type EnvEntry, renderEnvironment, type Shell } from '../claude-code/env-snippet.ts';
import { t } from '../language/translate.ts';
import { type ClientModel, type Door, formValues, openaiEnvironment } from './client-model.ts';
import { codexConfig, codexEnvironment } from './codex.ts';
import { editorCommand, jetbrainsAgent, vscodeModels, zedAgent, zedEnvironment, zedProvider } from './editors.ts';
import { claudeCodeMcp, codexMcp, zedMcp } from './mcp.ts';
import { type OwnPlaces, placeLines, placeNotes } from './places.ts';

type OpenaiLines = Exclude<LinesFor, 'claude-code' | PlaceLines>;

/** The client's name in the log, unless a person gives another. */
const openaiLabels: Readonly<Record<OpenaiLines, string>> = {
  openai: 'openai',
  codex: 'codex',
  'codex-config': 'codex',
  vscode: 'vscode',
  zed: 'zed',
  'zed-key': 'zed',
  form: 'other',
  mcp: 'claude-code',
  'mcp-codex': 'codex',
  'mcp-zed': 'zed',
  acp: 'acp',
  'acp-zed': 'acp',
  'acp-jetbrains': 'acp',
};

/** The lines name models, and none are known. */
export class NoModelsError extends Error {
  override readonly name = 'NoModelsError';
  readonly remedy = t('Sign in, or wait until Copilot can be reached, then copy again.');
  constructor() {
    super(t('The models of this account are not known now.'));
  }
}

/** For people to look at. */
export function withoutKey(lines: string, key: string): string {
  return lines.replaceAll(key, '••••••••');
}

/**
 * What a person pastes for a client of OpenAI's APIs, or of the MCP server. `models`: those of the account that can be
 * asked for; empty while they are not known. Throws `NoModelsError`.
 */
export function openaiLines(
  lines: OpenaiLines,
  given: { door: Door; models: readonly ClientModel[]; shell: Shell; command?: readonly string[] | undefined },
): string {
  const { door, models, shell, command = ['jumpseat'] } = given;
  switch (lines) {
    case 'openai':
      return rendered(openaiEnvironment(door), shell);
    case 'codex':
      return rendered(codexEnvironment(door), shell);
    case 'codex-config':
      return codexConfig(door, models);
    case 'vscode':
      if (models.length === 0) throw new NoModelsError();
      return vscodeModels(door, models);
    case 'zed':
      if (models.length === 0) throw new NoModelsError();
      return zedProvider(door, models);
    case 'zed-key':
      return rendered(zedEnvironment(door), shell);
    case 'form':
      return formValues(door);
    case 'mcp':
      return claudeCodeMcp(door, shell);
    case 'mcp-codex':
      return codexMcp(door);
    case 'mcp-zed':
      return zedMcp(door);
    case 'acp':
      return editorCommand(command);
    case 'acp-zed':
      return zedAgent(command);
    case 'acp-jetbrains':
      return jetbrainsAgent(command);
  }
}

/** As JSON only the variables, because Claude Code has its own `env` around them. */
function rendered(entries: Parameters<typeof renderEnvironment>[0], shell: Shell): string {
  if (shell !== 'json') return renderEnvironment(entries, shell);
  return `${JSON.stringify(Object.fromEntries(entries.map(({ name, value }) => [name, value])), null, 2)}\n`;
}

interface LineAnswersDependencies {
  /** Where clients find the proxy, or would. */
  baseUrl(): Promise<string>;
  key(): Promise<string>;
  /** Models that a client can be sent to; none if they can't be read. */
  models(): Promise<ClientModel[]>;
  /** The lines for Claude Code under this label, and sentences about them. */
  claudeCode(label: string): Promise<{ variables: Record<string, string>; notes: string[] }>;
  places(): OwnPlaces;
  /** How this Jumpseat is started, word by word; `jumpseat` unless given. */
  command: readonly string[] | undefined;
  /** Whether the key works after the end of this process as well. */
  isKeyKept(): boolean;
  /** Lines for Claude Code were handed out, which a change of models makes old. */
  copied(): Promise<void>;
}

export function lineAnswers(dependencies: LineAnswersDependencies): AnswersTo<typeof lineCalls> {
  const { baseUrl, key, models, claudeCode, command, isKeyKept, copied, places } = dependencies;
  const lines: App['lines'] = async (shell, what, client) => {
    if (what === 'claude-code') {
      const { variables } = await claudeCode(client ?? 'claude-code');
      // The lines are good without the note.
      await copied().catch(() => undefined);
      return renderEnvironment(entriesOf(variables), shell);
    }
    if (isPlaceLines(what)) return placeLines(what, (await claudeCode(client ?? what)).variables, places());
    const offered = await models();
    const door = { baseUrl: await baseUrl(), key: await key(), label: client ?? openaiLabels[what] };
    return openaiLines(what, { door, models: offered, shell, command });
  };
  return {
    lines,
    shownLines: async (shell, what) => withoutKey(await lines(shell, what), await key()),
    printedLines: async (shell, what, client) => {
      if (what !== 'claude-code') {
        const notes = isPlaceLines(what) ? placeNotes(what, places()) : [];
        return { text: await lines(shell, what, client ?? undefined), notes, isKeyKept: isKeyKept() };
      }
      const { variables, notes } = await claudeCode(client ?? 'claude-code');
      const text = renderEnvironment(entriesOf(variables), shell, notes);
      // JSON has no comments.
      return { text, notes: shell === 'json' ? notes : [], isKeyKept: isKeyKept() };
    },
  };
}

function entriesOf(variables: Record<string, string>): EnvEntry[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}
