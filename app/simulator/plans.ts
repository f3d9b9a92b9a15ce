import { isObject } from '../formats/wire/json.ts';
import type { PlanName, SimulatedUser } from './options.ts';

interface SimulatedPlan {
  user: Partial<SimulatedUser>;
  models: readonly unknown[];
}

/**
 * Student as in `copilot_internal-user-student-token-billing.json`, Business as in
 * `copilot_internal-user-business-token-billing.table.json`. On Student and Free no model carries the picker flag.
 */
export function simulatedPlan(name: PlanName): SimulatedPlan {
  switch (name) {
    case 'pro-plus':
      return { user: {}, models: defaultModels() };
    case 'student':
      return {
        user: { plan: 'individual', sku: 'free_educational_quota', entitlement: 200, remaining: 150 },
        models: autoOnly(),
      };
    case 'free':
      return {
        user: { plan: 'free', sku: 'free_limited_copilot', entitlement: 50, remaining: 40, countsChats: true },
        models: autoOnly(),
      };
    case 'business':
      return {
        user: {
          plan: 'business',
          sku: 'copilot_for_business_seat_quota',
          entitlement: 10_000,
          remaining: 4462.8,
          overagePermitted: true,
        },
        models: defaultModels(),
      };
    case 'enterprise':
      return {
        user: { plan: 'enterprise', sku: 'copilot_enterprise_seat_quota', entitlement: null },
        models: defaultModels(),
      };
  }
}

function autoOnly(): unknown[] {
  return defaultModels().map((model) => (isObject(model) ? { ...model, model_picker_enabled: false } : model));
}

/**
 * A catalog of the present day: field names, limits and policies as recorded from the service, token prices in the
 * shape it has had since June 2026. Where a price was never published the one of its nearest relative stands in. Limits
 * move; nothing may rely on these.
 */
