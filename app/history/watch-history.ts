import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { History } from './history.ts';

/** A process that serves writes twice a second: one look for what comes meanwhile. */
const gatherMs = 500;

/**
 * Calls `changed` when another process has written requests: a search of the terminal does where the proxy is off here.
 * Returns the way to stop. Where the folder can't be watched, they are seen with the next start of the proxy.
 */
export function watchHistory(path: string, history: History, changed: () => void): () => void {
  const name = basename(path);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    timer = undefined;
    if (history.isWrittenBeside()) changed();
  };
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_kind, file) => {
      if (file === name || file === `${name}-wal`) timer ??= setTimeout(look, gatherMs).unref();
    });
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => undefined;
  }
}
