import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../app/ports.ts';

const mostDumps = 3;
const longestEndMs = 3_000;
/** A process that fails this soon after its start is not started again: it would fail again. */
const tooSoonMs = 60_000;

/** Receives where dumps go. */
export interface DumpKeeper {
  app: { setPath(name: 'crashDumps', path: string): void };
  crashReporter: { start(options: { uploadToServer: boolean }): void };
}

/**
 * Dumps of crashed processes stay on this machine, in `crashes` beside the logs, for a person who wants to hand one in.
 * They hold memory, so only the newest are kept and other users may not read them. Call before the app is ready.
 */
export function keepDumpsHere(electron: DumpKeeper, logs: string): void {
  const folder = dumpFolder(logs);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A folder that cannot be used is said where it matters, when the proxy starts.
    return;
  }
  electron.app.setPath('crashDumps', folder);
  electron.crashReporter.start({ uploadToServer: false });
}

const dumpFolder = (logs: string): string => join(logs, 'crashes');

/** Removes all but the newest dumps. Never rejects. */
export async function removeOldDumps(logs: string, most = mostDumps): Promise<void> {
  const folder = dumpFolder(logs);
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const dumps = await Promise.all(
    names
      .filter((name) => name.endsWith('.dmp'))
      .map(async (name) => {
        const path = join(folder, name);
        return {
          path,
          at: await stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        };
      }),
  );
  dumps.sort((left, right) => right.at - left.at);
  await Promise.all(dumps.slice(most).map(({ path }) => rm(path, { force: true }).catch(() => undefined)));
}

/** What of `process` says that something was not caught. */
interface FaultSource {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (fault: unknown) => void): unknown;
}

interface FaultDependencies {
  log: Log & { flush?(): Promise<void> };
  /** Ends the proxy in order. */
  stop: () => Promise<void>;
  /** Ends the process at once; `again`: a new one takes its place. */
  leave: (again: boolean) => void;
  /** ms since the process began. */
  age: () => number;
}

/**
 * Uncaught exceptions and rejections. A rejection is logged and the app goes on: what was asked for failed, nothing
 * else is touched. An exception may leave anything half done: it is logged, the proxy ends in order within seconds,
 * and a new process takes over, unless this one has only just begun.
 */
export function endAfterFaults(source: FaultSource, { log, stop, leave, age }: FaultDependencies): void {
  let ending = false;
  source.on('unhandledRejection', (error) => log.write('error', 'process.unhandled-rejection', { error }));
  source.on('uncaughtException', (error) => {
    log.write('error', 'process.uncaught-exception', { error });
    if (ending) return;
    ending = true;
    const again = age() > tooSoonMs;
    const inOrder = stop()
      .catch(() => undefined)
      .then(() => log.flush?.());
    void Promise.race([inOrder, new Promise((resolve) => setTimeout(resolve, longestEndMs))]).finally(() =>
      leave(again),
    );
  });
}

/** A terminal that was closed must not end the app: errors of writing to it are ignored. */
export function outliveTheTerminal(streams: readonly { on(event: 'error', listener: () => void): unknown }[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}
