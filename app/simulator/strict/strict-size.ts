import type { SimulatedModel } from '../catalog.ts';
import { codeRefusal, type Refusal } from '../refusal.ts';

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
