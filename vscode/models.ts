import type { CatalogModel } from '../app/copilot/model.ts';
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

/** As the catalog of the app has it: every one is spoken to as Chat Completions, and has no effort to choose. */
export function catalogModel({
  id,
  name,
  family,
  version,
  maxInputTokens,
  takesImages,
  callsTools,
}: LmModel): CatalogModel {
  return {
    id,
    name,
    vendor: makerOf(id),
    version,
    family,
    preview: false,
    type: 'chat',
    endpoints: ['/chat/completions'],
    policy: 'unneeded',
    pickerEnabled: true,
    plans: [],
    limits: {
      promptTokens: maxInputTokens,
      outputTokens: null,
      contextTokens: null,
      images: null,
      imageBytes: null,
      imageTypes: [],
      inputs: null,
    },
    supports: {
      toolCalls: callsTools,
      parallelToolCalls: true,
      streaming: true,
      vision: takesImages,
      structuredOutputs: false,
      adaptiveThinking: 'unsupported',
      minThinkingBudget: null,
      maxThinkingBudget: null,
      efforts: [],
    },
    price: { kind: 'unknown' },
    warnings: [],
  };
}

/** VS Code says `copilot` of all of them. */
function makerOf(id: string): string {
  if (id.startsWith('claude')) return 'Anthropic';
  if (id.startsWith('gemini')) return 'Google';
  return /^(?:gpt|o\d)/.test(id) ? 'OpenAI' : 'GitHub Copilot';
}
