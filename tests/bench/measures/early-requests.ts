import { median, shown } from '../figures.ts';
import { cpuMs, type Measured } from '../processes.ts';
import { type Body, chatModel, largeRequest, nativeModel, smallRequest, wholeRequest } from '../requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

/**
 * Requests that a fresh process has answered before it is looked at, and those that are looked at: a morning of one
 * person.
 */
export const requestsBefore = 60;
const measured = { full: 100, quick: 60 };
const most = { cpu: 1.9, firstByte: 2 };

const kinds = [
  { name: 'streamed', make: smallRequest(nativeModel), limit: 'pass-through', events: 20 },
  { name: 'whole', make: wholeRequest(nativeModel), limit: 'pass-through', events: 20 },
  { name: 'translated', make: smallRequest(chatModel), limit: 'minimal-translator', events: 20 },
  { name: '150 kB', make: largeRequest(nativeModel, 150_000), limit: 'pass-through', events: 20 },
] as const;

interface Spent {
  cpu: number[];
  added: number[];
}

/**
 * What a request costs where people are: soon after the start, before anything has run thousands of times, each prompt
 * a new one, with the history on the disk and a line in the terminal. Every round has processes of its own.
 */
export const earlyRequests: Measure = {
  title: 'Early requests',
  async run(surroundings) {
    const spent = new Map(kinds.map((kind) => [kind, { limit: empty(), product: empty() }]));
    for (let round = 0; round < (surroundings.quick ? 2 : 5); round++) {
      for (const kind of kinds) {
        const { limit, product } = await compare(surroundings, kind, round);
        const so = spent.get(kind);
        so?.limit.cpu.push(limit.cpu);
        so?.limit.added.push(limit.added);
        so?.product.cpu.push(product.cpu);
        so?.product.added.push(product.added);
      }
    }
    return [...spent].flatMap(([kind, { limit, product }]) => [
      {
        name: `CPU, ${kind.name}`,
        value: ratio(product.cpu, limit.cpu),
        unit: '×' as const,
        limit: kind.name === '150 kB' ? null : most.cpu,
        beside: `${shown(median(product.cpu), 'ms')} to ${shown(median(limit.cpu), 'ms')} of the ${kind.limit}`,
        repeats: 'middle' as const,
      },
      {
        name: `added to the first byte, ${kind.name}`,
        value: ratio(product.added, limit.added),
        unit: '×' as const,
        limit: kind.name === 'whole' ? null : most.firstByte,
        beside: `${shown(median(product.added), 'ms')} to ${shown(median(limit.added), 'ms')} of the ${kind.limit}`,
        repeats: 'middle' as const,
      },
    ]);
  },
};

function empty(): Spent {
  return { cpu: [], added: [] };
}

/** Of the same rounds: what the machine did meanwhile has met both. */
function ratio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

async function compare(
  { bench, client, quick }: Surroundings,
  {
    make,
    limit: limitName,
    events,
  }: { make: () => Body; limit: 'pass-through' | 'minimal-translator'; events: number },
  round: number,
): Promise<{ limit: { cpu: number; added: number }; product: { cpu: number; added: number } }> {
  await bench.script({ events, pace: 'burst' });
  const limit = await bench.startLimit(limitName);
  const product = await bench.startProduct({ terminal: true });
  const count = quick ? measured.quick : measured.full;
  const times = { direct: [] as number[], limit: [] as number[], product: [] as number[] };
  const cpu = { limit: 0, product: 0 };
  const all: readonly { name: keyof typeof times; process: Measured | null }[] = [
    { name: 'direct', process: null },
    { name: 'limit', process: limit },
    { name: 'product', process: product },
  ];
  for (let index = -requestsBefore; index < count; index++) {
    if (index === 0) for (const name of ['limit', 'product'] as const) cpu[name] = -cpuMs({ limit, product }[name].pid);
    await alternate(all, index + round, async ({ name, process }) => {
      const { firstByteMs } = await client.ask(process?.target ?? bench.direct, make());
      if (index >= 0) times[name].push(firstByteMs);
    });
  }
  // What is written behind the answers belongs to them.
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const name of ['limit', 'product'] as const) cpu[name] += cpuMs({ limit, product }[name].pid);
  await Promise.all([limit.stop(), product.stop()]);
  const added = (name: 'limit' | 'product'): number => median(times[name]) - median(times.direct);
  return {
    limit: { cpu: cpu.limit / count, added: added('limit') },
    product: { cpu: cpu.product / count, added: added('product') },
  };
}
