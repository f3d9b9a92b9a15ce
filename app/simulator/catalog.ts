import { isObject, type JsonObject } from '../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from './json.ts';
import type { RecordedRequest } from './record.ts';
import { modelNotSupported, type Refusal, textRefusal } from './refusal.ts';

/** What the simulator itself needs to know of a catalog object. */
export interface SimulatedModel {
  id: string;
  name: string;
  type: string;
  endpoints: readonly string[];
  /** False if its policy refuses it. */
  enabled: boolean;
  claude: { family: string; version: number } | null;
  promptTokens: number | null;
  outputTokens: number | null;
  contextTokens: number | null;
  images: number | null;
  imageBytes: number | null;
  inputs: number | null;
  vision: boolean;
  adaptiveThinking: 'required' | 'optional' | 'unsupported';
  minThinkingBudget: number | null;
  maxThinkingBudget: number | null;
  efforts: readonly string[];
  /** Takes `role:"system"` inside `messages`. No catalog says so. */
  systemMessages: boolean;
  /** Chat Completions: takes `stop`. */
  stop: boolean;
  prices: Prices;
}

/** nano-AIU for `batchSize` tokens. */
export interface Prices {
  batchSize: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** The first entry with this id, as Copilot reads its own list. */
export function findModel(catalog: readonly unknown[], id: string | null): SimulatedModel | null {
  for (const entry of catalog) if (isObject(entry) && id !== null && entry.id === id) return readModel(entry);
  return null;
}

function readModel(entry: JsonObject): SimulatedModel {
  const id = asText(entry.id) ?? '';
  const capabilities = asObject(entry.capabilities);
  const limits = asObject(capabilities.limits);
  const vision = asObject(limits.vision);
  const supports = asObject(capabilities.supports);
  const endpoints = asList(entry.supported_endpoints).filter((path) => typeof path === 'string');
  return {
    id,
    name: asText(entry.name) ?? id,
    type: asText(capabilities.type) ?? 'chat',
    endpoints: endpoints.length > 0 ? endpoints : ['/chat/completions'],
    enabled: (asText(asObject(entry.policy).state) ?? 'enabled') === 'enabled',
    claude: readClaude(id),
    promptTokens: asNumber(limits.max_prompt_tokens),
    outputTokens: asNumber(limits.max_output_tokens),
    contextTokens: asNumber(limits.max_context_window_tokens),
    images: asNumber(vision.max_prompt_images),
    imageBytes: asNumber(vision.max_prompt_image_size),
    inputs: asNumber(limits.max_inputs),
    vision: supports.vision === true,
    adaptiveThinking: readAdaptive(supports.adaptive_thinking),
    minThinkingBudget: asNumber(supports.min_thinking_budget),
    maxThinkingBudget: asNumber(supports.max_thinking_budget),
    efforts: asList(supports.reasoning_effort).filter((effort) => typeof effort === 'string'),
    systemMessages: systemMessageModels.has(id) || (readClaude(id)?.version ?? 0) >= 5,
    stop: true,
    prices: readPrices(asObject(entry.billing)),
  };
}

/** Measured: Sonnet 4.6 refuses it. To Claude 5 VS Code itself sends it. */
const systemMessageModels = new Set(['claude-opus-4.8']);

function readClaude(id: string): SimulatedModel['claude'] {
  const parts = /^claude-([a-z]+)-(\d+(?:\.\d+)?)/.exec(id);
  return parts === null ? null : { family: parts[1] ?? '', version: Number(parts[2]) };
}

function readAdaptive(value: unknown): SimulatedModel['adaptiveThinking'] {
  if (value === 'required' || value === 'optional') return value;
  return value === true ? 'optional' : 'unsupported';
}

function readPrices(billing: JsonObject): Prices {
  const prices = asObject(billing.token_prices);
  const tier = asObject(prices.default);
  const nano = (value: unknown): number => Math.round((asNumber(value) ?? 0) * 1e9);
  return {
    batchSize: asNumber(prices.batch_size) ?? 1_000_000,
    input: nano(tier.input_price),
    cacheRead: nano(tier.cache_read_price ?? tier.cache_price),
    cacheWrite: nano(tier.cache_write_price),
    output: nano(tier.output_price),
  };
}

/** The catalog as versions of the API before 2026, and older plans, show it: no token prices. */
export function withOldBilling(catalog: readonly unknown[]): unknown[] {
  return catalog.map((entry) => {
    if (!isObject(entry) || !('token_prices' in asObject(entry.billing))) return entry;
    const { token_prices: _, ...billing } = asObject(entry.billing);
    return { ...entry, billing: { is_premium: true, multiplier: 1, ...billing } };
  });
}

/** What lets requests go to the model that Auto chose. */
interface SimulatedAutoSession {
  token: string;
  /** Its stand-in in recordings. */
  name: string;
  model: string;
  /** s since the epoch. */
  expiresAt: number;
}

const lifeSeconds = 24 * 3600;

/** Auto: GitHub chooses a model, and a token says so. The script may say which one comes next. */
export class AutoSessions {
  readonly #byToken = new Map<string, SimulatedAutoSession>();
  /** Chosen in turn, the last one for ever. Null if there is no Auto for this account. */
  models: readonly string[] | null = ['claude-sonnet-4.6'];
  lifeSeconds = lifeSeconds;

  open(): SimulatedAutoSession | null {
    const { models } = this;
    const model = models?.[Math.min(this.#byToken.size, models.length - 1)];
    if (model === undefined) return null;
    const number = this.#byToken.size + 1;
    const session = {
      token: `auto-session-simulated-${number}`,
      name: `<auto-session-${number}>`,
      model,
      expiresAt: Math.floor(Date.now() / 1000) + this.lifeSeconds,
    };
    this.#byToken.set(session.token, session);
    return session;
  }

  find(token: string): SimulatedAutoSession | null {
    return this.#byToken.get(token) ?? null;
  }

  /** The session by its stand-in in recordings. */
  named(name: string): SimulatedAutoSession | null {
    return [...this.#byToken.values()].find((session) => session.name === name) ?? null;
  }
}

/** Refuses a request that carries the token of Auto and asks for another model than Auto chose. */
export function checkAuto(sessions: AutoSessions, request: RecordedRequest, model: SimulatedModel): Refusal | null {
  const name = request.headers['copilot-session-token'];
  if (name === undefined) return null;
  const session = sessions.named(name);
  if (session === null || session.expiresAt * 1000 <= Date.now())
    return textRefusal(401, 'unauthorized: token expired');
  return session.model === model.id ? null : modelNotSupported();
}
