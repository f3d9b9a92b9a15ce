import type { CatalogModel } from '../copilot/model-entry.ts';

/** What VS Code says of a model. */
interface LmModelFacts {
  id: string;
  name: string;
  family: string;
  version: string;
  maxInputTokens: number | null;
  takesImages: boolean;
  callsTools: boolean;
}

/** The model as an entry of Copilot's catalog: always Chat Completions, without efforts. */
export function catalogModel({
  id,
  name,
  family,
  version,
  maxInputTokens,
  takesImages,
  callsTools,
}: LmModelFacts): CatalogModel {
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
