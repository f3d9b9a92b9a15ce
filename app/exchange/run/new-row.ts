import type { ClientApi, Exchange } from '../../api/exchange.ts';
import type { ClientCall } from '../answering/client-call.ts';
import { pendingCharge } from './meter.ts';

/** The row of a request that has come in and of which nothing is known yet. */
export function newRow(call: ClientCall, api: ClientApi): Exchange {
  return {
    id: call.requestId,
    startedAt: call.startedAt,
    api,
    client: call.client,
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
    outcome: 'running',
    stopReason: null,
    failure: null,
    attempts: [],
    times: { sent: null, headers: null, firstEvent: null, lastEvent: null },
    tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
    charge: pendingCharge,
    upstreamRequestIds: [],
  };
}
