import type { LmRequest } from '../app/formats/lm/language-model.ts';

/** A model of VS Code's, and what can be asked of it. `editor-models.ts` makes it of VS Code's own object. */
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
