import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, quantile, shown } from '../figures.ts';
import { cpuMs, type Measured } from '../processes.ts';
import { chatModel, largeRequest, nativeModel } from '../requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

/** `late`: how late an event of another stream may be for them, 99 of 100. */
const sizes = [
  { name: '150 kB', bytes: 150_000, rounds: 60, late: null },
  { name: '800 kB', bytes: 800_000, rounds: 40, late: 5 },
  { name: '4 MB', bytes: 4_000_000, rounds: 12, late: 10 },
] as const;

const ways = [
  { name: 'native', model: nativeModel, most: 1.25 },
  { name: 'translated', model: chatModel, most: 1.6 },
] as const;

/**
 * Claude Code sends the whole conversation with every step: what a large body costs beside a proxy that only parses and
 * writes it, and for how long it holds up the answers of others.
 */
export const largeRequests: Measure = {
  title: 'Large requests',
  async run(surroundings) {
    const figures: Figure[] = [];
    for (const way of ways) for (const size of sizes) figures.push(await cpuOf(surroundings, way, size));
    for (const size of [null, ...sizes]) figures.push(await lateOf(surroundings, size));
    return figures;
  },
};

/** Of fresh processes: those of people have seen few requests, too. */
async function cpuOf(
  { bench, client, quick }: Surroundings,
  way: (typeof ways)[number],
  size: (typeof sizes)[number],
): Promise<Figure> {
  await bench.script({ events: 20, pace: 'burst' });
  const limit = await bench.startLimit('parse-and-write');
  const product = await bench.startProduct();
  const make = largeRequest(way.model, size.bytes);
  const rounds = quick ? Math.ceil(size.rounds / 3) : size.rounds;
  const spent = new Map<Measured, number[]>([
    [limit, []],
    [product, []],
  ]);
  for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
    await alternate([limit, product], round, async (proxy) => {
      const before = cpuMs(proxy.pid);
      await client.ask(proxy.target, make());
      // What helpers of V8 and the history do for it comes behind its end.
      await sleep(20);
      if (round >= 0) spent.get(proxy)?.push(cpuMs(proxy.pid) - before);
    });
  }
  await Promise.all([limit.stop(), product.stop()]);
  const [theirs, ours] = [mean(spent.get(limit)), mean(spent.get(product))];
  return {
    name: `CPU, ${size.name}, ${way.name}`,
    value: ours / theirs,
    unit: '×',
    limit: size.bytes < 800_000 ? null : way.most,
    beside: `${shown(ours, 'ms')} to ${shown(theirs, 'ms')} of parse-and-write`,
    repeats: 'middle',
  };
}

function mean(values: readonly number[] = []): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const paceMs = 5;
const watchedMs = 6000;

/**
 * Events of one stream come every 5 ms, while large bodies come one after the other: through the product, and through a
 * proxy that parses and writes them and does nothing else.
 */
async function lateOf(surroundings: Surroundings, size: (typeof sizes)[number] | null): Promise<Figure> {
  const { bench } = surroundings;
  const limit = await bench.startLimit('parse-and-write');
  const theirs = await lateThrough(surroundings, limit, size);
  await limit.stop();
  const product = await bench.startProduct();
  const { late, asked } = await lateThrough(surroundings, product, size);
  await product.stop();
  const beside = `median ${shown(median(late), 'ms')}, worst ${shown(Math.max(...late), 'ms')}; ${asked} bodies meanwhile`;
  return {
    name: `an event is late, ${size === null ? 'no large body' : size.name}, p99`,
    value: quantile(late, 0.99),
    unit: 'ms',
    limit: size?.late ?? null,
    beside: `${beside}; ${shown(quantile(theirs.late, 0.99), 'ms')} through parse-and-write, ${theirs.asked} bodies`,
    repeats: 'least',
  };
}

async function lateThrough(
  { bench, client, quick }: Surroundings,
  { target }: Measured,
  size: (typeof sizes)[number] | null,
): Promise<{ late: number[]; asked: number }> {
  const length = quick ? watchedMs / 3 : watchedMs;
  const make = size === null ? null : largeRequest(nativeModel, size.bytes);
  await bench.script({ events: 20, pace: 'burst' });
  for (let warm = 0; warm < 10; warm++) if (make !== null) await client.ask(target, make());
  await bench.script({ events: Math.round(length / paceMs), pace: paceMs, stamped: true });
  const watching = await bench.watch(target, nativeModel);
  await bench.script({ events: 20, pace: 'burst' });
  let asked = 0;
  const over = performance.now() + length - 500;
  while (make !== null && performance.now() < over) {
    await client.ask(target, make());
    asked++;
  }
  return { late: await watching.late, asked };
}
