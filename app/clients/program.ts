import type { ClientUse } from '../api/setup.ts';
import type { EnvEntry } from '../claude-code/env-snippet.ts';
import type { Message } from '../language/messages.ts';
import type { Format, Step } from './document.ts';
import type { Machine } from './machine.ts';

/** What a row of the table of programs is made of. */
export interface Program {
  title: string;
  /** Its command, to see whether it is there. */
  command: string;
  /** For a part of another program, which has no command of its own. */
  isThere?(machine: Machine): boolean;
  /** Its command opens a window, whatever it is asked. */
  isWindow?: boolean;
  /** By what Jumpseat is to it; the first one unless another is asked for. */
  uses: Partial<Record<ClientUse, (ClientFile | ClientFiles) & ClientWords>>;
  /** Profiles with models of their own, which stay as they are. */
  profiles?(machine: Machine): string[];
  /** The file of an organization that wins over the person's; null: none is known. */
  managedBy?(machine: Machine): string | null;
}

export interface ClientFile {
  path(machine: Machine): string;
  format: Format;
  entries(given: Given): Entry[];
  /** Nothing but Jumpseat's is in it: undo removes it whole, and one that somebody else wrote is never changed. */
  isOwnFile?: true;
}

/** Several files of one use: all are written, or none. The first one is named in lists. */
interface ClientFiles {
  files: readonly [ClientFile, ...ClientFile[]];
}

interface ClientWords {
  /** The person's next step in the program. */
  next?: Message;
  /** What undo can't take back. */
  afterUndo?: Message;
}

export interface Given {
  door: Door;
  /** Those of the account that can be asked for. */
  models: readonly ClientModel[];
  /** How this Jumpseat is started, word by word. */
  command: readonly string[];
  machine: Machine;
}

/** What Jumpseat writes, and takes out again. */
export interface Entry {
  at: readonly Step[];
  value: unknown;
  /** Left alone where something stands there. */
  isDefault?: boolean;
  /**
   * Without it the program doesn't reach Jumpseat, though neither its place nor an address shows that. `name`: nobody
   * else writes this value.
   */
  leads?: 'name' | 'choice';
}

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
