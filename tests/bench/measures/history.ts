import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { type OpenedHistory, openHistory } from '../../../app/history/history.ts';
import { columns, toRow } from '../../../app/history/row.ts';
import { exchange } from '../../exchange.ts';
import { type Figure, median, quantile, shown } from '../figures.ts';
import { writeManyRows } from '../many-rows.ts';
import { rowsAsSent } from '../rows-as-sent.ts';
import type { Measure } from './measure.ts';

const dayMs = 24 * 60 * 60 * 1000;
let path: string | null = null;
/** Where the history begins; each run prunes two days more. */
let kept = 87;

/** What a long history costs: what is asked of it, and the rows that are written while it is pruned. */
export const history: Measure = {
  title: 'History',
  async run({ bench, quick }) {
    const rows = quick ? 200_000 : 1_000_000;
    if (path === null) {
      const file = join(bench.folder, 'many-rows.db');
      await writeManyRows(file, rows);
      path = file;
      if (quick) kept = 15;
    }
    const file = path;
    const perRow = statSync(file).size / rows;
    const began = performance.now();
    const opened = openHistory(file, { clock: nodeClock(), log: { write: () => {} } });
    const opening = performance.now() - began;
    try {
      const since = Date.now() - 90 * dayMs;
      // The thread that answers comes with the first question.
      await opened.sums.askedNames(Date.now() - dayMs);
      const page = await timed(() => opened.history.recent({ limit: 500 }));
      const used = await timed(() => opened.history.usedModels(since));
      const anew = await timed(() => opened.sums.totals('model', since));
      await opened.sums.tidy();
      const totals = await timed(() => opened.sums.totals('day', since));
      const conversations = await timed(() => opened.sums.conversations({ since, limit: 50, offset: 0 }));
      const others = `before sums are kept ${shown(anew, 'ms')}, conversations ${shown(conversations, 'ms')}`;
      return [
        figure('opening it', opening, 50, `${rows} rows, ${Math.round(perRow)} bytes each`),
        figure('first page', page, 300, '500 rows, all there is of each'),
        figure('models that were used', used, 10, 'on the thread that carries the bytes'),
        figure('totals of 90 days', totals, 500, `on another thread; ${others}`),
        await costsOfClients(opened),
        packing(),
        await whilePruning(opened),
      ];
    } finally {
      await opened.sums.close();
      opened.history.close();
    }
  },
};

/** Every client and session, as the list of sessions asks whenever a request ended. */
async function costsOfClients({ history, sums }: OpenedHistory): Promise<Figure> {
  const first = await timed(() => sums.clientCosts());
  history.record(exchange({ id: `cost-${kept}`, startedAt: Date.now() }));
  const again = await timed(() => sums.clientCosts());
  return figure('costs of clients after a request', again, 100, `at first ${shown(first, 'ms')}`);
}

/** What a row holds of lists, reasons and ids, beside their JSON and the whole ids. */
function packing(): Figure {
  const rows = rowsAsSent(5_000, Date.now());
  const numbers = new Map<string, number>();
  const number = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size + 1;
    numbers.set(text, known);
    return known;
  };
  for (const row of rows) toRow(row, { number });
  const began = process.cpuUsage();
  const packed = rows.map((row) => toRow(row, { number }));
  const { user, system } = process.cpuUsage(began);
  const bytes = (values: readonly unknown[]) => values.join('').length / rows.length;
  const inColumns = (names: readonly (typeof columns)[number][]) =>
    Math.round(bytes(packed.flatMap((row) => names.map((name) => row[columns.indexOf(name)]))));
  const lists = rows.flatMap(({ fits, attempts, charge, upstreamRequestIds, shape, reason }) =>
    [fits, attempts, charge.details, upstreamRequestIds, shape, reason].map((value) => JSON.stringify(value)),
  );
  const ids = rows.flatMap(({ id, session, prompt }) => [id, session, prompt]);
  const packedLists = ['fits', 'attempts', 'charge_details', 'upstream_request_ids', 'shape', 'reason_rule'] as const;
  const beside =
    `CPU; lists and reason ${Math.round(bytes(lists))} bytes as JSON, ${inColumns(packedLists)} in the row; ` +
    `ids ${Math.round(bytes(ids))}, ${inColumns(['id', 'session', 'prompt'])} in the row`;
  return figure('packing a row', (user + system) / 1_000 / rows.length, 0.1, beside);
}

/** Both writes of an exchange: the one before it is sent, and its row. */
async function whilePruning({ history, sums }: OpenedHistory): Promise<Figure> {
  kept -= 2;
  let pruning = true;
  const before = history.count();
  const done = sums.prune(Date.now() - kept * dayMs).finally(() => {
    pruning = false;
  });
  const times: number[] = [];
  while (pruning) {
    const row = exchange({ id: `new-${kept}-${times.length}`, startedAt: Date.now() });
    const began = performance.now();
    history.sends(row);
    history.record(row);
    history.flush();
    times.push(performance.now() - began);
    await pause(5);
  }
  await done;
  const went = before + times.length - history.count();
  const longest = shown(Math.max(...times), 'ms');
  const beside = `median ${shown(median(times), 'ms')}, longest ${longest} of ${times.length}; ${went} rows went`;
  return figure('a row written while it is pruned, 99 %', quantile(times, 0.99), 10, beside);
}

async function timed(question: () => unknown): Promise<number> {
  const began = performance.now();
  await question();
  return performance.now() - began;
}

function figure(name: string, value: number, limit: number, beside: string): Figure {
  return { name: `history: ${name}`, value, unit: 'ms', limit, beside, repeats: 'least' };
}
