import type { Exchange } from '../../../app/api/exchange.ts';

/** A finished request of Claude Code's, as the meter leaves it. */
export function exchange(given: Partial<Exchange> = {}): Exchange {
  return {
    id: 'x1',
    startedAt: new Date(2026, 10, 20, 10, 39, 41, 318).getTime(),
    api: 'messages',
    client: 'claude-code',
    session: '7f3a91c2-0000-4000-8000-000000000000',
    prompt: '1ec2aaaa',
    requestClass: 'main',
    agentId: null,
    agentType: null,
    askedModel: 'opus',
    servedModel: 'claude-opus-4.8',
    path: '/v1/messages',
    streamed: true,
    initiator: 'user',
    reason: { code: 'prompt', rule: 'main-new-prompt', sentence: 'New.' },
    fits: [],
    status: 200,
    held: false,
    outcome: 'done',
    stopReason: 'end_turn',
    failure: null,
    attempts: [],
    times: { sent: 3, headers: 400, firstEvent: 440, lastEvent: 18_600 },
    tokens: { input: 1200, output: 702, cacheRead: 150_000, cacheWrite: 4 },
    charge: { kind: 'billed', nanoAiu: 7_528_000_000, premiumRequests: null, partial: false, details: [] },
    upstreamRequestIds: [],
    ...given,
  };
}
