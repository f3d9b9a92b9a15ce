import {
  claudeCodeEnvironment,
  type EnvEntry,
  renderEnvironment,
  type Shell,
  shellOf,
} from '../app/claude-code/env-snippet.ts';
import { codexConfig, codexEnvironment } from '../app/clients/codex.ts';
import { openaiEnvironment } from '../app/clients/program.ts';
import { environmentModels } from '../app/exchange/model/claude-code-names.ts';
import { catalogModel } from '../app/through-vscode/catalog-model.ts';
import type { LmModel } from './models.ts';
import { addressOf } from './status.ts';

/** Behind the key: who asks, as the log names it. */
const labels = { claude: 'claude-code', openai: 'openai', codex: 'codex' } as const;

interface Where {
  port: number;
  key: string;
  models: readonly LmModel[];
}

/** For Claude Code, for what reads OpenAI's variables, and for Codex, which reads only the key there. */
export function environmentFor(client: keyof typeof labels, { port, key, models }: Where): EnvEntry[] {
  const baseUrl = addressOf(port);
  const label = labels[client];
  if (client === 'openai') return openaiEnvironment({ baseUrl, key, label });
  if (client === 'codex') return codexEnvironment({ baseUrl, key, label });
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
    {
      label: 'Codex, config.toml',
      detail: 'For ~/.codex/config.toml; needs the key, too',
      text: configForCodex(where),
    },
    { label: 'Codex, key', detail: `Lines for ${shell}`, text: lines('codex', shell) },
    { label: 'OpenAI clients', detail: `Lines for ${shell}`, text: lines('openai', shell) },
  ];
}

/** Every model of VS Code's has Responses here. Codex is made for OpenAI's. */
function configForCodex({ port, models }: Where): string {
  const all = models.map((model) => ({ ...catalogModel(model), endpoints: ['/responses'] }));
  const openai = all.filter(({ vendor }) => vendor === 'OpenAI');
  return codexConfig({ baseUrl: addressOf(port) }, openai.length > 0 ? openai : all);
}
