import { asShellCommand } from '../api/shell.ts';
import { type ClientModel, type Door, labelledKey, openaiBaseUrl } from './client-model.ts';

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
  const responses = endpoints.includes('/responses') && !endpoints.includes('/chat/completions');
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
