import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { nodeClock } from '../../app/adapters/clock.ts';
import { openHistory } from '../../app/history/history.ts';
import { columns } from '../../app/history/row.ts';
import { busyDays } from '../renderer/example-exchanges.ts';

/** Rows of four and a half busy days; all others are their copies. */
const ownRows = 20_000;

/** Of ids that are told apart by it; their last three characters. */
const mark = (copy: number) => copy.toString(16).padStart(3, '0');

/**
 * A history of `rows`, 4 500 a day, the newest of the last minute: written by the product, then copied day by day into
 * the past.
 */
export async function writeManyRows(path: string, rows: number): Promise<void> {
  const { history } = openHistory(path, { clock: nodeClock(), log: { write: () => {} } });
  for (const [index, row] of busyDays(ownRows, Date.now() - 60_000).entries()) {
    history.record(row);
    if (index % 500 === 499) await turn();
  }
  history.close();
  const database = new DatabaseSync(path);
  const days = database.prepare('SELECT max(started_at) - min(started_at) AS days FROM exchanges').get()?.days;
  for (let copy = 1; copy < rows / ownRows; copy += 1) {
    const values = columns.map((column) => {
      if (column === 'started_at') return `started_at - ${copy} * ${Number(days)}`;
      return ['id', 'session', 'prompt'].includes(column) ? `substr(${column}, 1, 33) || '${mark(copy)}'` : column;
    });
    database.exec(`INSERT INTO exchanges (${columns.join(', ')}) SELECT ${values.join(', ')}
      FROM exchanges WHERE seq <= ${ownRows} ORDER BY seq`);
    await turn();
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
