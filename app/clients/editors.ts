import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { asShellCommand } from '../api/shell.ts';
import type { EnvEntry } from '../claude-code/env-snippet.ts';
import { type ClientModel, type Door, labelledKey, openaiBaseUrl } from './client-model.ts';
import { inFolder, type Machine, vscodeUser } from './machine.ts';

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
