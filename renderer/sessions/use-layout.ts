import { useSyncExternalStore } from 'react';

/** How many panes the window is wide for. `two-wide`: the changes stand beside the session, not over it. */
export type Layout = 'one' | 'two' | 'two-wide' | 'three';

const borders = ['(width >= 1600px)', '(width >= 1120px)', '(width >= 900px)'].map((query) => window.matchMedia(query));

function layoutNow(): Layout {
  const fits = borders.findIndex(({ matches }) => matches);
  return fits === 0 ? 'three' : fits === 1 ? 'two-wide' : fits === 2 ? 'two' : 'one';
}

function listen(listener: () => void): () => void {
  for (const border of borders) border.addEventListener('change', listener);
  return () => {
    for (const border of borders) border.removeEventListener('change', listener);
  };
}

export function useLayout(): Layout {
  return useSyncExternalStore(listen, layoutNow);
}
