import { inParallel } from '../client.ts';
import { type Figure, median, shown } from '../figures.ts';
import { rssMiB } from '../processes.ts';
import { type Body, chatModel, nativeModel, smallRequest } from '../requests.ts';
import type { Measure } from './measure.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Resident memory of one product through its life: idle, after 2 000 exchanges, with 100 answers running, after
 * thousands more.
 */
export const memory: Measure = {
  title: 'Memory',
  async run({ bench, client, quick }) {
    const product = await bench.startProduct();
    const settled = async (): Promise<number> => {
      await pause(500);
      const samples: number[] = [];
      for (let sample = 0; sample < 5; sample++) {
        samples.push(rssMiB(product.pid));
        await pause(100);
      }
      return median(samples);
    };
    const [native, translated] = [smallRequest(nativeModel), smallRequest(chatModel)];
    const made = (index: number): Body => (index % 3 === 2 ? translated() : native());
    const exchanges = async (count: number): Promise<void> => {
      await bench.script({ events: 40, pace: 'burst' });
      await inParallel(count, 8, (index) => client.ask(product.target, made(index)));
    };
    const row = (name: string, value: number, limit: number | null, beside = ''): Figure => {
      return { name, value, unit: 'MiB', limit, beside, repeats: 'least' };
    };

    const idle = await settled();
    await exchanges(2000);
    const after2000 = await settled();

    await bench.script({ events: 300, pace: 10 });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, rssMiB(product.pid));
    }, 100);
    await inParallel(100, 100, (index) => client.ask(product.target, made(index)));
    clearInterval(watch);

    const figures = [
      row('resident, idle', idle, 80),
      row('resident after 2 000 exchanges', after2000, 120),
      row('resident, most while 100 answers run', peak, 140),
    ];
    if (!quick) {
      await exchanges(3000);
      const after5000 = await settled();
      await exchanges(5000);
      const after10000 = await settled();
      // A heap breathes by some MiB; what leaks grows by more with 5 000 exchanges.
      const beside = `${shown(after5000, 'MiB')} after 5 000, ${shown(after10000, 'MiB')} after 10 000`;
      figures.push(row('growth from 5 000 to 10 000 exchanges', after10000 - after5000, 8, beside));
    }
    await product.stop();
    return figures;
  },
};
