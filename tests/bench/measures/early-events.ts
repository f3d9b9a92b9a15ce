import { inParallel } from '../client.ts';
import type { Script } from '../copilot.ts';
import { type Figure, median, shown } from '../figures.ts';
import { cpuMs, type Measured } from '../processes.ts';
import { chatModel, nativeModel, responsesModel, smallRequest } from '../requests.ts';
import { requestsBefore } from './early-requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

const most = 1.25;

const paths = [
  { name: 'native', model: nativeModel, limit: 'pass-through' },
  { name: 'translated', model: chatModel, limit: 'minimal-translator' },
  { name: 'translated from Responses', model: responsesModel, limit: 'minimal-translator' },
] as const;

interface Pattern {
  name: string;
  script: Script;
  /** At once. */
  streams: number;
}

/** Long answers in the four ways in which their events come. */
const patterns: readonly Pattern[] = [
  { name: 'in bursts', script: { events: 10_000, pace: 'burst' }, streams: 2 },
  { name: 'written one by one', script: { events: 2000, pace: 'each' }, streams: 4 },
  { name: '50 at once', script: { events: 1000, pace: 'each' }, streams: 50 },
  { name: 'paced', script: { events: 1000, pace: 2 }, streams: 6 },
];

/**
 * CPU time per event where people are: in processes that have answered some tens of requests and no long stream yet.
 * Every figure has processes of its own.
 */
export const earlyEvents: Measure = {
  title: 'Early events',
  async run(surroundings) {
    const figures: Figure[] = [];
    for (const path of paths) {
      for (const pattern of patterns) {
        const spent: { limit: number; product: number }[] = [];
        for (let round = 0; round < (surroundings.quick ? 2 : 5); round++)
          spent.push(await compare(surroundings, path, pattern, round));
        figures.push({
          name: `CPU per early event, ${path.name}, ${pattern.name}`,
          value: median(spent.map(({ limit, product }) => product / limit)),
          unit: '×',
          limit: most,
          beside:
            `${shown(median(spent.map(({ product }) => product)), 'µs')} to ` +
            `${shown(median(spent.map(({ limit }) => limit)), 'µs')} of the ${path.limit}`,
          repeats: 'middle',
        });
      }
    }
    return figures;
  },
};

async function compare(
  { bench, client }: Surroundings,
  path: (typeof paths)[number],
  { script, streams }: Pattern,
  round: number,
): Promise<{ limit: number; product: number }> {
  const limit = await bench.startLimit(path.limit);
  const product = await bench.startProduct({ terminal: true });
  const make = smallRequest(path.model);
  const both: readonly ('limit' | 'product')[] = ['limit', 'product'];
  const of: Record<'limit' | 'product', Measured> = { limit, product };
  await bench.script({ events: 20, pace: 'burst' });
  for (let count = 0; count < requestsBefore; count++)
    await alternate(both, count, async (which) => void (await client.ask(of[which].target, make())));
  await bench.script(script);
  const spent = { limit: 0, product: 0 };
  await alternate(both, round, async (which) => {
    const { pid, target } = of[which];
    const before = cpuMs(pid);
    await inParallel(streams, streams, () => client.ask(target, make()));
    spent[which] = ((cpuMs(pid) - before) * 1000) / (streams * script.events);
  });
  await Promise.all([limit.stop(), product.stop()]);
  return spent;
}
