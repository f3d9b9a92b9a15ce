import type { Prices } from '../catalog.ts';

/** Tokens of one answer; `input` is without cached ones. */
export interface Tokens {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** Part of `output`. */
  thinking: number;
}

interface TokenDetail {
  batch_size: number;
  cost_per_batch: number;
  token_count: number;
  token_type: 'input' | 'cache_read' | 'cache_write' | 'output';
}

/** `copilot_usage` of an answer: 1 credit is 1e9 nano-AIU. */
export interface CopilotUsage {
  token_details: TokenDetail[];
  total_nano_aiu: number;
}

export function bill(tokens: Tokens, prices: Prices): CopilotUsage {
  const detail = (type: TokenDetail['token_type'], count: number, cost: number): TokenDetail => ({
    batch_size: prices.batchSize,
    cost_per_batch: cost,
    token_count: count,
    token_type: type,
  });
  const details = [
    detail('input', tokens.input, prices.input),
    detail('cache_read', tokens.cacheRead, prices.cacheRead),
    detail('cache_write', tokens.cacheWrite, prices.cacheWrite),
    detail('output', tokens.output, prices.output),
  ];
  const total = details.reduce((sum, one) => sum + (one.token_count * one.cost_per_batch) / one.batch_size, 0);
  return { token_details: details, total_nano_aiu: Math.round(total) };
}
