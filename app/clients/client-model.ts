import type { EnvEntry } from '../claude-code/env-snippet.ts';

/**
 * What the lines for a client need of a model; the catalog's own entries have all of it. Limits are in tokens.
 */
export interface ClientModel {
  id: string;
  name: string;
  preview: boolean;
  /** Endpoints at Copilot. */
  endpoints: readonly string[];
  limits: { promptTokens: number | null; outputTokens: number | null };
  supports: { vision: boolean; efforts: readonly string[]; maxThinkingBudget: number | null };
}

/** GitHub's choice for each conversation: nothing is known of it, except that every path reaches it. */
export const autoClientModel: ClientModel = {
  id: 'auto',
  name: 'Auto',
  preview: false,
  endpoints: ['/chat/completions', '/responses'],
  limits: { promptTokens: null, outputTokens: null },
  supports: { vision: false, efforts: [], maxThinkingBudget: null },
};

/** Where a client finds the proxy, and the key that it shows. */
export interface Door {
  /** `http://127.0.0.1:4180` */
  baseUrl: string;
  /** The local key without its label. */
  key: string;
  /** The client's name in the log. */
  label: string;
}

export function labelledKey({ key, label }: Door): string {
  return `${key}.${label}`;
}

/** OpenAI's base address ends with the version of its API. */
export function openaiBaseUrl({ baseUrl }: Pick<Door, 'baseUrl'>): string {
  return `${baseUrl}/v1`;
}

/** The two variables that OpenAI's SDKs, and most programs built on them, read by themselves. */
export function openaiEnvironment(door: Door): EnvEntry[] {
  return [
    { name: 'OPENAI_BASE_URL', value: openaiBaseUrl(door) },
    { name: 'OPENAI_API_KEY', value: labelledKey(door) },
  ];
}

/** For a program that asks for them in a form. */
export function formValues(door: Door): string {
  const rows = [
    `Anthropic’s API: ${door.baseUrl}`,
    `OpenAI’s API: ${openaiBaseUrl(door)}`,
    `Key: ${labelledKey(door)}`,
  ];
  return `${rows.join('\n')}\n`;
}

/** For a program that takes one: the newest Sonnet, or what comes first. */
export function firstChoice(models: readonly ClientModel[]): ClientModel {
  const version = ({ id }: ClientModel): number => Number(/\d+(?:\.\d+)?/.exec(id)?.[0] ?? 0);
  const sonnets = models.filter(({ id }) => id.startsWith('claude-sonnet-'));
  const [first] = [...sonnets.toSorted((one, other) => version(other) - version(one)), ...models];
  if (first === undefined) throw new Error('No models are known.');
  return first;
}
