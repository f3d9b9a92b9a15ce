import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sumOfCosts } from '../api/sum-of-costs.ts';
import { type ClientCost, laterCostsSql, toClientCost } from './client-costs.ts';

/** Up to which row sums were made, and of how many rows. Rows are numbered upwards and don't change. */
export interface CostsMark {
  seq: number;
  id: string;
  rows: number;
}

/** Sums of the rows after a mark; `isWhole`: of all there are, because one up to that mark has gone. */
export interface LaterCosts {
  costs: ClientCost[];
  isWhole: boolean;
  /** Null: there is no row. */
  mark: CostsMark | null;
}

type Rows = (sql: string, values: readonly SQLInputValue[]) => Record<string, SQLOutputValue>[];

/** The number of a row that has gone is given again where that was the last one: then its id is another. */
const markSql = `SELECT seq, id, (SELECT count(*) FROM exchanges) AS rows FROM exchanges ORDER BY seq DESC LIMIT 1`;
const holdsSql = `SELECT (SELECT count(*) FROM exchanges WHERE seq > ?1) AS later
  FROM exchanges WHERE seq = ?1 AND id = ?2`;

/** Throws what the database throws. */
export function laterCosts(rows: Rows, after: CostsMark | null): LaterCosts {
  const [last] = rows(markSql, []);
  const mark = last === undefined ? null : { seq: Number(last.seq), id: String(last.id), rows: Number(last.rows) };
  const holds = after !== null && mark !== null && mark.rows - later(rows, after) === after.rows;
  const costs = rows(laterCostsSql, [holds ? after.seq : 0]).map(toClientCost);
  return { costs, isWhole: !holds, mark };
}

/** How many rows came after a mark; NaN: its own row has gone. */
function later(rows: Rows, { seq, id }: CostsMark): number {
  return Number(rows(holdsSql, [seq, id])[0]?.later ?? Number.NaN);
}

/**
 * What all requests of each client and session cost. Sums are kept, and the rows that came since are added to them:
 * adding up a million takes two seconds.
 */
export class KeptCosts {
  #kept: { mark: CostsMark | null; costs: ReadonlyMap<string, ClientCost> } = { mark: null, costs: new Map() };

  /** Rejects with what `ask` rejects with. */
  async all(ask: (after: CostsMark | null) => Promise<LaterCosts>): Promise<ClientCost[]> {
    // Another one may be asked meanwhile: each adds to the sums that it was asked with.
    const before = this.#kept;
    const { costs: found, isWhole, mark } = await ask(before.mark);
    const costs = new Map(isWhole ? [] : before.costs);
    for (const one of found) {
      const key = JSON.stringify([one.client, one.session]);
      const known = costs.get(key);
      costs.set(key, known === undefined ? one : { ...one, cost: sumOfCosts(known.cost, one.cost) });
    }
    this.#kept = { mark, costs };
    return [...costs.values()];
  }
}
