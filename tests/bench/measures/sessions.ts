import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { windowSettings } from '../../../app/api/setting-table.ts';
import { inParallel } from '../client.ts';
import { type Figure, median, quantile, shown } from '../figures.ts';
import { nativeModel, smallRequest } from '../requests.ts';
import type { SessionAppReady, SessionWork } from '../session-app.ts';
import { readyTimes } from '../session-ready.ts';
import { transcriptOf } from '../transcripts.ts';
import type { Measure, Surroundings } from './measure.ts';

const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** What Jumpseat’s own host of sessions adds: to an agent, to each update, to the proxy beside it. */
export const sessions: Measure = {
  title: 'Sessions',
  async run(surroundings) {
    return [
      ...(await withFreeAgent(surroundings)),
      ...(await memoryOfUpdates(surroundings.quick)),
      ...(await listing(surroundings)),
      ...(await readiness(surroundings.quick)),
    ];
  },
};

const figure = (name: string, value: number, unit: Figure['unit'], limit: number | null, beside = ''): Figure => {
  return { name, value, unit, limit, beside, repeats: 'least' };
};

async function startApp(): Promise<{ app: ChildProcess; ready: SessionAppReady }> {
  const app = fork(file('session-app.ts'), [], { execArgv: ['--expose-gc'] });
  const [ready] = await once(app, 'message');
  return { app, ready };
}

async function ask(app: ChildProcess, work: SessionWork): Promise<number[]> {
  const answered = once(app, 'message');
  app.send(work);
  const [{ figures, failed }] = await answered;
  if (failed !== undefined) throw new Error(String(failed));
  return figures;
}

async function ended(app: ChildProcess): Promise<void> {
  const gone = once(app, 'exit');
  app.disconnect();
  await gone;
}

async function withFreeAgent({ client, quick }: Surroundings): Promise<Figure[]> {
  const { app, ready } = await startApp();
  const created = await ask(app, { work: 'create', count: quick ? 50 : 200 });
  const perUpdate = await ask(app, { work: 'updates', count: quick ? 2_000 : 10_000 });
  const target = { name: 'app', origin: new URL(ready.baseUrl), key: `${ready.key}.bench` };
  const make = smallRequest(nativeModel);
  const count = quick ? 300 : 1_000;
  const firstBytes = async (): Promise<number[]> => {
    const times: number[] = [];
    await inParallel(count, 4, async () => times.push((await client.ask(target, make())).firstByteMs));
    return times;
  };
  // Until all of it is compiled.
  for (let round = 0; round < 3; round += 1) await firstBytes();
  const [streams, perSecond] = [windowSettings.sessions.atOnce.shape.maxValue ?? 0, 62.5];
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    alone.push(quantile(await firstBytes(), 0.99));
    await ask(app, { work: 'stream', sessions: streams, perSecond });
    beside.push(quantile(await firstBytes(), 0.99));
    await ask(app, { work: 'quiet' });
  }
  await ended(app);
  const ratio = median(beside) / median(alone);
  return [
    figure('a session is begun, median', median(created), 'ms', 5, `p99 ${shown(quantile(created, 0.99), 'ms')}`),
    figure('the host’s CPU per streamed update', Math.min(...perUpdate), 'µs', 50, 'recorded, written and told'),
    {
      ...figure(`first byte of the proxy, p99, while ${streams} sessions stream`, ratio, '×', 1.5),
      beside: `${shown(median(beside), 'ms')} to ${shown(median(alone), 'ms')}; ${streams * perSecond} updates a second`,
      repeats: 'middle',
    },
  ];
}

async function memoryOfUpdates(quick: boolean): Promise<Figure[]> {
  const { app } = await startApp();
  const count = quick ? 10_000 : 50_000;
  // What is compiled and cached with the first ones belongs to no update.
  await ask(app, { work: 'hold', count: 5_000 });
  const [rss = 0, heap = 0, left = 0] = await ask(app, { work: 'hold', count });
  await ended(app);
  const tenThousands = count / 10_000;
  return [
    figure(
      'resident per 10 000 updates of a running session',
      Math.max(0, rss) / tenThousands,
      'MiB',
      25,
      `heap ${shown(heap / tenThousands, 'MiB')}`,
    ),
    figure('heap of an unloaded session with as many', Math.max(0, left), 'MiB', 1, `${count} updates`),
  ];
}

async function listing({ bench, quick }: Surroundings): Promise<Figure[]> {
  const count = 2_000;
  const bytes = quick ? 50_000 : 512_000;
  const claude = join(bench.folder, 'claude');
  try {
    for (let nth = 0; nth < count; nth += 1) {
      const project = join(claude, 'projects', `-home-me-project-${nth % 40}`);
      if (nth < 40) mkdirSync(project, { recursive: true });
      const { name, text } = transcriptOf(nth, bytes);
      writeFileSync(join(project, name), text);
    }
    const home = join(bench.folder, 'list');
    mkdirSync(home);
    const app = fork(file('session-list-app.ts'), [claude, home], { execArgv: [] });
    const gone = once(app, 'exit');
    const [{ first, second, longestMs, listed }] = await once(app, 'message');
    await gone;
    if (listed !== count) throw new Error(`${listed} of ${count} transcripts were listed`);
    const scale = `${count} transcripts, ${Math.round((count * bytes) / 1e6)} MB, in the system’s cache`;
    return [
      figure('list of sessions, the first time', first, 'ms', 5_000, scale),
      figure('list of sessions, the second time', second, 'ms', 300, scale),
      figure('longest the first list keeps others waiting', longestMs, 'ms', 100),
    ];
  } finally {
    rmSync(claude, { recursive: true, force: true });
    rmSync(join(bench.folder, 'list'), { recursive: true, force: true });
  }
}

async function readiness(quick: boolean): Promise<Figure[]> {
  const times = await readyTimes(quick ? 2 : 5);
  if ('reason' in times) return [{ ...figure(`first message: ${times.reason}`, 0, '', null) }];
  const [host, alone] = [median(times.host), median(times.alone)];
  return [
    {
      ...figure('first message until Claude Code is ready, of the adapter alone', host / alone, '×', 1.5),
      beside: `${shown(host, 'ms')} to ${shown(alone, 'ms')}`,
      repeats: 'middle',
    },
  ];
}
