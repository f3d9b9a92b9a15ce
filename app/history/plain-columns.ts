import type { SQLOutputValue } from 'node:sqlite';
import { plainId } from './compact-id.ts';
import type { WordTexts } from './packed.ts';

/** The columns that an exchange and its line in a list hold alike, under the names of both. */
export function plainColumns(row: Record<string, SQLOutputValue>): Record<string, SQLOutputValue | undefined> {
  return {
    id: id(row.id),
    startedAt: row.started_at,
    api: row.api,
    client: row.client,
    session: id(row.session),
    prompt: id(row.prompt),
    requestClass: row.request_class,
    agentType: row.agent_type,
    path: row.path,
    initiator: row.initiator,
    status: row.status,
    outcome: row.outcome,
  };
}

/** Absent in rows of a time with one account. */
export function accountOf({ account }: Record<string, SQLOutputValue>, words: WordTexts): { account?: string } {
  const name = typeof account === 'number' ? words.text(account) : undefined;
  return name === undefined ? {} : { account: name };
}

function id(value: SQLOutputValue | undefined): SQLOutputValue | undefined {
  return typeof value === 'string' ? plainId(value) : value;
}
