import type { LmModel } from './lm-model.ts';

/**
 * The models that are offered: Copilot's. Not those of other vendors, among which are the models that Jumpseat gives VS
 * Code (a request would go round in a circle), not `auto`, which asks another service first, nor Copilot's own for side
 * tasks, nor one that takes no prompt.
 */
export function offeredModels(models: readonly LmModel[]): LmModel[] {
  const once = new Map<string, LmModel>();
  for (const model of models) if (isOffered(model) && !once.has(model.id)) once.set(model.id, model);
  return [...once.values()];
}

function isOffered({ vendor, id, maxInputTokens }: LmModel): boolean {
  return vendor === 'copilot' && id !== 'auto' && !id.startsWith('copilot-utility') && maxInputTokens > 0;
}
