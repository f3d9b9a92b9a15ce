import { asNumber, asObject, asText } from '../account/json.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import type { CatalogModel, CatalogPrice, TokenPrices } from './model.ts';

/** The answer of `GET /models` is not a list of models. */
export class MalformedCatalogError extends Error {
  override readonly name = 'MalformedCatalogError';
}

/**
 * Reads `{object: 'list', data: […]}`. Ids occur twice in real catalogs (`gpt-4`): the first wins. Entries without an
 * id are left out. Throws `MalformedCatalogError` when it is no list.
 */
export function readCatalog(json: unknown): CatalogModel[] {
  const entries = asObject(json)?.data;
  if (!Array.isArray(entries)) throw new MalformedCatalogError('the list of models is no list');
  const models = new Map<string, CatalogModel>();
  for (const value of entries) {
    const entry = asObject(value);
    const id = entry && asText(entry.id);
    if (entry && id && !models.has(id)) models.set(id, readModel(id, entry));
  }
  if (entries.length > 0 && models.size === 0) throw new MalformedCatalogError('the list of models holds no models');
  return [...models.values()];
}

function readModel(id: string, entry: JsonObject): CatalogModel {
  const capabilities = asObject(entry.capabilities) ?? {};
  const type = asText(capabilities.type) ?? 'unknown';
  return {
    id,
    name: asText(entry.name) ?? id,
    vendor: asText(entry.vendor) ?? '',
    version: asText(entry.version) ?? '',
    family: asText(capabilities.family) ?? id,
    preview: entry.preview === true,
    type,
    endpoints: readEndpoints(entry.supported_endpoints, type),
    policy: readPolicy(entry.policy),
    pickerEnabled: entry.model_picker_enabled === true,
    plans: texts(asObject(entry.billing)?.restricted_to),
    limits: readLimits(asObject(capabilities.limits) ?? {}),
    supports: readSupports(asObject(capabilities.supports) ?? {}),
    price: readPrice(asObject(entry.billing)),
    warnings: readWarnings(entry),
  };
}

function readEndpoints(value: unknown, type: string): string[] {
  if (Array.isArray(value)) return texts(value);
  return type === 'embeddings' ? ['/embeddings'] : ['/chat/completions'];
}

function readPolicy(value: unknown): CatalogModel['policy'] {
  const policy = asObject(value);
  if (!policy) return 'unneeded';
  return policy.state === 'enabled' ? 'enabled' : 'disabled';
}

function readLimits(limits: JsonObject): CatalogModel['limits'] {
  const vision = asObject(limits.vision) ?? {};
  return {
    promptTokens: asNumber(limits.max_prompt_tokens),
    outputTokens: asNumber(limits.max_output_tokens),
    contextTokens: asNumber(limits.max_context_window_tokens),
    images: asNumber(vision.max_prompt_images),
    imageBytes: asNumber(vision.max_prompt_image_size),
    imageTypes: texts(vision.supported_media_types),
    inputs: asNumber(limits.max_inputs),
  };
}

function readSupports(supports: JsonObject): CatalogModel['supports'] {
  return {
    toolCalls: supports.tool_calls === true,
    parallelToolCalls: supports.parallel_tool_calls === true,
    streaming: supports.streaming === true,
    vision: supports.vision === true,
    structuredOutputs: supports.structured_outputs === true,
    adaptiveThinking: readAdaptiveThinking(supports.adaptive_thinking),
    minThinkingBudget: asNumber(supports.min_thinking_budget),
    maxThinkingBudget: asNumber(supports.max_thinking_budget),
    efforts: texts(supports.reasoning_effort),
  };
}

/** A boolean in the catalogs of early 2026, a word in later ones. */
function readAdaptiveThinking(value: unknown): CatalogModel['supports']['adaptiveThinking'] {
  if (value === true || value === 'optional') return 'optional';
  return value === 'required' ? 'required' : 'unsupported';
}

function readPrice(billing: JsonObject | null): CatalogPrice {
  const prices = asObject(billing?.token_prices);
  const usual = asObject(prices?.default);
  if (prices && usual) {
    const longer = asObject(prices.long_context);
    const batchSize = asNumber(prices.batch_size) || perMillion;
    const inNano = [...Object.entries(usual), ...Object.entries(longer ?? {})].some(isNanoPrice);
    const scale = (perMillion / batchSize) * (inNano ? 1e-9 : 1);
    return {
      kind: 'credits',
      default: readTokenPrices(usual, scale),
      longContext: longer && readTokenPrices(longer, scale),
    };
  }
  const multiplier = asNumber(billing?.multiplier);
  if (multiplier === null) return { kind: 'unknown' };
  return { kind: 'multiplier', multiplier, premium: billing?.is_premium === true };
}

const perMillion = 1_000_000;
const nanoPriceFrom = 1_000_000;

/** An earlier catalog had nano-AIU for a batch where there are credits now; no credit price is that high. */
function isNanoPrice([name, value]: [string, unknown]): boolean {
  return name.endsWith('_price') && typeof value === 'number' && value > nanoPriceFrom;
}

function readTokenPrices(prices: JsonObject, scale: number): TokenPrices {
  const price = (value: unknown) => {
    const number = asNumber(value);
    return number === null ? null : tidy(number * scale);
  };
  return {
    input: price(prices.input_price),
    cacheRead: price(prices.cache_price ?? prices.cache_read_price),
    cacheWrite: price(prices.cache_write_price),
    output: price(prices.output_price),
    upToPromptTokens: asNumber(prices.context_max) ?? asNumber(prices.max_prompt_tokens),
  };
}

/** Takes the noise of the division out: 2.5000000000000004 → 2.5. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

function readWarnings(entry: JsonObject): CatalogModel['warnings'] {
  const warnings: { code: string; message: string }[] = [];
  for (const list of [entry.warning_messages, entry.info_messages]) {
    if (!Array.isArray(list)) continue;
    for (const value of list) {
      const item = asObject(value);
      const message = item && asText(item.message);
      if (message) warnings.push({ code: asText(item?.code) ?? 'notice', message });
    }
  }
  const text = asText(entry.warning_text);
  if (text) warnings.push({ code: 'warning', message: text });
  return warnings;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
