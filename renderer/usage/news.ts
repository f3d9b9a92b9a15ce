import { useEffect } from 'react';
import { useServices } from '../state/services.ts';

/** Sums are asked for again so often at most, in ms: each reads the history of the period. */
const everyMs = 5_000;

/** Calls `again` a while after a request has ended, as long as somebody can see it. */
export function useNews(again: () => void): void {
  const { log } = useServices();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let known = log.view().known;
    let running = log.view().running;
    const hear = (): void => {
      const view = log.view();
      if (view.known === known && view.running === running) return;
      known = view.known;
      running = view.running;
      timer ??= setTimeout(later, everyMs);
    };
    const later = (): void => {
      timer = document.hidden ? setTimeout(later, everyMs) : null;
      if (timer === null) again();
    };
    const stop = log.listen(hear);
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [log, again]);
}
