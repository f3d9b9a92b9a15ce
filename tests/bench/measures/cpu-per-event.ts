import { inParallel } from '../client.ts';
import type { Script } from '../copilot.ts';
import { type Figure, median, quantile, shown } from '../figures.ts';
import { cpuMs, type Measured } from '../processes.ts';
import { type Body, chatModel, nativeModel, responsesModel, smallRequest } from '../requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

const most = 1.25;

/**
 * CPU time of the proxy’s process per event of a long answer, as a ratio to the limit of the same kind, both run by
 * turns.
 */
export const cpuPerEvent: Measure = {
  title: 'CPU per event',
  async run(surroundings) {
    const { bench, quick } = surroundings;
    const passThrough = await bench.startLimit('pass-through');
    const translator = await bench.startLimit('minimal-translator');
    const product = await bench.startProduct();
    const count = quick ? 1000 : 2000;
    const each: Run = { script: { events: count, pace: 'each' }, streams: 4, rounds: quick ? 7 : 15 };
    const fifty: Run = { script: { events: count / 4, pace: 'each' }, streams: 50, rounds: quick ? 3 : 6 };
    const paced: Run = { script: { events: count, pace: 1 }, streams: 6, rounds: quick ? 3 : 6 };
    const burst: Run = { script: { events: count, pace: 'burst' }, streams: 16, rounds: quick ? 5 : 9 };
    const figures: Figure[] = [];
    for (const [kind, model, limit] of [
      ['native', nativeModel, passThrough],
      ['translated', chatModel, translator],
      ['translated from Responses', responsesModel, translator],
    ] as const) {
      for (const [how, run, allowed] of [
        ['written one by one', each, most],
        ['50 at once', fifty, most],
        ['paced', paced, most],
        ['in bursts', burst, kind === 'native' ? null : most],
      ] as const) {
        const make = smallRequest(model);
        figures.push(await compare(surroundings, { name: `${kind}, ${how}`, make, run, allowed }, limit, product));
      }
    }
    await Promise.all([passThrough, translator, product].map((proxy) => proxy.stop()));
    return figures;
  },
};

export interface Run {
  script: Script;
  /** At once. */
  streams: number;
  rounds: number;
}

export interface Comparison {
  name: string;
  make: () => Body;
  /** Where it is asked, if not for a message. */
  path?: string;
  run: Run;
  allowed: number | null;
}

export async function compare(
  { bench, client }: Surroundings,
  { name, make, path, run, allowed }: Comparison,
  limit: Measured,
  product: Measured,
): Promise<Figure> {
  await bench.script(run.script);
  const spent = { limit: [] as number[], product: [] as number[] };
  for (let round = -1; round < run.rounds; round++) {
    await alternate(['limit', 'product'] as const, round, async (which) => {
      const { pid, target } = which === 'limit' ? limit : product;
      const before = cpuMs(pid);
      await inParallel(run.streams, run.streams, () =>
        client.ask(path === undefined ? target : { ...target, path }, make()),
      );
      const us = ((cpuMs(pid) - before) * 1000) / (run.streams * run.script.events);
      if (round >= 0) spent[which].push(us);
    });
  }
  const ratios = spent.product.map((us, round) => us / (spent.limit[round] ?? Number.NaN));
  return {
    name: `CPU per event, ${name}`,
    value: median(ratios),
    unit: '×',
    limit: allowed,
    beside:
      `${shown(median(spent.product), 'µs')} to ${shown(median(spent.limit), 'µs')} of the ${limit.target.name}; ` +
      `half of the ratios in ${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
    repeats: 'middle',
  };
}
