import type { SimulatedModel } from './catalog.ts';
import type { JsonObject } from './json.ts';
import type { Refusal } from './refusal.ts';

export interface MessagesCheck {
  body: JsonObject;
  model: SimulatedModel;
  betas: readonly string[];
  /** `Copilot-Vision-Request: true` was sent. */
  vision: boolean;
  purpose: 'message' | 'count';
  acceptsSignature(signature: string): boolean;
}

/** The first thing that Copilot's `/v1/messages` would refuse. */
export function checkMessages(_check: MessagesCheck): Refusal | null {
  return null;
}
