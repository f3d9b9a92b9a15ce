import { type Figure, median, quantile, shown } from '../figures.ts';
import type { Measured } from '../processes.ts';
import { type Body, largeRequest, nativeModel, smallRequest } from '../requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

/** What a proxy adds to the first byte: the same client asks Copilot directly and through the proxy, by turns. */
export const firstByte: Measure = {
  title: 'First byte',
  async run(surroundings) {
    const { bench, quick } = surroundings;
    const limit = await bench.startLimit('pass-through');
    const product = await bench.startProduct();
    await bench.script({ events: 20, pace: 'burst' });
    const proxies = [limit, product];
    const small = await compare(surroundings, proxies, smallRequest(nativeModel), quick ? 150 : 500);
    const large = await compare(surroundings, proxies, largeRequest(nativeModel, 150_000), quick ? 60 : 200);
    const huge = await compare(surroundings, proxies, largeRequest(nativeModel, 4_000_000), quick ? 12 : 30);
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    return [
      figure('added to the first byte, small request', 1.0, small),
      figure('added to the first byte, 150 kB', 2.0, large),
      figure('added to the first byte, 4 MB', 25, huge),
    ];
  },
};

interface Compared {
  product: number;
  limit: number;
  direct: number;
  slow: number;
}

async function compare(
  { bench, client }: Surroundings,
  [limit, product]: readonly Measured[],
  make: () => Body,
  rounds: number,
): Promise<Compared> {
  const targets = [bench.direct, limit?.target ?? bench.direct, product?.target ?? bench.direct];
  const warming = Math.ceil(rounds / 3);
  const times = targets.map((): number[] => []);
  for (let round = -warming; round < rounds; round++) {
    await alternate([0, 1, 2], round, async (index) => {
      const target = targets[index] ?? bench.direct;
      const { firstByteMs } = await client.ask(target, make());
      if (round >= 0) times[index]?.push(firstByteMs);
    });
  }
  const [direct = [], through = [], ours = []] = times;
  const added = (values: readonly number[]): number[] => values.map((value, index) => value - (direct[index] ?? 0));
  return {
    product: median(added(ours)),
    limit: median(added(through)),
    direct: median(direct),
    slow: quantile(added(ours), 0.9),
  };
}

function figure(name: string, limit: number, { product, limit: through, direct, slow }: Compared): Figure {
  return {
    name,
    value: product,
    unit: 'ms',
    limit,
    beside: `pass-through adds ${shown(through, 'ms')}; direct ${shown(direct, 'ms')}; 90 % ${shown(slow, 'ms')}`,
    repeats: 'least',
  };
}
