import { claudeCodeEnvironment, type EnvEntry } from '../app/claude-code/env.ts';
import { renderEnvironment, type Shell, shellOf } from '../app/claude-code/render-env.ts';
import { environmentModels } from '../app/exchange/model/claude-code-names.ts';
import { openaiEnvironment } from '../app/openai-clients/environment.ts';
import { catalogModel } from '../app/through-vscode/catalog-model.ts';
import type { LmModel } from './lm-model.ts';
import { addressOf } from './status.ts';

/** Behind the key: who asks, as the log names it. */
const labels = { claude: 'claude-code', openai: 'openai' } as const;

export interface Where {
  port: number;
  key: string;
  models: readonly LmModel[];
}

/** For Claude Code, and for what reads OpenAI's variables. */
export function environmentFor(client: keyof typeof labels, { port, key, models }: Where): EnvEntry[] {
  const baseUrl = addressOf(port);
  const label = labels[client];
  if (client === 'openai') return openaiEnvironment({ baseUrl, key, label });
  return claudeCodeEnvironment({ baseUrl, key, label, models: environmentModels(models.map(catalogModel)) });
}

/** What a person may copy. */
export interface Copyable {
  label: string;
  detail: string;
  text: string;
}

export function copyables(
  where: Where,
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): Copyable[] {
  const shell = shellOf(env, platform);
  const lines = (client: keyof typeof labels, as: Shell): string =>
    renderEnvironment(environmentFor(client, where), as);
  return [
    { label: 'Claude Code', detail: `Lines for ${shell}`, text: lines('claude', shell) },
    { label: 'Claude Code, settings.json', detail: 'For .claude/settings.json', text: lines('claude', 'json') },
    { label: 'OpenAI clients', detail: `Lines for ${shell}`, text: lines('openai', shell) },
  ];
}
