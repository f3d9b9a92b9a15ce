import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Exchange, FitNote } from '../api/exchange.ts';
import type { CopilotFailure } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';
import type { UsedAccount } from './dependencies.ts';
import type { PromptReading } from './initiator/reading.ts';
import type { Said, Verdict } from './initiator/verdict.ts';

/**
 * What some requests need and most do not: one folder, or file, in `features/` and one line where the features are
 * listed. The core asks each of them once for a request, runs the parts that it gets at typed places, and knows none.
 */
export interface Feature {
  /** One cheap look at a request that was read and not changed. Null, for nearly every request: it is not needed. */
  join?(asked: Joining): Part | null;
  /** Any request has ended, those of our own included. */
  ended?(ended: Ended): void;
}

/** The request that a feature looks at. */
export interface Joining {
  row: Exchange;
  /** As its client sent it. */
  request: unknown;
  reading: PromptReading;
  used: UsedAccount;
}

/** What one feature does for one request. What it remembers of the request stands in it, and ends with it. */
export interface Part {
  /** Evidence for the initiator: this goes on with a turn that Copilot has counted. */
  readonly continues?: Said | null;
  /** For the row. */
  readonly note?: FitNote;
  /** The model, in place of what its name means; null: the name counts. Rejects with `Stopped`. */
  model?(models: readonly CatalogModel[]): Promise<ChosenModel> | null;
  /** Copilot refused what was sent. */
  refused?(failure: CopilotFailure): void;
  end?(ended: Accepted): void;
}

/** `auto`: GitHub chose it, and lets requests in with this. */
export interface ChosenModel {
  model: CatalogModel;
  auto: AutoSession | null;
  note: FitNote | null;
}

export interface Ended {
  row: Exchange;
  facts: AnswerFacts;
}

/** `accepted`: Copilot took the request. */
export interface Accepted {
  accepted: boolean;
  verdict: Verdict | null;
}
