import { inParallel } from '../client.ts';
import { median, shown } from '../figures.ts';
import { cpuMs } from '../processes.ts';
import { largeRequest, nativeModel, smallRequest } from '../requests.ts';
import { alternate, type Measure } from './measure.ts';

/** CPU time of the proxy’s process for one request with a short answer. */
export const cpuPerRequest: Measure = {
  title: 'CPU per request',
  async run({ bench, client, quick }) {
    const limit = await bench.startLimit('pass-through');
    const product = await bench.startProduct();
    await bench.script({ events: 20, pace: 'burst' });
    const proxies = [limit, product];
    const sizes = [smallRequest(nativeModel), largeRequest(nativeModel, 150_000)];
    const counts = quick ? [200, 60] : [500, 150];
    const spent = new Map(proxies.map((proxy) => [proxy, sizes.map((): number[] => [])]));
    for (let round = -1; round < (quick ? 3 : 5); round++) {
      for (const [size, make] of sizes.entries()) {
        await alternate(proxies, round, async (proxy) => {
          const count = counts[size] ?? 0;
          const before = cpuMs(proxy.pid);
          await inParallel(count, 2, () => client.ask(proxy.target, make()));
          if (round >= 0) spent.get(proxy)?.[size]?.push((cpuMs(proxy.pid) - before) / count);
        });
      }
    }
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    const of = (proxy: (typeof proxies)[number], size: number): number => median(spent.get(proxy)?.[size] ?? []);
    return [
      {
        name: 'CPU per small request',
        value: of(product, 0),
        unit: 'ms',
        limit: 1.5,
        beside: `pass-through ${shown(of(limit, 0), 'ms')}`,
        repeats: 'least',
      },
      {
        name: 'CPU per request of 150 kB',
        value: of(product, 1),
        unit: 'ms',
        limit: null,
        beside: `pass-through ${shown(of(limit, 1), 'ms')}`,
        repeats: 'least',
      },
    ];
  },
};
