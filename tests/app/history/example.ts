import type { Exchange } from '../../../app/api/exchange.ts';

/** A finished exchange with a value in every field. */
export function exampleExchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: 'ex-1',
    startedAt: 1_795_000_000_000,
    api: 'messages',
    client: 'claude-code',
    session: 'session-a',
    prompt: 'prompt-a',
    requestClass: 'main',
    agentId: 'agent-1',
    agentType: 'Explore',
    askedModel: 'claude-opus-5-5',
    servedModel: 'claude-opus-5.5',
    path: '/v1/messages',
    streamed: true,
    initiator: 'user',
    reason: { code: 'prompt', rule: 'main-new-prompt', sentence: 'new prompt 1ec2' },
    fits: [{ code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' }],
    status: 200,
    held: false,
    outcome: 'done',
    stopReason: 'end_turn',
    failure: {
      source: 'copilot',
      status: 529,
      code: 'overloaded',
      message: 'Überlastet “now”',
      clientMessage: 'try again',
    },
    attempts: [
      { at: 3.25, status: 401, retriedBecause: 'token refused', upstreamRequestId: 'up-1' },
      { at: 88.5, status: 200, retriedBecause: null, upstreamRequestId: 'up-2' },
    ],
    times: {
      read: 0.75,
      held: { from: 1, until: 1.25 },
      sent: 1.5,
      headers: 320,
      firstEvent: 440,
      lastEvent: 18_601,
    },
    tokens: { input: 9, output: 13, cacheRead: 5071, cacheWrite: 0 },
    charge: {
      kind: 'billed',
      nanoAiu: 290_550_000,
      premiumRequests: 0.33,
      partial: true,
      details: [{ type: 'input', count: 9, costPerBatch: 500_000_000_000, batchSize: 1_000_000 }],
    },
    upstreamRequestIds: ['up-1', 'up-2'],
    shape: {
      request: {
        bytes: 241_882,
        messages: { user: 8, assistant: 7 },
        tools: 12,
        images: 0,
        thinking: 'adaptive, effort high',
      },
      answer: {
        bytes: 38_204,
        events: 318,
        blocks: [
          { type: 'text', name: null },
          { type: 'tool_use', name: 'Read' },
        ],
        longestGap: 1921,
        pings: 1,
      },
      toolsBefore: [{ name: 'Bash', took: 24 }],
    },
    ...change,
  };
}

/** An exchange that never came far: null wherever null may be. */
export function bareExchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: 'ex-bare',
    startedAt: 1_795_000_000_001,
    api: 'chat',
    client: 'codex',
    session: null,
    prompt: null,
    requestClass: null,
    agentId: null,
    agentType: null,
    askedModel: null,
    servedModel: null,
    path: null,
    streamed: false,
    initiator: null,
    reason: null,
    fits: [],
    status: null,
    held: false,
    outcome: 'cancelled',
    stopReason: null,
    failure: null,
    attempts: [],
    times: { sent: null, headers: null, firstEvent: null, lastEvent: null },
    tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
    charge: { kind: 'none', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
    upstreamRequestIds: [],
    ...change,
  };
}
