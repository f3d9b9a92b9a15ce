import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { asList } from '../json.ts';
import { codeRefusal, type Refusal } from '../refusal.ts';

/** What Copilot looks at before a model does, whichever the API. */
export interface Check {
  body: JsonObject;
  model: SimulatedModel;
}

/** One look at a request: what is wrong, or null. */
export type Look<Checked extends Check = Check> = (check: Checked) => Refusal | null;

/** The refusal of the first look that finds something wrong; null if none does. */
export function firstRefusal<Checked extends Check>(looks: readonly Look<Checked>[], check: Checked): Refusal | null {
  for (const look of looks) {
    const refusal = look(check);
    if (refusal !== null) return refusal;
  }
  return null;
}

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

/** Samples: `error-400-model_max_prompt_tokens_exceeded`, `error-400-input-plus-max_tokens-exceed-context`. */
export function checkTokens(prompt: number, answer: number, model: SimulatedModel): Refusal | null {
  if (model.promptTokens !== null && prompt > model.promptTokens) {
    return codeRefusal(
      `prompt token count of ${prompt} exceeds the limit of ${model.promptTokens}`,
      'model_max_prompt_tokens_exceeded',
    );
  }
  if (model.contextTokens === null || prompt + answer <= model.contextTokens) return null;
  return codeRefusal(
    `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${model.contextTokens}, ` +
      `decrease input length or \`max_tokens\` and try again`,
    'invalid_request_body',
  );
}
