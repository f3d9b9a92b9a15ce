import type { TotalsRow } from '../../app/api/history.ts';
import { csvCell } from '../../app/words/text.ts';

const columns: readonly [string, (row: TotalsRow) => number][] = [
  ['requests', ({ requests }) => requests],
  ['user', ({ user }) => user],
  ['agent', ({ agent }) => agent],
  ['billed', ({ billed }) => billed],
  ['free', ({ free }) => free],
  ['unknown', ({ unknown }) => unknown],
  ['failed', ({ failed }) => failed],
  ['credits_reported', ({ nanoAiu }) => nanoAiu / 1e9],
  ['credits_user', ({ userNanoAiu }) => userNanoAiu / 1e9],
  ['credits_agent', ({ agentNanoAiu }) => agentNanoAiu / 1e9],
  ['premium_requests_estimated', ({ premiumRequests }) => premiumRequests],
  ['input_tokens', ({ input }) => input],
  ['cache_read_tokens', ({ cacheRead }) => cacheRead],
  ['cache_write_tokens', ({ cacheWrite }) => cacheWrite],
  ['output_tokens', ({ output }) => output],
];

/** The sums of a period, one line each: `by` says whether of an hour, day or month, a model, a client or an account. */
export function toUsageCsv(parts: readonly { by: string; rows: readonly TotalsRow[] }[]): string {
  const head = ['by', 'key', ...columns.map(([name]) => name)].join(',');
  const lines = parts.flatMap(({ by, rows }) =>
    rows.map((row) => [by, csvCell(row.key), ...columns.map(([, pick]) => csvCell(pick(row)))].join(',')),
  );
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
