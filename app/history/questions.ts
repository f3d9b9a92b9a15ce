import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';
import { cacheSavings, lastPricesSql } from './cache-savings.ts';
import { type ClientCost, clientCostsSql, toClientCost } from './client-costs.ts';
import { formsOf } from './compact-id.ts';
import { conversationsSql, partsSql, toConversation, toPrompts } from './conversations.ts';
import { type CostsMark, type LaterCosts, laterCosts } from './kept-costs.ts';
import { totals } from './totals.ts';

/**
 * What may touch every row there is, and therefore is asked on another thread (`sums.ts`), or here where there is none.
 */
export interface Questions {
  totals: { which: { by: TotalsKey; since: number; zone: TimeZone }; answer: TotalsRow[] };
  cacheSavings: { which: { since: number }; answer: CacheSavings };
  conversations: { which: { since: number; limit: number; offset: number }; answer: Conversation[] };
  conversation: {
    which: { since: number; client: string; session: string | null };
    answer: ConversationPrompt[];
  };
  askedNames: { which: { since: number }; answer: string[] };
  clientCosts: { which: { since: number }; answer: ClientCost[] };
  laterCosts: { which: { after: CostsMark | null }; answer: LaterCosts };
}
export type QuestionName = keyof Questions;
export type Which<Name extends QuestionName> = Questions[Name]['which'];
export type Answer<Name extends QuestionName> = Questions[Name]['answer'];

type Row = Record<string, SQLOutputValue>;

/** The database that is asked. `bigInts`: numbers come as such. */
export type Rows = (sql: string, values: readonly SQLInputValue[], bigInts?: boolean) => Row[];

const askedNamesSql = `SELECT asked_model AS name FROM exchanges
  WHERE started_at >= ? AND asked_model IS NOT NULL AND api <> 'embeddings'
  GROUP BY asked_model ORDER BY max(started_at) DESC LIMIT 100`;

const answers: { readonly [Name in QuestionName]: (rows: Rows, which: Which<Name>) => Answer<Name> } = {
  totals,
  cacheSavings: (rows, { since }) =>
    cacheSavings(
      answers.totals(rows, { by: 'model', since, zone: 'utc' }),
      (model) => rows(lastPricesSql, [model, since])[0],
    ),
  conversations: (rows, { since, limit, offset }) => rows(conversationsSql, [since, limit, offset]).map(toConversation),
  conversation: (rows, { since, client, session }) =>
    toPrompts(rows(partsSql(session), [since, client, ...(session === null ? [] : formsOf(session))])),
  clientCosts: (rows, { since }) => rows(clientCostsSql, [since]).map(toClientCost),
  laterCosts: (rows, { after }) => laterCosts(rows, after),
  askedNames: (rows, { since }) =>
    rows(askedNamesSql, [since]).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
};

/** Throws what the database throws. */
export function answer<Name extends QuestionName>(name: Name, rows: Rows, which: Which<Name>): Answer<Name> {
  return answers[name](rows, which);
}

/** Reads by statements that are prepared once for each text. */
export function rowsOf(prepare: (sql: string) => StatementSync): Rows {
  return (sql, values, bigInts = false) => {
    const statement = prepare(sql);
    statement.setReadBigInts(bigInts);
    return statement.all(...values);
  };
}

/** The same for a database of its own. */
export function rowsIn(database: DatabaseSync): Rows {
  const statements = new Map<string, StatementSync>();
  return rowsOf((sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  });
}