export function defaultModels(): unknown[] {
  return [
    claude({
      id: 'claude-opus-4.8',
      name: 'Claude Opus 4.8',
      limits: { context: 1_000_000, prompt: 936_000, output: 64_000, images: 1 },
      thinking: { adaptive: true, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
      prices: opus,
      category: 'powerful',
      priceCategory: 'very_high',
    }),
    claude({
      id: 'claude-opus-4.6',
      name: 'Claude Opus 4.6',
      limits: { context: 1_000_000, prompt: 936_000, output: 64_000, images: 1 },
      thinking: { adaptive: true, efforts: ['low', 'medium', 'high', 'max'] },
      prices: opus,
      category: 'powerful',
      priceCategory: 'very_high',
    }),
    claude({
      id: 'claude-opus-4.5',
      name: 'Claude Opus 4.5',
      limits: { context: 200_000, prompt: 168_000, output: 32_000, images: 5 },
      thinking: { adaptive: false, efforts: [] },
      prices: opus,
      category: 'powerful',
      priceCategory: 'very_high',
      policy: 'disabled',
    }),
    claude({
      id: 'claude-sonnet-4.6',
      name: 'Claude Sonnet 4.6',
      limits: { context: 200_000, prompt: 168_000, output: 32_000, images: 5 },
      thinking: { adaptive: true, efforts: ['low', 'medium', 'high', 'max'] },
      prices: sonnet,
      category: 'versatile',
      priceCategory: 'high',
    }),
    claude({
      id: 'claude-sonnet-4.5',
      name: 'Claude Sonnet 4.5',
      limits: { context: 200_000, prompt: 168_000, output: 32_000, images: 5 },
      thinking: { adaptive: false, efforts: [] },
      prices: sonnet,
      category: 'versatile',
      priceCategory: 'high',
    }),
    claude({
      id: 'claude-haiku-4.5',
      name: 'Claude Haiku 4.5',
      limits: { context: 200_000, prompt: 136_000, output: 64_000, images: 5 },
      thinking: { adaptive: false, efforts: [] },
      prices: { input: 100, cacheRead: 10, cacheWrite: 125, output: 500 },
      category: 'versatile',
      priceCategory: 'low',
    }),
    chatModel({
      id: 'gpt-5.4',
      name: 'GPT-5.4',
      vendor: 'OpenAI',
      limits: { context: 400_000, prompt: 272_000, output: 128_000, images: 1 },
      supports: { reasoning_effort: ['low', 'medium', 'high'], structured_outputs: true },
      endpoints: ['/responses', 'ws:/responses'],
      prices: { input: 250, cacheRead: 25, cacheWrite: 0, output: 1500 },
      category: 'powerful',
      priceCategory: 'medium',
      restricted: paid,
    }),
    chatModel({
      id: 'gpt-5-mini',
      name: 'GPT-5 mini',
      vendor: 'Azure OpenAI',
      limits: { context: 264_000, prompt: 128_000, output: 64_000, images: 1 },
      supports: { reasoning_effort: ['low', 'medium', 'high'], structured_outputs: true },
      endpoints: ['/chat/completions', '/responses', 'ws:/responses'],
      prices: { input: 25, cacheRead: 2.5, cacheWrite: 0, output: 200 },
      category: 'lightweight',
      priceCategory: 'low',
    }),
    chatModel({
      id: 'gpt-4.1',
      name: 'GPT-4.1',
      vendor: 'Azure OpenAI',
      version: 'gpt-4.1-2025-04-14',
      limits: { context: 128_000, prompt: 128_000, output: 16_384, images: 1 },
      supports: { structured_outputs: true },
      endpoints: null,
      prices: { input: 200, cacheRead: 50, cacheWrite: 0, output: 800 },
      category: 'versatile',
      priceCategory: 'medium',
      chatDefault: true,
    }),
    chatModel({
      id: 'gemini-3.1-pro-preview',
      name: 'Gemini 3.1 Pro',
      vendor: 'Google',
      preview: true,
      limits: { context: 200_000, prompt: 136_000, output: 64_000, images: 10 },
      supports: { reasoning_effort: ['low', 'medium', 'high'], max_thinking_budget: 32_000, min_thinking_budget: 256 },
      endpoints: ['/chat/completions'],
      prices: { input: 200, cacheRead: 20, cacheWrite: 0, output: 1200 },
      category: 'powerful',
      priceCategory: 'medium',
      restricted: ['edu', ...paid],
    }),
    embeddings,
  ];
}

interface CreditPrices {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

interface ChatModelFacts {
  id: string;
  name: string;
  vendor: string;
  version?: string;
  preview?: boolean;
  limits: { context: number; prompt: number; output: number; images: number };
  supports: Record<string, unknown>;
  /** null if the entry has no list, which means chat alone. */
  endpoints: readonly string[] | null;
  prices: CreditPrices;
  category: string;
  priceCategory: string;
  policy?: 'enabled' | 'disabled';
  restricted?: readonly string[];
  chatDefault?: boolean;
  wholeOutput?: number;
}

const paid = ['pro', 'pro_plus', 'individual_trial', 'business', 'enterprise', 'max'] as const;
const opus: CreditPrices = { input: 500, cacheRead: 50, cacheWrite: 625, output: 2500 };
const sonnet: CreditPrices = { input: 300, cacheRead: 30, cacheWrite: 375, output: 1500 };

function claude(
  facts: Omit<ChatModelFacts, 'vendor' | 'endpoints' | 'supports'> & {
    thinking: { adaptive: boolean; efforts: readonly string[] };
  },
): unknown {
  const { thinking, ...rest } = facts;
  return chatModel({
    ...rest,
    vendor: 'Anthropic',
    restricted: paid,
    wholeOutput: 16_000,
    endpoints: ['/chat/completions', '/v1/messages'],
    supports: {
      ...(thinking.adaptive ? { adaptive_thinking: true, structured_outputs: true } : {}),
      max_thinking_budget: 32_000,
      min_thinking_budget: 1024,
      ...(thinking.efforts.length > 0 ? { reasoning_effort: thinking.efforts } : {}),
    },
  });
}

function chatModel(facts: ChatModelFacts): unknown {
  const { limits, prices } = facts;
  const chatDefault = facts.chatDefault ?? false;
  return {
    billing: {
      ...(facts.restricted === undefined ? {} : { restricted_to: facts.restricted }),
      token_prices: {
        batch_size: 1_000_000,
        default: {
          cache_read_price: prices.cacheRead,
          cache_write_price: prices.cacheWrite,
          input_price: prices.input,
          max_prompt_tokens: limits.prompt,
          output_price: prices.output,
        },
      },
    },
    capabilities: {
      family: facts.id,
      limits: {
        max_context_window_tokens: limits.context,
        ...(facts.wholeOutput === undefined ? {} : { max_non_streaming_output_tokens: facts.wholeOutput }),
        max_output_tokens: limits.output,
        max_prompt_tokens: limits.prompt,
        vision: {
          max_prompt_image_size: 3_145_728,
          max_prompt_images: limits.images,
          supported_media_types: ['image/jpeg', 'image/png', 'image/webp'],
        },
      },
      object: 'model_capabilities',
      supports: { ...facts.supports, parallel_tool_calls: true, streaming: true, tool_calls: true, vision: true },
      tokenizer: 'o200k_base',
      type: 'chat',
    },
    id: facts.id,
    is_chat_default: chatDefault,
    is_chat_fallback: chatDefault,
    model_picker_category: facts.category,
    model_picker_enabled: true,
    model_picker_price_category: facts.priceCategory,
    name: facts.name,
    object: 'model',
    policy: {
      state: facts.policy ?? 'enabled',
      terms: `Enable access to the latest ${facts.name} model. This is a simulated policy.`,
    },
    preview: facts.preview ?? false,
    ...(facts.endpoints === null ? {} : { supported_endpoints: facts.endpoints }),
    vendor: facts.vendor,
    version: facts.version ?? facts.id,
  };
}

const embeddings = {
  billing: {
    token_prices: {
      batch_size: 1_000_000,
      default: { cache_read_price: 0, cache_write_price: 0, input_price: 2, output_price: 0 },
    },
  },
  capabilities: {
    family: 'text-embedding-3-small',
    limits: { max_inputs: 512 },
    object: 'model_capabilities',
    supports: { dimensions: true },
    tokenizer: 'cl100k_base',
    type: 'embeddings',
  },
  id: 'text-embedding-3-small',
  is_chat_default: false,
  is_chat_fallback: false,
  model_picker_enabled: false,
  name: 'Embedding V3 small',
  object: 'model',
  preview: false,
  vendor: 'Azure OpenAI',
  version: 'text-embedding-3-small',
};
