import { createHash } from 'node:crypto';
import type { Exchange, Shape } from '../../app/api/exchange.ts';
import { busyDays } from '../renderer/example-exchanges.ts';

/**
 * Busy days with what real requests leave in a row: ids as clients, Jumpseat, Copilot and GitHub make them, times as
 * the clock measures them, and what is known of contents. `tests/app/history/row-bytes.test.ts` holds their size to
 * that of rows of recorded requests.
 */
export function rowsAsSent(count: number, until: number): Exchange[] {
  return busyDays(count, until).map(asSent);
}

/** Of these a session is made. */
const requestsOfSession = 120;

function asSent(row: Exchange, index: number): Exchange {
  const { prompt, reason, times, askedModel, agentId } = row;
  const attemptId = row.attempts[0]?.upstreamRequestId ?? null;
  const upstream = attemptId === null ? null : uuid(`upstream ${index}`);
  const promptId = prompt === null ? null : uuid(prompt);
  const named = reason?.code === 'prompt' ? `new prompt ${promptId?.slice(0, 4)}…` : reason?.sentence;
  const part = ((index * 7919) % 1000) / 1000;
  const moment = (value: number | null): number | null => (value === null ? null : value + part / 7);
  return {
    ...row,
    id: `req_${uuid(`exchange ${index}`)}`,
    session: uuid(`session ${Math.floor(index / requestsOfSession)}`),
    prompt: promptId,
    agentId: agentId === null ? null : uuid(`${prompt}`).slice(0, 8),
    askedModel: row.servedModel?.replaceAll('.', '-') ?? askedModel,
    reason: reason === null ? null : { ...reason, sentence: named ?? '' },
    attempts: row.attempts.map((attempt) => ({
      ...attempt,
      at: Math.round((3 + part) * 100) / 100,
      token: 0,
      connect: 0,
      upstreamRequestId: upstream,
    })),
    times: {
      read: 0.4 + part / 9,
      sent: moment(times.sent),
      headers: moment(times.headers),
      firstEvent: moment(times.firstEvent),
      lastEvent: moment(times.lastEvent),
    },
    upstreamRequestIds: upstream === null ? [] : [upstream, githubId(index)],
    shape: shapeOf(row, index, part),
  };
}

function shapeOf(row: Exchange, index: number, part: number): Shape {
  const steps = 1 + (index % 40);
  const side = row.requestClass === 'auxiliary';
  const output = row.tokens.output ?? 0;
  const failed = row.outcome === 'failed';
  return {
    request: {
      bytes: 48_000 + steps * 3_217 + Math.round(part * 1000),
      messages: side ? { user: 1 } : { user: steps, system: 1, assistant: steps },
      tools: side ? 0 : 27,
      images: 0,
      thinking: side ? null : 'adaptive, effort medium',
      context: {
        parts: {
          system: 3_100,
          ...(side ? {} : { tools: 14_200, mcp: 2_810, memory: 1_900, assistant: steps * 20, results: steps * 900 }),
          user: 100 + (index % 900),
        },
        room: side ? 512 : 32_000,
      },
    },
    answer: failed
      ? null
      : {
          bytes: output * 5 + 2_031,
          events: output + 9,
          blocks: [
            { type: 'thinking', name: null },
            { type: 'text', name: null },
            { type: 'tool_use', name: index % 3 === 0 ? 'Bash' : 'Read' },
          ].slice(0, side ? 1 : 2 + (index % 2)),
          longestGap: 120 + part * 1900,
          pings: 0,
        },
    toolsBefore: row.initiator === 'user' || side ? [] : [{ name: 'Bash', took: 20 + (index % 900) }],
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function uuid(text: string): string {
  const hex = hash(text);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** `C0E2:3B41F7:1A9C22:1D07E5:691EF0FD` */
function githubId(index: number): string {
  const hex = hash(`github ${index}`).toUpperCase();
  return [hex.slice(0, 4), hex.slice(4, 10), hex.slice(10, 16), hex.slice(16, 22), hex.slice(22, 30)].join(':');
}
