import type { SimulatedModel } from './catalog.ts';
import { asList, isObject, type JsonObject } from './json.ts';
import type { Refusal } from './refusal.ts';

/** What Copilot's `/v1/messages` looks at before a model does. */
export interface MessagesCheck {
  body: JsonObject;
  model: SimulatedModel;
  betas: readonly string[];
  /** `Copilot-Vision-Request: true` was sent. */
  vision: boolean;
  purpose: 'message' | 'count';
  acceptsSignature(signature: string): boolean;
}

/** One look at a request: what is wrong, or null. */
export type Look = (check: MessagesCheck) => Refusal | null;

/** Whether a beta of this family was sent: the family, a dash, a date. */
export function hasBeta(check: MessagesCheck, family: string): boolean {
  return check.betas.some((beta) => beta.startsWith(`${family}-`));
}

/** Messages with their places; anything that is none is left out here and refused by `checkRoles`. */
export function messagesOf(body: JsonObject): JsonObject[] {
  return asList(body.messages).filter(isObject);
}
