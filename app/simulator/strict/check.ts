import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { asList, asObject, asText } from '../json.ts';
import { codeRefusal, flatRefusal, type Refusal } from '../refusal.ts';

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

/** What both of OpenAI's APIs at Copilot refuse in the same words. */
export const invalid = (message: string): Refusal => codeRefusal(message, 'invalid_request_body');

/** @param asked the tokens of an answer at most, as the client said it */
export function checkAnswerTokens(asked: number | null, { model }: Check): Refusal | null {
  if (asked === null || model.outputTokens === null || asked <= model.outputTokens) return null;
  return flatRefusal(`The maximum tokens you requested exceeds the model limit of ${model.outputTokens}`);
}

export function checkEffort(asked: unknown, { model }: Check): Refusal | null {
  const effort = asText(asked);
  if (effort === null || model.efforts.includes(effort)) return null;
  return codeRefusal(
    `reasoning_effort "${effort}" is not supported by model ${model.id}; supported values: ` +
      `[${model.efforts.join(' ')}]`,
    'invalid_reasoning_effort',
  );
}

const mostTools = 128;

export function checkToolCount(tools: readonly unknown[]): Refusal | null {
  if (tools.length <= mostTools) return null;
  return invalid(
    `Invalid 'tools': array too long. Expected an array with maximum length ${mostTools}, but got an ` +
      `array with length ${tools.length} instead.`,
  );
}

export function checkFunctionName({ name }: JsonObject, place: string): Refusal | null {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(asText(name) ?? '')) return null;
  return invalid(
    `Invalid '${place}.name': string does not match pattern. Expected a string that ` +
      `matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.`,
  );
}

/** @param urls the address of each image; null if it has none */
export function checkImages(urls: readonly unknown[], { model }: Check): Refusal | null {
  if (urls.some((url) => !(asText(url) ?? '').startsWith('data:')))
    return codeRefusal('external image URLs are not supported', '');
  if (model.images === null || urls.length <= model.images) return null;
  return invalid(`too many images in request: ${urls.length} images exceed the limit of ${model.images}`);
}

/** A tool of this name has to be there. */
export function checkChosen(name: string, declared: readonly unknown[], where: string): Refusal | null {
  const found = declared.some((tool) => asObject(tool).name === name);
  return found ? null : invalid(`Tool choice '${name}' not found in ${where}.`);
}
