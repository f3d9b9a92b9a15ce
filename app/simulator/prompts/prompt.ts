import type { JsonObject } from '../../formats/wire/json.ts';
import type { GivenPage, HostedSearch, Searched } from './web.ts';

/** How the model says that a step needs a tool it was not offered. */
export const notOffered = 'I was not offered';

/** A request as the simulated model understands it, whatever its wire format. */
export interface Prompt {
  model: string;
  system: string;
  /** The newest words of the person, without reminders of the client. */
  words: string;
  /** Reminders of the newest user turn, for those turns that hold nothing else. */
  reminders: string;
  /** Texts of the newest user turn's tool results. */
  results: string[];
  /**
   * The words that began the turn, how many answers followed them, and whether the newest looked for a tool; absent:
   * this is the first.
   */
  turn?: { words: string; answers: number; hasLooked: boolean } | null;
  tools: OfferedTool[];
  toolChoice: { kind: 'auto' | 'any' | 'none' } | { kind: 'tool'; name: string };
  parallel: boolean;
  maxTokens: number | null;
  /** Thinking is switched on. */
  thinks: boolean;
  stopSequences: string[];
  /** The answer has to be JSON of this schema. */
  schema: JsonObject | null;
  /** Pages in the newest results, which the model may cite. */
  pages?: GivenPage[];
  /** The service itself can search the web for it. */
  hostedSearch?: HostedSearch | null;
}

export interface OfferedTool {
  name: string;
  schema: JsonObject;
}

export type Thought =
  | { kind: 'thinking'; text: string }
  | { kind: 'text'; text: string; searched?: Searched; cited?: GivenPage }
  | { kind: 'call'; name: string; input: unknown };

export interface Answer {
  thoughts: Thought[];
  stop: 'end' | 'calls' | 'length' | 'sequence';
  /** The sequence that ended it. */
  sequence: string | null;
}
