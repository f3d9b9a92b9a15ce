import { join } from 'node:path';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { Exchange } from '../../../app/api/exchange.ts';
import { openHistory } from '../../../app/history/history.ts';
import { median, quantile, shown } from '../figures.ts';
import type { Measure } from './measure.ts';

let files = 0;

/**
 * What the log costs the thread that carries the bytes: handing a row over, and writing it to a real file afterwards.
 */
export const log: Measure = {
  title: 'Log',
  async run({ bench, quick }) {
    const path = join(bench.folder, `history-${++files}.db`);
    const { history, ledger } = openHistory(path, { clock: nodeClock(), log: { write: () => {} } });
    const handed: number[] = [];
    const written: number[] = [];
    for (let index = 0; index < (quick ? 1000 : 3000); index++) {
      const id = `req_${index}`;
      const began = performance.now();
      ledger.accept(id, id);
      ledger.settle(id, 'whole');
      history.record(exchange(id));
      const done = performance.now();
      // The history does so itself after the turn of the event loop.
      history.flush();
      handed.push((done - began) * 1000);
      written.push(performance.now() - done);
    }
    const count = history.count();
    history.close();
    return [
      {
        name: 'log: handing a row over',
        value: median(handed),
        unit: 'µs',
        limit: 20,
        beside: `${count} rows, each in a transaction of its own`,
        repeats: 'least',
      },
      {
        name: 'log: writing it afterwards',
        value: median(written),
        unit: 'ms',
        limit: 0.25,
        beside: `99 % within ${shown(quantile(written, 0.99), 'ms')}, longest ${shown(Math.max(...written), 'ms')}`,
        repeats: 'least',
      },
    ];
  },
};

function exchange(id: string): Exchange {
  return {
    id,
    startedAt: Date.now(),
    api: 'messages',
    client: 'claude-code',
    session: '5f0c2d8e-5a57-4c0e-9a7f-6b1f7d3c2a10',
    prompt: '88087040-6cb6-4bd6-a79e-3945c22d6912',
    requestClass: 'main',
    agentId: null,
    agentType: null,
    askedModel: 'claude-sonnet-4.6',
    servedModel: 'claude-sonnet-4.6',
    path: '/v1/messages',
    streamed: true,
    initiator: 'agent',
    reason: { code: 'tool-results', rule: '4', sentence: 'The last message holds results of tools.' },
    fits: [{ code: 'remove-metadata', count: 1, text: 'metadata left out' }],
    status: 200,
    held: false,
    outcome: 'done',
    stopReason: 'tool_use',
    failure: null,
    attempts: [{ at: 1, status: 200, retriedBecause: null, upstreamRequestId: 'A1B2:C3D4' }],
    times: { sent: 1, headers: 900, firstEvent: 901, lastEvent: 9000 },
    tokens: { input: 16, output: 2000, cacheRead: 30_000, cacheWrite: 400 },
    charge: { kind: 'unknown', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
    upstreamRequestIds: ['A1B2:C3D4'],
  };
}
