import { execFileSync } from 'node:child_process';
import { median, shown } from '../figures.ts';
import type { Measure } from './measure.ts';

/**
 * From the spawn of the built product to its first 200 on /healthz. Each start has a new JUMPSEAT_HOME; compiled code
 * is kept from the first one.
 */
export const start: Measure = {
  title: 'Start',
  async run({ bench }) {
    const times: number[] = [];
    for (let count = 0; count < 7; count++) {
      const product = await bench.startProduct();
      times.push(product.ms);
      await product.stop();
    }
    const bare = median(
      [0, 1, 2, 3, 4].map(() => {
        const began = performance.now();
        execFileSync(process.execPath, ['-e', '0'], { env: bench.environment() });
        return performance.now() - began;
      }),
    );
    return [
      {
        name: 'process start to first answer',
        // The first two fill the cache of compiled code.
        value: median(times.slice(2)),
        unit: 'ms',
        limit: 150,
        beside: `node alone ${shown(bare, 'ms')}; the very first ${shown(times[0] ?? 0, 'ms')}`,
        repeats: 'least',
      },
    ];
  },
};
