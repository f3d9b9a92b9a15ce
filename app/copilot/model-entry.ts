import { asNumber, asObject, asText } from '../account/read-response.ts';
import type { JsonObject } from '../formats/wire/json.ts';

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

/** Which models the settings let requests use. */
export interface AllowedModels {
  allows: (id: string) => boolean;
  /** Who decides that: `your organization (Octo Inc.)` */
  by: () => string;
  /** Why none may be used, nor the list be asked for, until the organization's policy can be read. Null: they may. */
  settings: { readonly policyProblem: Error | null };
}

/** Models that Copilot lists for the account, and the settings don't let requests use. */
export interface HiddenModels {
  models: readonly CatalogModel[];
  /** Who doesn't allow them: `your organization (Octo Inc.)` */
  by: string;
}

const hiddenBy = new WeakMap<readonly CatalogModel[], HiddenModels>();

/** The list of what may be used. It remembers what was left out, so that nobody is told that Copilot lacks it. */
export function withoutHidden(all: readonly CatalogModel[], { allows, by }: AllowedModels): CatalogModel[] {
  const usable = all.filter(({ id }) => allows(id));
  if (usable.length < all.length) hiddenBy.set(usable, { models: all.filter(({ id }) => !allows(id)), by: by() });
  return usable;
}

/** What was left out of this list; null: nothing. */
export function hiddenBeside(models: readonly CatalogModel[]): HiddenModels | null {
  return hiddenBy.get(models) ?? null;
}

/** Credits per million tokens; null if the catalog has no such price. */
interface TokenPrices {
  input: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  output: number | null;
  /** Prompt tokens up to which these prices hold. */
  upToPromptTokens: number | null;
}

type CatalogPrice =
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
