import type { JsonObject } from '../formats/json.ts';
import type { Plan } from './plan.ts';

/** A plan whose answer a client of OpenAI's understands. */
export interface OpenaiPlan extends Plan {
  /** Puts the client's events together, for one who did not ask for a stream. */
  collector(): Collector;
}

export interface Collector {
  push(bytes: Buffer): void;
  /** Null: the events make no whole answer. */
  answer(): JsonObject | null;
}
