import { useEffect } from 'react';
import { counted } from '../../app/words/numbers.ts';
import { announce } from '../state/notices.ts';
import { useServices } from '../state/services.ts';

const spokenEveryMs = 10_000;

/** New rows are told in one sentence now and then, and only while the list follows them. */
export function useSpokenNews(following: boolean): void {
  const { log, store } = useServices();
  useEffect(() => {
    if (!following) return;
    let before = log.view();
    const timer = setInterval(() => {
      const now = log.view();
      const fresh = now.counts.all - before.counts.all;
      const errors = now.counts.errors - before.counts.errors;
      const same = now.arrangement === before.arrangement && store.getState().history === 'whole';
      before = now;
      if (fresh <= 0 || !same) return;
      announce(store, `${counted(fresh, 'new request')}${errors > 0 ? `, ${counted(errors, 'error')}` : ''}`);
    }, spokenEveryMs);
    return () => clearInterval(timer);
  }, [following, log, store]);
}
