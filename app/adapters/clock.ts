import type { Clock } from '../ports.ts';

/** The clocks of this machine. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    ticks: () => performance.now(),
    sleep,
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const wake = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
