import { useEffect } from 'react';
import { useServices } from './services.ts';

/** Sums are asked for this often at most, in ms: each reads the history of the period. */
const everyMs = 5_000;

/** A request that has ended is in the history by then, in ms. */
const writtenMs = 1_000;

/** A sum that takes longer is asked for less often, so that no more than this part of the time goes into it. */
const part = 1 / 40;

/** Calls `again` soon after a request has ended, while the page is visible. */
export function useNews(again: () => Promise<unknown>): void {
  const { log } = useServices();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let known = log.view().known;
    let running = log.view().running;
    let askedAt = performance.now();
    let pause = everyMs;
    let stopped = false;
    const hear = (): void => {
      const view = log.view();
      if (view.known === known && view.running === running) return;
      known = view.known;
      running = view.running;
      timer ??= setTimeout(later, Math.max(writtenMs, askedAt + pause - performance.now()));
    };
    const later = (): void => {
      timer = document.hidden && !stopped ? setTimeout(later, everyMs) : null;
      if (timer !== null) return;
      askedAt = performance.now();
      void again().finally(() => {
        pause = Math.max(everyMs, (performance.now() - askedAt) / part);
      });
    };
    const stop = log.listen(hear);
    return () => {
      stopped = true;
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [log, again]);
}
