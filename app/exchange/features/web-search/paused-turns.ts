import { hash } from 'node:crypto';
import type { Exchange } from '../../../api/exchange.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { msg } from '../../../language/messages.ts';
import type { Joining, Part } from '../../feature.ts';
import { isSearchTool } from './tool.ts';

const mostKept = 1000;

/** The client sends back an answer that was paused for its searches: nothing of a person's came in between. */
const afterPause = {
  code: 'continuation',
  rule: 'paused-turn',
  sentence: msg('went on after a pause in its searches'),
} as const;

/**
 * Turns that were ended with `pause_turn`, which a client goes on with by sending the answer back: Copilot has counted
 * their prompts already. Known by a hash of all that was asked, and by the last search, whose id came with the answer;
 * each is believed once. In this process alone.
 */
export class PausedTurns {
  readonly #paused = new Set<string>();
  /** What is asked, of requests whose model may search. */
  readonly #asked = new WeakMap<Exchange, string>();

  /** Claude Code's searches are requests of their own, so its answers are never paused. */
  join({ row, request, reading }: Joining): Part | null {
    if (row.api !== 'messages' || reading.isClaudeCode) return null;
    const asked = searchingTurn(row.client, request);
    if (asked !== null) this.#asked.set(row, asked);
    const resumed = resumedTurn(row.client, request);
    if (resumed === null || !this.#take(resumed)) return null;
    return {
      continues: afterPause,
      end: ({ accepted }) => {
        // Copilot did not take it: it is asked again.
        if (!accepted) this.#add(resumed.turn, resumed.search);
      },
    };
  }

  /** The answer to this request ends with `pause_turn`, behind this search. */
  paused(row: Exchange, search: string): void {
    const asked = this.#asked.get(row);
    if (asked !== undefined) this.#add(asked, search);
  }

  #add(turn: string, search: string): void {
    this.#paused.add(keyOf(turn, search));
    if (this.#paused.size <= mostKept) return;
    const oldest = this.#paused.keys().next();
    if (!oldest.done) this.#paused.delete(oldest.value);
  }

  #take({ turn, search }: { turn: string; search: string }): boolean {
    return this.#paused.delete(keyOf(turn, search));
  }
}

function keyOf(turn: string, search: string): string {
  return `${turn} ${search}`;
}

/** What is asked, where the model may search on its way; null if it may not. @param client the label of who asks */
function searchingTurn(client: string, body: unknown): string | null {
  if (!isObject(body) || !Array.isArray(body.tools) || !body.tools.some(isSearchTool)) return null;
  return Array.isArray(body.messages) ? turnOf(client, body, body.messages) : null;
}

/** The turn that this continues, if its last words are a search's: nothing else follows the answer. */
function resumedTurn(client: string, body: unknown): { turn: string; search: string } | null {
  if (!isObject(body) || !Array.isArray(body.messages)) return null;
  const last: unknown = body.messages.at(-1);
  if (!isObject(last) || last.role !== 'assistant' || !Array.isArray(last.content)) return null;
  const block: unknown = last.content.at(-1);
  if (!isObject(block) || block.type !== 'web_search_tool_result' || typeof block.tool_use_id !== 'string') return null;
  return { turn: turnOf(client, body, body.messages.slice(0, -1)), search: block.tool_use_id };
}

function turnOf(client: string, { system = null }: JsonObject, messages: readonly unknown[]): string {
  return hash('sha256', JSON.stringify([client, system, messages]));
}
