import type { JsonObject } from '../../formats/wire/json.ts';
import { asObject, asText } from '../json.ts';
import { codeRefusal, flatRefusal, type Refusal } from '../refusal.ts';
import type { Check } from './check.ts';

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
