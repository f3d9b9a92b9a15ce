import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { nodeClock } from '../../app/adapters/clock.ts';
import { openHistory } from '../../app/history/history.ts';
import { columns } from '../../app/history/row.ts';
import { rowsAsSent } from './rows-as-sent.ts';

/** Rows of four and a half busy days; all others are their copies. */
const ownRows = 20_000;

/** Of ids that are told apart by it; three characters amid them. */
const mark = (copy: number) => copy.toString(16).padStart(3, '0');

/** A million rows lie within 90 days: the copies of neighbouring days lie within one another. */
const overlap = 0.4;

/** A history of `rows`, the newest of the last minute: written by the product, then copied into the past. */
export async function writeManyRows(path: string, rows: number): Promise<void> {
  const { history } = openHistory(path, { clock: nodeClock(), log: { write: () => {} } });
  for (const [index, row] of rowsAsSent(ownRows, Date.now() - 60_000).entries()) {
    history.record(row);
    if (index % 500 === 499) await turn();
  }
  history.close();
  const database = new DatabaseSync(path);
  const days = database.prepare('SELECT max(started_at) - min(started_at) AS days FROM exchanges').get()?.days;
  for (let copy = 1; copy < rows / ownRows; copy += 1) {
    const values = columns.map((column) => {
      if (column === 'started_at') return `started_at - ${Math.round(copy * overlap * Number(days))}`;
      return ['id', 'session', 'prompt'].includes(column)
        ? `substr(${column}, 1, 5) || '${mark(copy)}' || substr(${column}, 9)`
        : column;
    });
    // Once in many thousands the characters are the same.
    database.exec(`INSERT OR IGNORE INTO exchanges (${columns.join(', ')}) SELECT ${values.join(', ')}
      FROM exchanges WHERE seq <= ${ownRows} ORDER BY seq`);
    await turn();
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
