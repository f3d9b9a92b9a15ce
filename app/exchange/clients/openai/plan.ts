import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CopilotFailure } from '../../../copilot/failures.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import type { OpenAiError } from '../../../formats/openai/error.ts';
import type { JsonObject } from '../../../formats/wire/json.ts';
import type { Learned } from '../../lessons/learned.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import type { Plan } from '../../plan.ts';

/** A plan whose answer a client of OpenAI's understands. */
export interface OpenaiPlan extends Plan {
  /** Puts the client's events together, for one who did not ask for a stream. */
  collector(): Collector;
  /** The last events of a stream that failed. Absent: the API's own form says enough. */
  failure?(error: OpenAiError): string;
  /** Where a refusal can teach something. */
  recover?: {
    read(failure: CopilotFailure): Lesson | null;
    refit(lessons: readonly Lesson[]): OpenaiPlan | null;
  };
}

/** What a plan has to know besides the request and the model. */
export interface OpenaiContext {
  streamed: boolean;
  /** Our own id of this request. */
  id: string;
  /** Ms since the epoch. */
  now: number;
  learned(model: CatalogModel, path: ChatPath, lessons: readonly Lesson[]): Learned | null;
}

export interface Collector {
  push(bytes: Buffer): void;
  /** Null: the events make no whole answer. */
  answer(): JsonObject | null;
}
