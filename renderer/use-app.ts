import { useEffect, useState } from 'react';
import type { AppState, Exchange } from '../app/api.ts';
import type { Bridge } from './bridge.ts';
import { withExchange } from './exchange-list.ts';

const shown = 50;

export interface AppView {
  state: AppState | null;
  /** Newest first. */
  exchanges: Exchange[];
  /** Why there is nothing to show. */
  failure: string | null;
}

/** The state and the last exchanges, kept in step with the app. */
export function useApp(bridge: Bridge): AppView {
  const [view, setView] = useState<AppView>({ state: null, exchanges: [], failure: null });
  useEffect(() => {
    let gone = false;
    const stop = bridge.listen((event) => {
      if (event.event === 'state') setView((old) => ({ ...old, state: event.state, failure: null }));
      else if (event.event === 'exchange')
        setView((old) => ({ ...old, exchanges: withExchange(old.exchanges, event.exchange, shown) }));
    });
    Promise.all([bridge.state(), bridge.exchanges({ limit: shown })]).then(
      ([state, recent]) => {
        if (gone) return;
        // What was heard meanwhile is newer than what was asked for.
        setView((old) => ({
          state: old.state ?? state,
          exchanges: old.exchanges.reduceRight((list, heard) => withExchange(list, heard, shown), recent.toReversed()),
          failure: null,
        }));
      },
      (error: unknown) => {
        if (!gone) setView((old) => ({ ...old, failure: error instanceof Error ? error.message : String(error) }));
      },
    );
    return () => {
      gone = true;
      stop();
    };
  }, [bridge]);
  return view;
}
