import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from './client.ts';
import { type Figure, joined, missed, table } from './figures.ts';
import { machineFacts, watchOthers } from './machine.ts';
import { cpuPerEvent } from './measures/cpu-per-event.ts';
import { cpuPerRequest } from './measures/cpu-per-request.ts';
import { cpuPerStep } from './measures/cpu-per-step.ts';
import { earlyEvents } from './measures/early-events.ts';
import { earlyRequests } from './measures/early-requests.ts';
import { firstByte } from './measures/first-byte.ts';
import { history } from './measures/history.ts';
import { largeRequests } from './measures/large-requests.ts';
import { log } from './measures/log.ts';
import { manyStreams } from './measures/many-streams.ts';
import type { Measure, Surroundings } from './measures/measure.ts';
import { memory } from './measures/memory.ts';
import { openaiCpuPerEvent } from './measures/openai-cpu-per-event.ts';
import { path } from './measures/path.ts';
import { peers } from './measures/peers.ts';
import { sessions } from './measures/sessions.ts';
import { sessionsWindow } from './measures/sessions-window.ts';
import { start } from './measures/start.ts';
import { Bench } from './processes.ts';
import { tray } from './tray.ts';
import { window } from './window.ts';

/**
 * The benchmark of the built product: ratios to limits of the same run, and absolute figures. Exit code 1 when a limit
 * is missed.
 */
const measures: Measure[] = [
  path,
  start,
  earlyRequests,
  earlyEvents,
  firstByte,
  cpuPerRequest,
  largeRequests,
  cpuPerStep,
  cpuPerEvent,
  openaiCpuPerEvent,
  manyStreams,
  memory,
  log,
  history,
  sessions,
  sessionsWindow,
  tray,
  window,
];
const results = fileURLToPath(new URL('../../bench/results', import.meta.url));
/** Other programs disturb; what is missed is measured again this often. */
const mostRepeats = { quick: 2, full: 3 };
const disturbing = 0.15;
/** For one part. */
const mostMs = 3 * 60_000;

// What a part that failed has left open does not keep the process.
process.exit(await main());

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) return 2;
  const { quick, only } = options;
  const chosen = [...measures, ...(options.peers ? [peers] : [])].filter(
    ({ title }) => only.length === 0 || only.some((word) => title.toLowerCase().includes(word.toLowerCase())),
  );
  const bench = new Bench();
  const others = watchOthers();
  const began = Date.now();
  const sections: { title: string; figures: Figure[]; repeats: Figure[][] }[] = [];
  let client: Client | null = null;
  try {
    await bench.startCopilot();
    client = new Client(bench.ready.certificate);
    for (const measure of chosen) {
      const repeats = await repeated(measure, { bench, client, quick });
      const figures = joined(repeats);
      sections.push({ title: measure.title, figures, repeats });
      say(`\n${measure.title}${repeats.length > 1 ? ` (measured ${repeats.length} times)` : ''}\n${table(figures)}\n`);
    }
  } finally {
    client?.close();
    await bench.close();
  }
  const disturbance = others();
  const figures = sections.flatMap((section) => section.figures);
  const bad = figures.filter(missed);
  const file = write({ quick, began, seconds: Math.round((Date.now() - began) / 1000), disturbance, sections });
  say(`\n${verdict(bad, disturbance)}\nWritten to ${file}\n`);
  return bad.length === 0 ? 0 : 1;
}

async function repeated(measure: Measure, surroundings: Surroundings): Promise<Figure[][]> {
  const most = surroundings.quick ? mostRepeats.quick : mostRepeats.full;
  const repeats: Figure[][] = [];
  try {
    do {
      repeats.push(await inTime(measure.run(surroundings)));
    } while (joined(repeats).some(missed) && repeats.length < most);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return [[{ name: `failed: ${why}`, value: Number.NaN, unit: '', limit: 0, beside: '', repeats: 'middle' }]];
  }
  return repeats;
}

/** One part that hangs must not hold up the others. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${mostMs / 60_000} min`)), mostMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function verdict(bad: readonly Figure[], disturbance: number | null): string {
  const noise =
    disturbance === null || disturbance < disturbing
      ? ''
      : ` Other programs used ${Math.round(disturbance * 100)} % of this machine meanwhile: what is near its ` +
        'limit may be noise; measure again when it is quiet.';
  if (bad.length === 0) return `All limits are kept.${noise}`;
  return (
    `${bad.length} of the limits ${bad.length === 1 ? 'is' : 'are'} missed: ` +
    `${bad.map(({ name }) => name).join('; ')}.${noise}`
  );
}

function write(result: { began: number; [key: string]: unknown }): string {
  mkdirSync(results, { recursive: true });
  const file = join(results, `${new Date(result.began).toISOString().slice(0, 19).replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ ...result, machine: machineFacts() }, null, 2)}\n`);
  return file;
}

function readOptions(): { quick: boolean; peers: boolean; only: string[] } | null {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        'with-peers': { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
      },
    });
    return { quick: values.quick, peers: values['with-peers'], only: values.only };
  } catch (error) {
    say(
      `${error instanceof Error ? error.message : String(error)}\nnpm run bench -- [--quick] [--with-peers] ` +
        `[--only WORD]\n`,
      process.stderr,
    );
    return null;
  }
}

function say(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(text);
}
