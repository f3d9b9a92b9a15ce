import type { Exchange, ReasonCode } from '../../app/api/exchange.ts';
import { exchange } from '../exchange.ts';

const noCharge: Exchange['charge'] = {
  kind: 'none',
  nanoAiu: null,
  premiumRequests: null,
  partial: false,
  details: [],
};

const prices: Record<string, readonly [number, number, number, number]> = {
  'claude-opus-4.8': [500, 50, 625, 2500],
  'claude-sonnet-4.6': [300, 30, 375, 1500],
  'claude-haiku-4.5': [100, 10, 125, 500],
  'gpt-4o-mini': [0, 0, 0, 0],
};

function billed(model: string, tokens: Exchange['tokens']): Exchange['charge'] {
  const [input = 0, read = 0, write = 0, output = 0] = prices[model] ?? [];
  const details = [
    { type: 'input', count: tokens.input ?? 0, costPerBatch: input * 1e9, batchSize: 1e6 },
    { type: 'cache_read', count: tokens.cacheRead ?? 0, costPerBatch: read * 1e9, batchSize: 1e6 },
    { type: 'cache_write', count: tokens.cacheWrite ?? 0, costPerBatch: write * 1e9, batchSize: 1e6 },
    { type: 'output', count: tokens.output ?? 0, costPerBatch: output * 1e9, batchSize: 1e6 },
  ];
  const nanoAiu = details.reduce((sum, { count, costPerBatch }) => sum + (count * costPerBatch) / 1e6, 0);
  return { kind: nanoAiu === 0 ? 'free' : 'billed', nanoAiu, premiumRequests: null, partial: false, details };
}

/** A number generator that gives the same numbers every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

/**
 * Days of work as they come: prompts, tool results, subagents, side requests, a refusal, a cut. Oldest first, the last
 * one now.
 */
export function busyDays(count: number, until: number): Exchange[] {
  const next = numbers(7);
  const made: Exchange[] = [];
  let at = 0;
  let prompt = 0;
  let step = 0;
  let length = 6;
  for (let index = 0; index < count; index += 1) {
    if (step > length) {
      step = 0;
      length = 3 + Math.floor(next() * 8);
      prompt += 1;
      at += (20 + next() * 150) * 1000;
    }
    const session = prompt % 4 === 3 ? 'b20c44de-11e2-4a6b-9d52-0b6f5f7d2a10' : '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3';
    made.push(one(index, at, prompt, step, session, next));
    at += (2 + next() * 9) * 1000;
    step += 1;
  }
  return made.map((row) => ({ ...row, startedAt: Math.round(row.startedAt + until - at) }));
}

function one(index: number, at: number, prompt: number, step: number, session: string, next: () => number): Exchange {
  const person = step === 0;
  const sub = !person && step >= 3 && step <= 5 && prompt % 3 === 1;
  const side = !person && step === 1 && prompt % 2 === 1;
  const model = sub
    ? 'claude-haiku-4.5'
    : side
      ? 'gpt-4o-mini'
      : session.startsWith('b')
        ? 'claude-sonnet-4.6'
        : 'claude-opus-4.8';
  const output = 60 + Math.floor(next() * next() * 2600);
  const tokens = {
    input: 3 + Math.floor(next() * 420),
    output,
    cacheRead: side ? 0 : 9000 + Math.floor(next() * 90_000),
    cacheWrite: side ? 0 : 300 + Math.floor(next() * 4000),
  };
  const firstEvent = 400 + next() * 1500;
  const reason = (code: ReasonCode, rule: string, sentence: string) => ({ code, rule, sentence });
  const id = `${(index + 0x10000000).toString(16)}-5be0-4c11-9d2f-61e0c7a4b8f3`;
  const row = exchange({
    id,
    startedAt: at,
    session,
    prompt: `${(prompt * 7919 + 0x1ec2).toString(16).padStart(4, '0')}77a0-93f1-4e0c-8a15-d2b64c90fe11`,
    requestClass: sub ? 'subagent' : side ? 'auxiliary' : 'main',
    agentId: sub ? 'a5de3fa0' : null,
    agentType: sub ? 'Explore' : null,
    askedModel: sub ? 'haiku' : side ? model : session.startsWith('b') ? 'sonnet' : 'opus',
    servedModel: model,
    initiator: person ? 'user' : 'agent',
    reason: person
      ? reason('prompt', 'main-new-prompt', 'new prompt')
      : sub
        ? reason('subagent', 'class-subagent', 'subagent Explore')
        : side
          ? reason('auxiliary', 'class-auxiliary', 'title')
          : reason('tool-results', 'main-seen-prompt', 'results of Read, Bash'),
    fits: side
      ? []
      : [
          { code: 'model-newest', count: 1, text: 'Newest enabled Opus in your catalog.' },
          { code: 'model', count: 1, text: `model: opus → ${model}` },
          { code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' },
          { code: 'cache-scope-removed', count: 2, text: 'cache scope removed' },
          { code: 'system-messages-folded', count: 1, text: 'system messages folded' },
        ],
    tokens,
    times: { sent: 6 + next() * 12, headers: firstEvent - 200, firstEvent, lastEvent: firstEvent + output * 13 },
    charge: billed(model, tokens),
  });
  if (index % 53 === 31) return refused(row);
  if (index % 61 === 40) return cut(row);
  return row;
}

function refused(row: Exchange): Exchange {
  return {
    ...row,
    status: 429,
    outcome: 'failed',
    stopReason: null,
    failure: {
      source: 'copilot',
      status: 429,
      code: 'rate_limited',
      // As the log has it: in Jumpseat’s own words.
      message: 'A limit of Copilot’s is reached (status 429).',
      clientMessage: 'Jumpseat: you’ve reached Copilot’s limit for your account.',
    },
    attempts: [{ at: 17, status: 429, retriedBecause: null, upstreamRequestId: null }],
    times: { sent: 12, headers: 188, firstEvent: null, lastEvent: null },
    tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
    charge: noCharge,
  };
}

function cut(row: Exchange): Exchange {
  return {
    ...row,
    outcome: 'cut',
    stopReason: null,
    failure: {
      source: 'copilot',
      status: 200,
      code: 'stream-cut',
      message: 'The stream ended before its end.',
      clientMessage: null,
    },
    charge: { ...noCharge, kind: 'unknown' },
  };
}
