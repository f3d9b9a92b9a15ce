import type { Exchange } from '../app/api/exchange.ts';

/** One ordinary request of a person, done and billed. */
export function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: '0f0e0d0c-0001',
    startedAt: new Date(2026, 10, 20, 10, 39, 41, 318).getTime(),
    api: 'messages',
    client: 'claude-code',
    session: '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3',
    prompt: '1ec277a0-93f1-4e0c-8a15-d2b64c90fe11',
    requestClass: 'main',
    agentId: null,
    agentType: null,
    askedModel: 'opus',
    servedModel: 'claude-opus-4.8',
    path: '/v1/messages',
    streamed: true,
    initiator: 'user',
    reason: { code: 'prompt', rule: 'main-new-prompt', sentence: 'new prompt 1ec2…' },
    fits: [],
    status: 200,
    held: false,
    outcome: 'done',
    stopReason: 'tool_use',
    failure: null,
    attempts: [{ at: 17, status: 200, retriedBecause: null, upstreamRequestId: 'C0E2:3B41F7' }],
    times: { sent: 17, headers: 942, firstEvent: 1240, lastEvent: 18_620 },
    tokens: { input: 412, output: 1187, cacheRead: 58_214, cacheWrite: 2310 },
    charge: {
      kind: 'billed',
      nanoAiu: 7_528_000_000,
      premiumRequests: null,
      partial: false,
      details: [
        { type: 'input', count: 412, costPerBatch: 500e9, batchSize: 1_000_000 },
        { type: 'cache_read', count: 58_214, costPerBatch: 50e9, batchSize: 1_000_000 },
        { type: 'cache_write', count: 2310, costPerBatch: 625e9, batchSize: 1_000_000 },
        { type: 'output', count: 1187, costPerBatch: 2500e9, batchSize: 1_000_000 },
      ],
    },
    upstreamRequestIds: ['C0E2:3B41F7:1A9C22:1D07E5:691EF0FD'],
    ...change,
  };
}
