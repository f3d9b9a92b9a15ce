import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../figures.ts';
import type { Product } from '../processes.ts';
import type { RanPrompt } from '../ran-prompt.ts';
import {
  type Body,
  chatModel,
  nativeModel,
  responsesModel,
  smallChat,
  smallRequest,
  smallResponses,
} from '../requests.ts';
import type { Measure, Surroundings } from './measure.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
/** Requests before the one that counts. */
const warm = 5;
/** By then what a request leaves for later is done, and so are the timers of a start. */
const quietMs = 1000;

/** Functions that ran, by file. */
type Ran = Record<string, number>;
/** Files, functions and lines that a way may need: a little more than today, and to be lowered with them. */
type Most = Record<'files' | 'functions' | 'lines', number>;

interface Way {
  name: string;
  path: string;
  make: () => Body;
  most: Most;
}

const ways: readonly Way[] = [
  {
    name: 'Messages, native',
    path: '/v1/messages',
    make: smallRequest(nativeModel),
    most: { files: 66, functions: 458, lines: 13_070 },
  },
  {
    name: 'Messages, translated to Chat',
    path: '/v1/messages',
    make: smallRequest(chatModel),
    most: { files: 77, functions: 539, lines: 14_650 },
  },
  {
    name: 'Chat Completions, native',
    path: '/v1/chat/completions',
    make: smallChat(chatModel),
    most: { files: 62, functions: 408, lines: 12_560 },
  },
  {
    name: 'Responses, native',
    path: '/v1/responses',
    make: smallResponses(responsesModel),
    most: { files: 62, functions: 408, lines: 12_730 },
  },
];

/** Of a message to a session; the window's own files aside. */
const promptWays: Record<keyof RanPrompt, { name: string; most: Most }> = {
  out: { name: 'A session’s message, to the agent’s pipe', most: { files: 23, functions: 166, lines: 6_495 } },
  back: { name: 'A session’s answer, to the event for fronts', most: { files: 12, functions: 59, lines: 2_780 } },
};

/** How much of the product's sources one request runs, and so how much a reader has to look into. */
export const path: Measure = {
  title: 'Path of a request',
  async run(surroundings) {
    const { bench } = surroundings;
    const file = join(bench.folder, 'ran-code.json');
    const product = await bench.startProduct({
      args: ['--import', join(project, 'tests/bench/ran-code.ts')],
      cli: join(project, 'app/cli/jumpseat.ts'),
      env: { RAN_CODE: file },
    });
    await bench.script({ events: 20, pace: 'burst' });
    const figures: Figure[] = [];
    for (const way of ways) figures.push(...(await measured(surroundings, product, file, way)));
    await product.stop();
    const ran = await ranPrompt();
    return [...figures, ...(['out', 'back'] as const).flatMap((way) => figuresOf(promptWays[way], ran[way]))];
  },
};

async function ranPrompt(): Promise<RanPrompt> {
  const app = fork(join(project, 'tests/bench/ran-prompt.ts'));
  const [ran]: RanPrompt[] = await once(app, 'message');
  if (ran === undefined) throw new Error('No message to a session was measured.');
  return ran;
}

async function measured({ client }: Surroundings, product: Product, file: string, way: Way): Promise<Figure[]> {
  const { path: to, make } = way;
  const ask = () => client.ask({ ...product.target, path: to }, make());
  for (let count = 0; count < warm; count++) await ask();
  await sleep(quietMs);
  await ranCode(product.pid, file);
  await ask();
  await sleep(quietMs);
  return figuresOf(way, await ranCode(product.pid, file));
}

function figuresOf({ name, most }: Pick<Way, 'name' | 'most'>, counts: Ran): Figure[] {
  const ran = Object.entries(counts);
  const rooms = new Map<string, number>();
  for (const [each] of ran) {
    const room = each.split('/').slice(1, -1)[0] ?? 'app';
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  const byRoom = [...rooms].sort(([, one], [, other]) => other - one).map(([room, files]) => `${room} ${files}`);
  const lines = ran.reduce((sum, [each]) => sum + readFileSync(join(project, each), 'utf8').split('\n').length, 0);
  const functions = ran.reduce((sum, [, count]) => sum + count, 0);
  const figure = (what: keyof Most, value: number, beside: string): Figure => ({
    ...{ name: `${name}: ${what}`, value, unit: '', limit: most[what], beside, repeats: 'least' },
  });
  return [
    figure('files', ran.length, byRoom.slice(0, 8).join(', ')),
    figure('functions', functions, ''),
    figure('lines', lines, 'in these files'),
  ];
}

/** Functions by file that ran since the last call. */
async function ranCode(pid: number, file: string): Promise<Ran> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 250; tries++) {
    const text = written(file);
    if (text.endsWith('\n')) return JSON.parse(text);
    await sleep(20);
  }
  throw new Error('The product did not say which code ran.');
}

function written(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
