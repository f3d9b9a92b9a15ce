import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList } from '../json.ts';
import type { Check } from './first-refusal.ts';

/** What Copilot's `/v1/messages` looks at before a model does. */
export interface MessagesCheck extends Check {
  betas: readonly string[];
  purpose: 'message' | 'count';
  acceptsSignature(signature: string): boolean;
}

/** Whether a beta of this family was sent: the family, a dash, a date. */
export function hasBeta(check: MessagesCheck, family: string): boolean {
  return check.betas.some((beta) => beta.startsWith(`${family}-`));
}

/** Messages with their places; anything that is none is left out here and refused by `checkRoles`. */
export function messagesOf(body: JsonObject): JsonObject[] {
  return asList(body.messages).filter(isObject);
}
