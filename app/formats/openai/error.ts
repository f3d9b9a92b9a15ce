export interface OpenAiError {
  error: { message: string; type: string; code: string | null; param: string | null };
}

/**
 * The envelope of every error of OpenAI's APIs. All four keys are always there; their clients read null as "not said".
 */
export function openaiError(
  type: string,
  message: string,
  code: string | null,
  param: string | null = null,
): OpenAiError {
  return { error: { message, type, code, param } };
}
