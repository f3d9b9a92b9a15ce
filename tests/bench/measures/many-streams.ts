import { type Answer, inParallel } from '../client.ts';
import { type Figure, shown } from '../figures.ts';
import { rssMiB } from '../processes.ts';
import { nativeModel, smallRequest } from '../requests.ts';
import type { Measure } from './measure.ts';

const streams = 50;

/** Fifty long answers at once: every event arrives, and nobody waits for another. */
export const manyStreams: Measure = {
  title: 'Many streams',
  async run({ bench, client, quick }) {
    const limit = await bench.startLimit('pass-through');
    const product = await bench.startProduct();
    const events = quick ? 400 : 2000;
    await bench.script({ events, pace: 5 });
    const make = smallRequest(nativeModel);
    const gaps: number[] = [];
    let lost = 0;
    for (const { pid, target } of [limit, product]) {
      await client.ask(target, make());
      const answers: Answer[] = [];
      await inParallel(streams, streams, async () => answers.push(await client.ask(target, make(), { check: true })));
      gaps.push(Math.max(...answers.map((answer) => answer.largestGapMs)));
      if (pid === product.pid) lost = answers.filter((answer) => !answer.whole || answer.deltas !== events).length;
    }
    const rss = rssMiB(product.pid);
    await Promise.all([limit, product].map((proxy) => proxy.stop()));
    const [gapOfLimit = 0, gap = 0] = gaps;
    const figures: Figure[] = [
      {
        name: `largest gap in ${streams} streams of ${events} events, one each 5 ms`,
        value: gap,
        unit: 'ms',
        limit: 250,
        beside: `pass-through ${shown(gapOfLimit, 'ms')}; ${shown(rss, 'MiB')} resident after it`,
        repeats: 'least',
      },
      { name: 'of these, streams that lost events', value: lost, unit: '', limit: 0, beside: '', repeats: 'middle' },
    ];
    return figures;
  },
};
