import type { LmRequest } from '../app/formats/lm/language-model.ts';

/** The models of VS Code: what one can be asked, and which are offered. */

/** A model of VS Code's, and what can be asked of it. `language-model-api.ts` makes it of VS Code's own object. */
export interface LmModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly version: string;
  readonly maxInputTokens: number;
  /** False where VS Code says so; true also where it says nothing. */
  readonly takesImages: boolean;
  readonly callsTools: boolean;
  /**
   * The parts of the answer, as they come. Waits for the consent of the person where there is none. Aborting ends the
   * request at Copilot, and has to be done as well when the answer was read.
   */
  send(request: LmRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** Tokens as Copilot's extension counts them, on this machine. */
  count(text: string, signal: AbortSignal): Promise<number>;
  /** A request that is cancelled before it begins: VS Code asks for the consent, and nothing is sent. */
  askConsent(): Promise<void>;
}

/**
 * The models that are offered: Copilot's. Not those of other vendors, among which are the models that Jumpseat gives VS
 * Code (a request would go round in a circle), not `auto`, which asks another service first, nor Copilot's own for side
 * tasks, nor one that takes no prompt.
 */
export function offeredModels(models: readonly LmModel[]): LmModel[] {
  const once = new Map<string, LmModel>();
  for (const model of models) if (isOffered(model) && !once.has(model.id)) once.set(model.id, model);
  return [...once.values()];
}

function isOffered({ vendor, id, maxInputTokens }: LmModel): boolean {
  return vendor === 'copilot' && id !== 'auto' && !id.startsWith('copilot-utility') && maxInputTokens > 0;
}
