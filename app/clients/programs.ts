import type { ClientName, ClientUse } from '../api/setup.ts';
import { msg } from '../language/messages.ts';
import { claudeDesktopModels, claudeDesktopPolicy, claudeDesktopServers } from './claude-desktop.ts';
import { codexPolicy, codexProfiles, newestForCodex } from './codex.ts';
import { hasRoo, jetbrainsAgent, rooModels, vscodeModels, vscodeProfiles, zedAgent, zedModels } from './editors.ts';
import {
  codexFolder,
  crushFile,
  gooseFolder,
  inFolder,
  inHome,
  opencodeFile,
  vscodeUser,
  zedSettings,
} from './machine.ts';
import {
  authorization,
  clineServers,
  continueServers,
  crushServers,
  gooseServers,
  mcpAddress,
  rooServers,
  vscodeServers,
  zedMcp,
} from './mcp.ts';
import { type ClientFile, type Entry, firstChoice, labelledKey, openaiBaseUrl, type Program } from './program.ts';

/** One row for each program. A row with another file, format or field is all that one more program takes. */
export const programs: Readonly<Record<ClientName, Program>> = {
  // developers.openai.com/codex/config-reference, and the pinned Codex. The key stands in the file, so that no shell
  // has to set it.
  codex: {
    title: 'Codex',
    command: 'codex',
    uses: {
      models: {
        path: (machine) => inFolder(machine, codexFolder(machine), 'config.toml'),
        format: 'toml',
        entries: ({ door, models }) => {
          const model = newestForCodex(models);
          return [
            ...(model === null ? [] : [{ at: ['model'], value: model.id }]),
            ...(model?.limits.promptTokens ? [{ at: ['model_context_window'], value: model.limits.promptTokens }] : []),
            { at: ['model_provider'], value: 'jumpseat' },
            {
              at: ['model_providers', 'jumpseat'],
              value: {
                name: 'Jumpseat',
                base_url: openaiBaseUrl(door),
                experimental_bearer_token: labelledKey(door),
                wire_api: 'responses',
              },
            },
          ];
        },
      },
      mcp: {
        path: (machine) => inFolder(machine, codexFolder(machine), 'config.toml'),
        format: 'toml',
        entries: ({ door }) => [
          { at: ['mcp_servers', 'jumpseat'], value: { url: mcpAddress(door), http_headers: authorization(door) } },
        ],
      },
    },
    profiles: codexProfiles,
    managedBy: codexPolicy,
  },
  // opencode.ai/docs/providers, and the pinned opencode. Its provider for Messages shows `authToken` as a bearer.
  opencode: {
    title: 'opencode',
    command: 'opencode',
    uses: {
      models: {
        path: opencodeFile,
        format: 'json',
        entries: ({ door, models }) => [
          { at: ['model'], value: `jumpseat/${firstChoice(models).id}`, isDefault: true },
          {
            at: ['provider', 'jumpseat'],
            value: {
              npm: '@ai-sdk/anthropic',
              name: 'Jumpseat',
              options: { baseURL: openaiBaseUrl(door), authToken: labelledKey(door) },
              models: Object.fromEntries(
                models.map(({ id, name, limits: { promptTokens, outputTokens } }) => [
                  id,
                  {
                    name,
                    ...(promptTokens !== null &&
                      outputTokens !== null && { limit: { context: promptTokens, output: outputTokens } }),
                  },
                ]),
              ),
            },
          },
        ],
        next: msg('Choose a model of Jumpseat’s with /models in opencode, or with "opencode run -m jumpseat/…".'),
      },
      mcp: {
        path: opencodeFile,
        format: 'json',
        entries: ({ door }) => [
          {
            at: ['mcp', 'jumpseat'],
            value: { type: 'remote', url: mcpAddress(door), enabled: true, headers: authorization(door) },
          },
        ],
      },
    },
  },
  // docs.continue.dev/reference, and the pinned command of Continue.
  continue: {
    title: 'Continue',
    command: 'cn',
    uses: {
      models: {
        path: (machine) => inHome(machine, '.continue', 'config.yaml'),
        format: 'yaml',
        entries: ({ door, models }) => [
          ...Object.entries({ name: 'Local config', version: '1.0.0', schema: 'v1' }).map(([name, value]) => ({
            ...{ at: [name], value, isDefault: true },
          })),
          ...models.map(({ id, name }) => {
            const found = { model: id, apiBase: openaiBaseUrl(door) };
            return {
              at: ['models', found],
              value: {
                ...{ name: `${name} (Jumpseat)`, provider: 'openai', ...found },
                ...{ apiKey: labelledKey(door), roles: ['chat', 'edit', 'apply'] },
              },
            };
          }),
        ],
      },
      mcp: continueServers,
    },
  },
  // As `cline auth` of the pinned Cline writes it. Cline has one provider of this kind: the person's own comes back.
  cline: {
    title: 'Cline',
    command: 'cline',
    uses: {
      models: {
        path: (machine) => inHome(machine, '.cline', 'data', 'settings', 'providers.json'),
        format: 'json',
        entries: ({ door, models }) => [
          { at: ['version'], value: 1, isDefault: true },
          { at: ['lastUsedProvider'], value: 'openai-compatible' },
          { at: ['modes'], value: {}, isDefault: true },
          {
            at: ['providers', 'openai-compatible', 'settings'],
            value: {
              provider: 'openai-compatible',
              ...{ apiKey: labelledKey(door), model: firstChoice(models).id, baseUrl: openaiBaseUrl(door) },
            },
          },
          // Without these two Cline drops the whole file.
          { at: ['providers', 'openai-compatible', 'updatedAt'], value: '2026-01-01T00:00:00.000Z', isDefault: true },
          { at: ['providers', 'openai-compatible', 'tokenSource'], value: 'manual', isDefault: true },
        ],
      },
      mcp: clineServers,
    },
  },
  // aider.chat/docs/config/aider_conf.html, aider.chat/docs/llms/openai-compat.html
  aider: {
    title: 'aider',
    command: 'aider',
    uses: {
      models: {
        path: (machine) => inHome(machine, '.aider.conf.yml'),
        format: 'yaml',
        entries: ({ door, models }) => [
          { at: ['model'], value: `openai/${firstChoice(models).id}` },
          { at: ['openai-api-base'], value: openaiBaseUrl(door) },
          { at: ['openai-api-key'], value: labelledKey(door) },
        ],
      },
    },
  },
  // github.com/charmbracelet/crush, README, "Custom Providers"
  crush: {
    title: 'Crush',
    command: 'crush',
    uses: {
      models: {
        path: crushFile,
        format: 'json',
        entries: ({ door, models }) => [
          {
            at: ['providers', 'jumpseat'],
            value: {
              ...{ name: 'Jumpseat', type: 'openai-compat' },
              ...{ base_url: openaiBaseUrl(door), api_key: labelledKey(door) },
              models: models.map(({ id, name, limits, supports }) => ({
                // Without the last one Crush attaches no image.
                ...{ id, name, supports_attachments: supports.vision },
                ...(limits.promptTokens !== null && { context_window: limits.promptTokens }),
                ...(limits.outputTokens !== null && { default_max_tokens: limits.outputTokens }),
              })),
            },
          },
        ],
      },
      mcp: crushServers,
    },
  },
  // github.com/aaif-goose/goose, once block/goose. crates/goose-providers/src/declarative.rs has the fields, and
  // anthropic.rs there sends `headers` and asks for no key without `requires_auth`. The folder is in
  // crates/goose/src/config/paths.rs, and the name is that of the file. Older ones need `api_key_env` and each
  // `context_limit`, and lose every provider of the folder if one of its files can't be read.
  goose: {
    title: 'Goose',
    command: 'goose',
    uses: {
      models: {
        path: (machine) => inFolder(machine, gooseFolder(machine), 'custom_providers', 'jumpseat.json'),
        format: 'json',
        isOwnFile: true,
        entries: ({ door, models }) => {
          const first = firstChoice(models);
          return [
            { at: ['name'], value: 'jumpseat' },
            { at: ['engine'], value: 'anthropic' },
            { at: ['display_name'], value: 'Jumpseat', isDefault: true },
            { at: ['api_key_env'], value: '' },
            { at: ['requires_auth'], value: false },
            { at: ['base_url'], value: door.baseUrl },
            { at: ['headers'], value: authorization(door) },
            // The first one is Goose's default for it. Without a limit, what Goose assumes itself.
            {
              at: ['models'],
              value: [first, ...models.filter((one) => one !== first)].map(({ id, limits }) => ({
                ...{ name: id, context_limit: limits.promptTokens ?? 128_000 },
              })),
            },
            { at: ['dynamic_models'], value: false },
            { at: ['skip_canonical_filtering'], value: true },
          ];
        },
        next: msg(
          'Choose Jumpseat with "goose configure", or start Goose with GOOSE_PROVIDER=jumpseat and a GOOSE_MODEL.',
        ),
      },
      mcp: gooseServers,
    },
  },
  roo: { title: 'Roo Code', command: 'code', isThere: hasRoo, uses: { models: rooModels, mcp: rooServers } },
  // code.visualstudio.com/docs, "Language models", Custom Endpoint
  vscode: {
    title: 'VS Code',
    command: 'code',
    uses: {
      models: {
        path: (machine) => inFolder(machine, vscodeUser(machine), 'chatLanguageModels.json'),
        format: 'json',
        entries: ({ door, models }) =>
          (JSON.parse(vscodeModels(door, models)) as unknown[]).map((value) => ({
            at: [{ vendor: 'customendpoint', name: 'Jumpseat' }],
            value,
          })),
        next: msg('VS Code lists the models at once, in its default profile.'),
      },
      mcp: { ...vscodeServers, next: msg('VS Code asks once whether you trust the server.') },
    },
    profiles: vscodeProfiles,
  },
  // zed.dev/docs/ai/external-agents, zed.dev/docs/ai/use-api-access and zed.dev/docs/ai/mcp
  zed: {
    title: 'Zed',
    command: 'zed',
    uses: {
      agent: {
        path: zedSettings,
        format: 'json',
        entries: ({ command }) => entriesOf(zedAgent(command)),
        next: msg('In Zed’s agent panel, choose Jumpseat for a new thread.'),
      },
      models: {
        path: zedSettings,
        format: 'json',
        entries: ({ door, models }) => [
          { at: ['language_models', 'openai_compatible', 'Jumpseat'], value: zedModels(door, models) },
        ],
        next: msg(
          'Zed keeps the key in the system’s keychain. "jumpseat env --for zed-key" prints it. In Zed run “agent: open settings”, and paste it under LLM Providers, Jumpseat.',
        ),
        afterUndo: msg(
          'If you pasted your local key in Zed, it stays in the system’s keychain until you remove it there.',
        ),
      },
      mcp: { path: zedSettings, format: 'json', entries: ({ door }) => entriesOf(zedMcp(door)) },
    },
  },
  // jetbrains.com/help/ai-assistant/acp.html
  jetbrains: {
    title: 'JetBrains',
    command: 'idea',
    isWindow: true,
    uses: {
      agent: {
        path: (machine) => inHome(machine, '.jetbrains', 'acp.json'),
        format: 'json',
        entries: ({ command }) => entriesOf(jetbrainsAgent(command)),
        next: msg('In AI Assistant, choose Jumpseat as the agent of a new chat.'),
      },
    },
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    command: 'claude-desktop',
    isWindow: true,
    uses: { models: claudeDesktopModels, mcp: claudeDesktopServers },
    managedBy: claudeDesktopPolicy,
  },
};

/** In the order of the table: the first one is meant where none is named. */
export function usesOf(name: ClientName): ClientUse[] {
  return Object.keys(programs[name].uses) as ClientUse[];
}

/** The files of a use; none if the program has no such use. */
export function filesOf(name: ClientName, use: ClientUse): readonly ClientFile[] {
  const row = programs[name].uses[use];
  if (row === undefined) return [];
  return 'files' in row ? row.files : [row];
}

/** What a program calls itself in the log. */
export const labelOf: Readonly<Record<ClientName, string>> = {
  ...{ codex: 'codex', opencode: 'opencode', continue: 'continue', cline: 'cline', aider: 'aider' },
  ...{
    crush: 'crush',
    goose: 'goose',
    roo: 'roo',
    vscode: 'vscode',
    zed: 'zed',
    jetbrains: 'acp',
    'claude-desktop': 'claude-desktop',
  },
};

/** Each first name of the lines that a person pastes, and each second one, is a place of its own. */
function entriesOf(lines: string): Entry[] {
  const value = JSON.parse(lines) as Record<string, Record<string, unknown>>;
  return Object.entries(value).flatMap(([outer, inner]) =>
    Object.entries(inner).map(([name, one]) => ({ at: [outer, name], value: one })),
  );
}
