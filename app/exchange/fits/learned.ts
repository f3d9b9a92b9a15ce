import type { CatalogModel } from '../../copilot/model.ts';
import type { OptionalParameter } from './optional-parameters.ts';

/** Fields that a request can do without, as they are named in a refusal without their places in lists. */
export const optionalFields = [
  'context_management',
  'thinking.display',
  'output_config',
  'output_config.effort',
  'output_config.format',
  'messages.output_config',
  'tools.strict',
  'service_tier',
] as const;
export type OptionalField = (typeof optionalFields)[number];

export function isOptionalField(text: string): text is OptionalField {
  return optionalFields.some((field) => field === text);
}

/** What refusals have taught about the model of a request. */
export interface Learned {
  /** With the limits and efforts that Copilot named in a refusal. */
  model: CatalogModel;
  refusedFields: ReadonlySet<OptionalField>;
  /** Of requests in OpenAI's words. */
  refusedParameters: ReadonlySet<OptionalParameter>;
  /** Of the body as the path takes it, by the names of `fits/unknown-fields.ts`. */
  unknownFields: ReadonlySet<string>;
  refusesSystemMessages: boolean;
  refusesStop: boolean;
  /** A thinking block with this signature (or this data, where it is redacted). */
  refusesThinking: (proof: string) => boolean;
  /** A reference to this tool, as long as its loading is deferred. */
  refusesDeferred: (tool: string) => boolean;
}
