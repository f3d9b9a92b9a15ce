import type { AnswersTo, App } from '../api/app.ts';
import type { lineCalls } from '../api/calls/lines.ts';
import { renderEnvironment } from '../claude-code/render-env.ts';
import type { ClientModel } from './client-model.ts';
import { openaiLabels, openaiLines, withoutKey } from './lines.ts';

export interface LineAnswersDependencies {
  /** Where clients find the proxy, or would. */
  baseUrl(): Promise<string>;
  key(): Promise<string>;
  /** Those that a client can be sent to; none where they can't be had. */
  models(): Promise<ClientModel[]>;
  /** The lines for Claude Code under this label. */
  claudeCode(label: string): Promise<Record<string, string>>;
  /** Lines for Claude Code were handed out, which a change of models makes old. */
  copied(): Promise<void>;
}

export function lineAnswers(dependencies: LineAnswersDependencies): AnswersTo<typeof lineCalls> {
  const { baseUrl, key, models, claudeCode, copied } = dependencies;
  const lines: App['lines'] = async (shell, what, client) => {
    if (what === 'claude-code') {
      const variables = Object.entries(await claudeCode(client ?? 'claude-code'));
      // The lines are good without the note.
      await copied().catch(() => undefined);
      return renderEnvironment(
        variables.map(([name, value]) => ({ name, value })),
        shell,
      );
    }
    const offered = await models();
    const door = { baseUrl: await baseUrl(), key: await key(), label: client ?? openaiLabels[what] };
    return openaiLines(what, { door, models: offered, shell });
  };
  return { lines, shownLines: async (shell, what) => withoutKey(await lines(shell, what), await key()) };
}
