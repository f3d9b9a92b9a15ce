import type { CatalogModel } from '../copilot/model.ts';

/** One model in the words of both worlds: Anthropic's `type`, `display_name`, `created_at`; OpenAI's `object`, `created`, `owned_by`. */
export interface ModelEntry {
  id: string;
  type: 'model';
  object: 'model';
  display_name: string;
  created_at: string;
  created: number;
  owned_by: string;
  description?: string;
}

export interface ModelsPage {
  object: 'list';
  data: ModelEntry[];
  has_more: false;
  first_id: string | null;
  last_id: string | null;
}

/** Copilot's list tells no dates; both worlds want one. The epoch says: unknown. */
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
  };
}

/** The whole list: Copilot's is short, so it is never cut into pages. */
export function modelsPage(models: readonly CatalogModel[]): ModelsPage {
  const data = models.map(modelEntry);
  return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
