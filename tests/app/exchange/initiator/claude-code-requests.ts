import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientApi } from '../../../../app/api/exchange.ts';
import { decideInitiator } from '../../../../app/exchange/initiator/decide.ts';
import type { LedgerEnding } from '../../../../app/exchange/initiator/memory.ts';
import { type LedgerStore, PromptMemory } from '../../../../app/exchange/initiator/memory.ts';
import { type PromptReading, readPrompt } from '../../../../app/exchange/initiator/reading.ts';
import type { Verdict } from '../../../../app/exchange/initiator/verdict.ts';

/** Requests as Claude Code 2.1.328 makes them, and a ledger as the exchange keeps it. */

export const salt = Buffer.from('an installation of its own');
export const session = 'd26f2bc4-fb0d-459f-9b83-fc913dde2b60';
export const a = '1ec2400c-c5f0-4043-afec-714c91178ac1';
export const b = '88087040-6cb6-4bd6-a79e-3945c22d6912';

export interface Request {
  api: ClientApi;
  headers: IncomingHttpHeaders;
  body: unknown;
}

interface Sample {
  method: string;
  path: string;
  headers: [string, string][];
  body: Record<string, unknown> | null;
}

export function sample(name: string): Request {
  const file = new URL(`../../../samples/claude-code-2.1.328-${name}.request.json`, import.meta.url);
  const { path, headers, body }: Sample = JSON.parse(readFileSync(file, 'utf8'));
  const lower = headers.map(([key, value]) => [key.toLowerCase(), value]);
  return { api: path.includes('count_tokens') ? 'count-tokens' : 'messages', headers: Object.fromEntries(lower), body };
}

const realTurn = sample('main-user-turn.sonnet-4.6').body as Record<string, unknown>;

export const R = (text: string) => ({ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` });
export const T = (text: string) => ({ type: 'text', text });
export const TR = (content: unknown, fields: object = {}) => ({
  type: 'tool_result',
  tool_use_id: 'toolu_01A18',
  content,
  is_error: false,
  ...fields,
});
export const user = (...content: unknown[]) => ({ role: 'user', content });
export const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
export const bash = { type: 'tool_use', id: 'toolu_01A18', name: 'Bash', input: { command: 'echo hi' } };
export const toolTurn = assistant(T('ok'), bash);
export const image = {
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  },
};
export const environment = R('# Environment\nYou have been invoked in the following environment:\n - Platform: linux');
export const date = R("Today's date is 2026-11-20.");
export const interjected = 'The user sent a new message while you were working:\n';

/** Header names without their prefix; null leaves one out. */
export interface Hints {
  class?: string | null;
  firstParty?: string | null;
  prompt?: string | null;
  more?: IncomingHttpHeaders;
}

export function claudeCode(hints: Hints, messages: unknown[], fields: object = {}): Request {
  const { class: requestClass = 'main', firstParty = 'main', prompt = null, more = {} } = hints;
  const headers: IncomingHttpHeaders = {
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
    'x-app': 'cli',
    'x-claude-code-session-id': session,
    ...(requestClass === null ? {} : { 'x-claude-code-request-class': requestClass }),
    ...(firstParty === null ? {} : { 'x-claude-1p-request-class': firstParty }),
    ...(prompt === null ? {} : { 'x-claude-code-prompt-id': prompt }),
    ...more,
  };
  return { api: 'messages', headers, body: { ...realTurn, messages, ...fields } };
}

/** `CLAUDE_CODE_GATEWAY_HINT_HEADERS` is not set. */
export const hintsOff: Hints = { class: null, firstParty: null };

export function plain(api: ClientApi, body: unknown, headers: IncomingHttpHeaders = {}): Request {
  return { api, headers: { 'user-agent': 'curl/8.5.0', ...headers }, body };
}

export type Outcome = LedgerEnding | { refused: number | null };

/** The ledger's table, in memory. */
class MemoryLedger implements LedgerStore {
  readonly #accepted = new Map<string, LedgerEnding>();
  readonly #refused = new Map<string, { count: number; lastStatus: number | null }>();

  accept(key: string): void {
    this.#accepted.set(key, 'running');
  }

  settle(key: string, ending: LedgerEnding): void {
    if (this.#accepted.has(key)) this.#accepted.set(key, ending);
  }

  refuse(key: string, lastStatus: number | null): void {
    this.#refused.set(key, { count: this.refusals(key).count + 1, lastStatus });
  }

  note(key: string, ending: LedgerEnding): void {
    this.#accepted.set(key, ending);
  }

  accepted(key: string): { ending: LedgerEnding } | null {
    const ending = this.#accepted.get(key);
    return ending === undefined ? null : { ending };
  }

  refusals(key: string): { count: number; lastStatus: number | null } {
    return this.#refused.get(key) ?? { count: 0, lastStatus: null };
  }
}

/** A conversation whose session, and whose prompt where it has an id, have been there with their labels before. */
export function afterMain({ headers }: Request, outcome: Outcome = 'whole'): Conversation {
  const conversation = new Conversation();
  const prompt = headers['x-claude-code-prompt-id'];
  const more = { 'x-claude-code-session-id': headers['x-claude-code-session-id'] };
  conversation.send(
    claudeCode({ prompt: typeof prompt === 'string' ? prompt : b, more }, [user(T('before'))]),
    outcome,
  );
  return conversation;
}

/** Requests one after the other, remembered as the exchange remembers them. */
export class Conversation {
  readonly memory = new PromptMemory(new MemoryLedger(), () => []);

  read(request: Request): PromptReading {
    return readPrompt({ ...request, salt });
  }

  decide(request: Request): Verdict {
    return decideInitiator(this.read(request), this.memory);
  }

  /** One attempt with its end. `called`: the tools that its answer calls. */
  send(request: Request, outcome: Outcome = 'whole', called: readonly string[] = []): Verdict {
    const reading = this.read(request);
    const verdict = decideInitiator(reading, this.memory);
    this.memory.seen(reading);
    const accepted = typeof outcome === 'string';
    if (accepted) this.memory.accept(reading, verdict, 'exchange');
    this.memory.end({
      reading,
      verdict,
      facts: { blocks: called.map((name) => ({ name })) },
      accepted,
      ending: accepted ? outcome : 'whole',
      status: accepted ? null : outcome.refused,
    });
    return verdict;
  }
}
