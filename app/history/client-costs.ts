import type { SQLOutputValue } from 'node:sqlite';
import type { TurnCost } from '../api/sessions.ts';
import { plainId } from './compact-id.ts';

/** What one client's requests of one session cost. */
export interface ClientCost {
  client: string;
  session: string | null;
  cost: TurnCost;
}

/** As costs of turns are summed: what was refused or never sent counts as no request. */
const counts = `charge_kind <> 'none'`;

const costsSql = (where: string): string => `SELECT client, session,
    total(charge_nano_aiu) AS nano_aiu,
    total(charge_premium_requests) AS premium_requests,
    count(*) FILTER (WHERE charge_kind = 'unknown' OR (charge_partial = 1 AND outcome <> 'done')) AS unknown,
    count(*) FILTER (WHERE initiator = 'user' AND ${counts}) AS user,
    count(*) FILTER (WHERE initiator = 'agent' AND ${counts}) AS agent,
    total(input_tokens) + total(cache_write_tokens) AS input,
    total(cache_read_tokens) AS cached,
    total(output_tokens) AS output
  FROM exchanges WHERE ${where} GROUP BY client, session`;

/** Parameter: since. */
export const clientCostsSql = costsSql('started_at >= ?');

/** Parameter: the row that they come after. */
export const laterCostsSql = costsSql('seq > ?');

export function toClientCost(row: Record<string, SQLOutputValue>): ClientCost {
  return {
    client: String(row.client),
    session: typeof row.session === 'string' ? plainId(row.session) : null,
    cost: {
      nanoAiu: figure(row.nano_aiu),
      // Multipliers have two decimals; 0.33 three times is 0.99.
      premiumRequests: Math.round(figure(row.premium_requests) * 1e6) / 1e6,
      isPartlyUnknown: figure(row.unknown) > 0,
      running: 0,
      user: figure(row.user),
      agent: figure(row.agent),
      input: figure(row.input),
      cached: figure(row.cached),
      output: figure(row.output),
    },
  };
}

function figure(value: SQLOutputValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
