import type { CatalogModel } from '../copilot/model.ts';
import { autoName } from '../exchange/model/resolve.ts';
import { type ModelCapabilities, modelCapabilities } from './model-capabilities.ts';

/**
 * One model with the fields of both APIs: Anthropic's `type`, `display_name`, `created_at` and what follows it;
 * OpenAI's `object`, `created`, `owned_by`. Limits are in tokens, and null where Copilot says none.
 */
export interface ModelEntry {
  id: string;
  type: 'model';
  object: 'model';
  display_name: string;
  created_at: string;
  created: number;
  owned_by: string;
  description?: string;
  /** What Copilot takes as a prompt, which is less than the context window. */
  max_input_tokens: number | null;
  max_tokens: number | null;
  context_window: number | null;
  /** Null: the model is not known before it is chosen. */
  capabilities: ModelCapabilities | null;
  /** Anthropic's family of models. */
  line: 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos' | null;
  lifecycle: 'active';
  deprecated_at: null;
  retires_at: null;
}

export interface ModelsPage {
  object: 'list';
  data: ModelEntry[];
  has_more: false;
  first_id: string | null;
  last_id: string | null;
}

/** Copilot's list tells no dates; both APIs want one. The epoch says: unknown. */
const unknownDate = { created_at: '1970-01-01T00:00:00Z', created: 0 } as const;

export function modelEntry(model: CatalogModel): ModelEntry {
  const limit = model.limits.promptTokens;
  return {
    id: model.id,
    type: 'model',
    object: 'model',
    display_name: model.name,
    ...unknownDate,
    owned_by: model.vendor,
    ...(limit === null
      ? {}
      : { description: `Through GitHub Copilot; takes ${Math.round(limit / 1000)}k tokens of prompt` }),
    max_input_tokens: limit,
    max_tokens: model.limits.outputTokens,
    context_window: model.limits.contextTokens,
    capabilities: modelCapabilities(model),
    line: lineOf(model),
    // Copilot's list holds what can be used now, and tells no plans.
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
  };
}

/** GitHub chooses a model for each conversation, so that nothing is known of it. */
export const autoEntry: ModelEntry = {
  id: autoName,
  type: 'model',
  object: 'model',
  display_name: 'Auto',
  ...unknownDate,
  owned_by: 'GitHub',
  description: 'Through GitHub Copilot; GitHub chooses a model for each conversation',
  max_input_tokens: null,
  max_tokens: null,
  context_window: null,
  capabilities: null,
  line: null,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
};

const lines = ['opus', 'sonnet', 'haiku', 'fable', 'mythos'] as const;

function lineOf({ vendor, id }: CatalogModel): ModelEntry['line'] {
  return vendor === 'Anthropic' ? (lines.find((line) => id.split('-').includes(line)) ?? null) : null;
}

/** The whole list: Copilot's is short, so it is never cut into pages. */
export function modelsPage(data: ModelEntry[]): ModelsPage {
  return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
