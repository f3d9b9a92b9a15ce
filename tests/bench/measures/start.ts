import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, shown } from '../figures.ts';
import { type Bench, cpuMs, sleeps } from '../processes.ts';
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
      ...(await commands(bench, bare)),
      await atRest(bench),
    ];
  },
};

const asked = [
  { args: ['--version'], most: 50 },
  { args: ['env'], most: 90 },
  { args: ['status'], most: 90 },
];

/** Commands that are over at once, beside a Jumpseat that runs: from the spawn to the exit. */
async function commands(bench: Bench, bare: number): Promise<Figure[]> {
  const home = join(bench.folder, 'home-of-commands');
  const env = { JUMPSEAT_KEY: 'bench'.repeat(10) };
  const product = await bench.startProduct({ home, env });
  const figures = asked.map(({ args, most }): Figure => {
    const times = Array.from({ length: 12 }, () => bench.command(args, home, env)).slice(2);
    return {
      name: `jumpseat ${args.join(' ')}`,
      value: median(times),
      unit: 'ms',
      limit: most,
      beside: `least ${shown(Math.min(...times), 'ms')}; node alone ${shown(bare, 'ms')}`,
      repeats: 'least',
    };
  });
  await product.stop();
  return figures;
}

/** What a start leaves for later is done by then. */
const settledMs = 10_000;
const restMs = 30_000;

/** A laptop sleeps deeper the less it is woken. */
async function atRest(bench: Bench): Promise<Figure> {
  const product = await bench.startProduct();
  await sleep(settledMs);
  const [woken, cpu] = [sleeps(product.pid), cpuMs(product.pid)];
  await sleep(restMs);
  const perMinute = 60_000 / restMs;
  const value = (sleeps(product.pid) - woken) * perMinute;
  const spent = (cpuMs(product.pid) - cpu) * perMinute;
  await product.stop();
  const beside = `of all its threads; ${shown(spent, 'ms')} of CPU`;
  return { name: 'wake-ups in a minute at rest', value, unit: '', limit: 60, beside, repeats: 'least' };
}
