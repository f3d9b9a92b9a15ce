import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { asShellCommand } from '../api/shell.ts';
import type { EnvEntry } from '../claude-code/env-snippet.ts';
import { type Message, msg } from '../language/messages.ts';
import { inFolder, inHome, type Machine, vscodeUser } from './machine.ts';
import { type ClientFile, type ClientModel, type Door, firstChoice, labelledKey, openaiBaseUrl } from './program.ts';

/*
 * Command for editors that speak the Agent Client Protocol. It finds the key by itself. `own`: how this Jumpseat is
 * started, word by word.
 */

/** For editors whose plugins take a command. */
export function editorCommand(own: readonly string[]): string {
  return `${asShellCommand([...own, 'acp'])}\n`;
}

/** A part of Zed's settings.json (zed.dev/docs/ai/external-agents). */
export function zedAgent([command, ...args]: readonly string[]): string {
  return rendered({ agent_servers: { Jumpseat: { type: 'custom', command, args: [...args, 'acp'] } } });
}

/** ~/.jetbrains/acp.json (jetbrains.com/help/ai-assistant/acp.html). */
export function jetbrainsAgent([command, ...args]: readonly string[]): string {
  return rendered({ agent_servers: { Jumpseat: { command, args: [...args, 'acp'], env: {} } } });
}

/**
 * A provider for Zed's own agent (zed.dev/docs/ai/use-api-access, "OpenAI-compatible endpoints"). Not the one for
 * Messages: it shows its key as `x-api-key`. Zed takes no key from its settings, and no `Authorization` as a header of
 * the person's.
 */
export function zedModels(door: Door, models: readonly ClientModel[]): object {
  return {
    api_url: openaiBaseUrl(door),
    available_models: models.map(({ id, name, endpoints, limits, supports }) => ({
      ...{ name: id, display_name: `${name} (Jumpseat)` },
      // Zed requires a number.
      max_tokens: limits.promptTokens ?? 128_000,
      ...(limits.outputTokens !== null && { max_output_tokens: limits.outputTokens }),
      capabilities: {
        ...{ tools: true, images: supports.vision, parallel_tool_calls: true, prompt_cache_key: false },
        chat_completions: !hasResponsesAlone(endpoints),
      },
    })),
  };
}

/** The same as a part of Zed's settings.json. */
export function zedProvider(door: Door, models: readonly ClientModel[]): string {
  return rendered({ language_models: { openai_compatible: { Jumpseat: zedModels(door, models) } } });
}

/** The variable that Zed makes of the provider's name, read where Zed is started from a shell. */
export function zedEnvironment(door: Door): EnvEntry[] {
  return [{ name: 'JUMPSEAT_API_KEY', value: labelledKey(door) }];
}

const storageSchema = z.object({ userDataProfiles: z.array(z.object({ name: z.string() })) });

/** The names of profiles besides the default one: each has a folder and a chatLanguageModels.json of its own. */
export function vscodeProfiles(machine: Machine): string[] {
  try {
    const path = inFolder(machine, vscodeUser(machine), 'globalStorage', 'storage.json');
    return storageSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).userDataProfiles.map(({ name }) => name);
  } catch {
    return [];
  }
}

function hasResponsesAlone(endpoints: readonly string[]): boolean {
  return endpoints.includes('/responses') && !endpoints.includes('/chat/completions');
}

function rendered(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * A group for VS Code's `chatLanguageModels.json` (Chat: Manage Language Models, Custom Endpoint; VS Code 1.122 and
 * later): every model under one key. `apiType` holds for the group and is another for models that have Responses alone.
 * Not `messages`: for that VS Code shows its key as `x-api-key`, which the proxy never looks at.
 */
export function vscodeModels(door: Door, models: readonly ClientModel[]): string {
  const group = {
    name: 'Jumpseat',
    vendor: 'customendpoint',
    apiKey: labelledKey(door),
    apiType: 'chat-completions',
    models: models.map((model) => entry(model, openaiBaseUrl(door))),
  };
  return `${JSON.stringify([group], null, 2)}\n`;
}

function entry({ id, name, endpoints, limits, supports }: ClientModel, base: string): object {
  const responses = hasResponsesAlone(endpoints);
  return {
    id,
    name: `${name} (Jumpseat)`,
    url: `${base}/${responses ? 'responses' : 'chat/completions'}`,
    ...(responses ? { apiType: 'responses' } : {}),
    toolCalling: true,
    vision: supports.vision,
    thinking: supports.efforts.length > 0 || supports.maxThinkingBudget !== null,
    ...(limits.promptTokens === null ? {} : { maxInputTokens: limits.promptTokens }),
    ...(limits.outputTokens === null ? {} : { maxOutputTokens: limits.outputTokens }),
  };
}

/*
 * Roo Code keeps its profiles in VS Code's encrypted storage. At each start of VS Code it imports the file that a
 * setting names (RooCodeInc/Roo-Code, src/utils/autoImportSettings.ts): the file's profiles are added to its own and
 * `currentApiConfigName` becomes the one in use (src/core/config/importExport.ts). Nothing imports a removal, so undo
 * can't take the profile out of Roo. Read in its source, and not tried.
 */

const file = (machine: Machine): string => inHome(machine, '.roo', 'jumpseat.json');
const profile = 'Jumpseat';

const imported: ClientFile = {
  path: file,
  format: 'json',
  isOwnFile: true,
  entries: ({ door, models }) => [
    { at: ['providerProfiles', 'currentApiConfigName'], value: profile },
    {
      at: ['providerProfiles', 'apiConfigs', profile],
      value: {
        ...{ apiProvider: 'openai', openAiBaseUrl: openaiBaseUrl(door), openAiApiKey: labelledKey(door) },
        openAiModelId: firstChoice(models).id,
      },
    },
    { at: ['globalSettings'], value: {} },
  ],
};

const setting: ClientFile = {
  path: (machine) => inFolder(machine, vscodeUser(machine), 'settings.json'),
  format: 'json',
  entries: ({ machine }) => [{ at: ['roo-cline.autoImportSettingsPath'], value: file(machine), leads: 'name' }],
};

/** VS Code's folder of extensions has it. */
export function hasRoo(machine: Machine): boolean {
  try {
    const names = readdirSync(inHome(machine, '.vscode', 'extensions'));
    return names.some((name) => name.toLowerCase().startsWith('rooveterinaryinc.roo-cline-'));
  } catch {
    return false;
  }
}

export const rooModels = {
  files: [imported, setting],
  next: msg(
    'Start VS Code again. Roo Code then imports the profile Jumpseat and uses it, at each start. It copies it into its own storage, where undo can’t reach: delete the profile there yourself after an undo.',
  ),
  afterUndo: msg(
    'Roo Code keeps the profile Jumpseat, with your local key, in its own storage. Choose another profile in Roo Code’s settings (Providers), and delete this one.',
  ),
} satisfies { files: readonly [ClientFile, ...ClientFile[]]; next: Message; afterUndo: Message };
