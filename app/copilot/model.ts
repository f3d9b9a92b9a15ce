/** One entry of Copilot's `GET /models`, read and checked. Limits move: nothing here is ever a constant of ours. */
export interface CatalogModel {
  /** What is sent as `model`, with dots: `claude-sonnet-4.6`. */
  id: string;
  name: string;
  vendor: string;
  version: string;
  family: string;
  preview: boolean;
  /** `chat`, `embeddings`, `image`, `completion`, … */
  type: string;
  /** `supported_endpoints`; where Copilot lists none, `/chat/completions` alone, for embeddings `/embeddings`. */
  endpoints: readonly string[];
  /** `unneeded`: the entry has no policy. */
  policy: 'enabled' | 'disabled' | 'unneeded';
  pickerEnabled: boolean;
  /** `billing.restricted_to`: the plans that GitHub lists it for; empty: it says nothing. */
  plans: readonly string[];
  limits: {
    promptTokens: number | null;
    outputTokens: number | null;
    contextTokens: number | null;
    images: number | null;
    imageBytes: number | null;
    imageTypes: readonly string[];
    /** Inputs of one embeddings request. */
    inputs: number | null;
  };
  supports: {
    toolCalls: boolean;
    parallelToolCalls: boolean;
    streaming: boolean;
    vision: boolean;
    structuredOutputs: boolean;
    adaptiveThinking: 'required' | 'optional' | 'unsupported';
    minThinkingBudget: number | null;
    maxThinkingBudget: number | null;
    /** `reasoning_effort`, lowest first as Copilot lists them; empty: no effort setting. */
    efforts: readonly string[];
  };
  price: CatalogPrice;
  /** `warning_messages`, `info_messages`, `warning_text`. */
  warnings: readonly { code: string; message: string }[];
}

/** Credits per million tokens; null where the catalog has no such price. */
export interface TokenPrices {
  input: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  output: number | null;
  /** Prompt tokens up to which these prices hold. */
  upToPromptTokens: number | null;
}

export type CatalogPrice =
  | { kind: 'credits'; default: TokenPrices; longContext: TokenPrices | null }
  /** Older plans: premium requests per accepted `user` request. */
  | { kind: 'multiplier'; multiplier: number; premium: boolean }
  | { kind: 'unknown' };

/** A model that Claude Code can be sent to: chat, enabled, in the picker, with tools. */
export function isOffered(model: CatalogModel): boolean {
  return model.type === 'chat' && model.policy !== 'disabled' && model.pickerEnabled && model.supports.toolCalls;
}

/**
 * The account has models and may choose none of them: GitHub chooses (Auto). So it is on Free and Student plans, where
 * no model carries the picker flag.
 */
export function isAutoOnly(models: readonly CatalogModel[]): boolean {
  const chat = models.filter(({ type }) => type === 'chat');
  return chat.length > 0 && chat.every(({ pickerEnabled }) => !pickerEnabled);
}

/**
 * Copilot runs the hosted tool `web_search` for models of OpenAI's on `/responses`; every one that was probed took it.
 * No other model does, and no other path.
 */
export function searchesTheWeb(model: CatalogModel): boolean {
  return model.vendor.includes('OpenAI') && model.endpoints.includes('/responses');
}
