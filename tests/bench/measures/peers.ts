import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '../client.ts';
import { type Figure, median, shown } from '../figures.ts';
import { cpuMs, type Measured, rssMiB } from '../processes.ts';
import { type Body, chatModel, largeRequest, smallRequest } from '../requests.ts';
import { alternate, type Measure, type Surroundings } from './measure.ts';

const peer = 'copilot-api';
const version = '0.7.0';

/**
 * The same work through another proxy, for comparison. Its addresses are fixed, so it is led to the fake Copilot by a
 * tunnel (`--proxy-env`) and trusts its certificates; all of its answers come by Chat Completions, so ours are
 * translated here as well.
 */
export const peers: Measure = {
  title: 'Peers',
  async run(surroundings) {
    const { bench } = surroundings;
    let other: Measured;
    try {
      other = await startPeer(surroundings);
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      process.stdout.write(`\nPeers\n${peer} ${version} left out: ${why}\n`);
      return [];
    }
    const product = await bench.startProduct();
    const figures = await compare(surroundings, [product, other]);
    await Promise.all([product, other].map((proxy) => proxy.stop()));
    return figures;
  },
};

async function startPeer({ bench }: Surroundings): Promise<Measured> {
  const folder = join(bench.folder, 'peer');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${peer}@${version}`];
  await promisify(execFile)('npm', install, { cwd: folder, timeout: 120_000, shell: process.platform === 'win32' });
  const port = await freePort();
  const entry = join(folder, 'node_modules', peer, 'dist', 'main.js');
  const tunnel = `http://127.0.0.1:${bench.ready.tunnelPort}`;
  const args = [entry, 'start', '--port', String(port), '--github-token', 'ghu_bench', '--proxy-env'];
  return bench.startOther(`${peer} ${version}`, args, port, {
    HOME: folder,
    HTTPS_PROXY: tunnel,
    https_proxy: tunnel,
    NO_PROXY: '',
    no_proxy: '',
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address === null || typeof address === 'string' ? 0 : address.port));
    });
  });
}

async function compare({ bench, client, quick }: Surroundings, proxies: readonly Measured[]): Promise<Figure[]> {
  const small = smallRequest(chatModel);
  const large = largeRequest(chatModel, 150_000);
  const added = async (make: () => Body, rounds: number): Promise<number[]> => {
    await bench.script({ events: 20, pace: 'burst' });
    // The fake Copilot answers in either format alike, so the direct way is the same for both.
    const targets = [bench.direct, ...proxies.map((proxy) => proxy.target)];
    const times = targets.map((): number[] => []);
    for (let round = -30; round < rounds; round++) {
      await alternate([...targets.keys()], round, async (index) => {
        const { firstByteMs } = await client.ask(targets[index] ?? bench.direct, make());
        if (round >= 0) times[index]?.push(firstByteMs);
      });
    }
    const [direct = [], ...through] = times;
    return through.map((values) => median(values.map((value, index) => value - (direct[index] ?? 0))));
  };
  const spent = async (count: number, width: number, per: number): Promise<number[]> => {
    const sums = proxies.map((): number[] => []);
    for (let round = -1; round < (quick ? 3 : 5); round++) {
      await alternate([...proxies.keys()], round, async (index) => {
        const proxy = proxies[index];
        if (proxy === undefined) return;
        const before = cpuMs(proxy.pid);
        await inParallel(count, width, () => client.ask(proxy.target, small()));
        if (round >= 0) sums[index]?.push((cpuMs(proxy.pid) - before) / per);
      });
    }
    return sums.map(median);
  };

  const firstSmall = await added(small, quick ? 60 : 200);
  const firstLarge = await added(large, quick ? 30 : 80);
  const perRequest = await spent(200, 2, 200);
  await bench.script({ events: 2000, pace: 'each' });
  const perEvent = (await spent(4, 4, 8000)).map((ms) => ms * 1000);
  const resident = proxies.map((proxy) => rssMiB(proxy.pid));

  const [, other] = proxies;
  const row = (name: string, unit: Figure['unit'], [ours = 0, theirs = 0]: number[]): Figure => {
    const beside = `${other?.target.name ?? ''} ${shown(theirs, unit)}`;
    return { name, value: ours, unit, limit: null, beside, repeats: 'middle' };
  };
  return [
    row('translated, added to the first byte, small request', 'ms', firstSmall),
    row('translated, added to the first byte, 150 kB', 'ms', firstLarge),
    row('translated, CPU per small request', 'ms', perRequest),
    row('translated, CPU per event', 'µs', perEvent),
    row('resident after all this', 'MiB', resident),
  ];
}
