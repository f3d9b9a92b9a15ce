/**
 * What an OpenAI request that is passed through can do without, as it is named in a refusal without its places in
 * lists. What changes the meaning of an answer (`stop`, `n`, `seed`, a schema, penalties, …) is not among it: there the
 * client is told, and decides.
 */
export const optionalParameters = [
  'temperature',
  'top_p',
  'verbosity',
  'text.verbosity',
  'prediction',
  'reasoning_effort',
  'reasoning.effort',
  'reasoning.summary',
  'reasoning',
  'truncation',
  'include',
  'max_tool_calls',
  'tools.strict',
  'tools.function.strict',
  // The hosted tool, in all its versions.
  'tools.web_search',
  // Newer models take it by its other name.
  'max_tokens',
] as const;
export type OptionalParameter = (typeof optionalParameters)[number];

export function isOptionalParameter(text: string): text is OptionalParameter {
  return optionalParameters.some((parameter) => parameter === text);
}
