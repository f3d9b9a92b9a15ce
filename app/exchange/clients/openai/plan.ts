import type { OpenAiError } from '../../../formats/openai/error.ts';
import type { ClientPlan, PlanInputs } from '../client.ts';

/** A plan whose answer a client of OpenAI's understands. */
export type OpenaiPlan = ClientPlan<OpenAiError>;

export type OpenaiContext = Pick<PlanInputs, 'streamed' | 'id' | 'now' | 'search' | 'learned'>;
