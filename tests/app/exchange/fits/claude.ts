import type { CatalogModel } from '../../../../app/copilot/model-entry.ts';
import type { Learned } from '../../../../app/exchange/fits/fit.ts';
import type { FitContext } from '../../../../app/exchange/fits/fit-messages.ts';

/** A Claude as the catalog of early 2026 had it; limits small enough to be met in a test. */
export function claude(
  id = 'claude-sonnet-4.6',
  changes: { limits?: Partial<CatalogModel['limits']>; supports?: Partial<CatalogModel['supports']> } = {},
): CatalogModel {
  return {
    id,
    name: id,
    vendor: 'Anthropic',
    version: id,
    family: id,
    preview: false,
    type: 'chat',
    endpoints: ['/chat/completions', '/v1/messages'],
    policy: 'enabled',
    pickerEnabled: true,
    plans: [],
    limits: {
      promptTokens: 168000,
      outputTokens: 32000,
      contextTokens: 200000,
      images: 2,
      imageBytes: 3 * 2 ** 20,
      imageTypes: ['image/jpeg', 'image/png', 'image/webp'],
      inputs: null,
      ...changes.limits,
    },
    supports: {
      toolCalls: true,
      parallelToolCalls: true,
      streaming: true,
      vision: true,
      structuredOutputs: true,
      adaptiveThinking: 'optional',
      minThinkingBudget: 1024,
      maxThinkingBudget: 16000,
      efforts: ['low', 'medium', 'high'],
      ...changes.supports,
    },
    price: { kind: 'unknown' },
    warnings: [],
  };
}

/** No refusal has said anything about it. */
export function nothingLearned(model: CatalogModel = claude()): Learned {
  return {
    model,
    refusedFields: new Set(),
    unknownFields: new Set(),
    refusedParameters: new Set(),
    refusesSystemMessages: false,
    refusesStop: false,
    refusesThinking: () => false,
    refusesDeferred: () => false,
  };
}

/** An older one: thinks with a budget, has no effort. */
export const olderClaude = claude('claude-sonnet-4.5', { supports: { adaptiveThinking: 'unsupported', efforts: [] } });

export function onNative(changes: Partial<FitContext> = {}): FitContext {
  return { model: claude(), path: '/v1/messages', betas: [], purpose: 'message', ...changes };
}

export function onChat(changes: Partial<FitContext> = {}): FitContext {
  return { ...onNative(changes), path: '/chat/completions', model: changes.model ?? claude('gpt-4.1') };
}

export function onResponses(changes: Partial<FitContext> = {}): FitContext {
  return { ...onNative(changes), path: '/responses', model: changes.model ?? claude('gpt-5.4') };
}

/** So that a write to the input throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
