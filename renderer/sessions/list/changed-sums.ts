import { useEffect, useMemo, useRef } from 'react';
import type { SessionEditSum } from '../../../app/api/session-list.ts';
import { useSessionActions, useSessions } from '../state/hooks.ts';

/** What edits of sessions changed, by session; of the rows in sight, read again after an edit. */
export function useEditSums(inSight: readonly string[]): ReadonlyMap<string, SessionEditSum> {
  const edits = useSessions((state) => state.edits);
  const sums = useSessions((state) => state.editSums);
  const { readEditSums } = useSessionActions();
  const asked = useRef(new Map<string, number>());
  const key = useMemo(() => [...inSight].toSorted().join(' '), [inSight]);
  useEffect(() => {
    const ids = key.split(' ').filter((id) => id !== '' && asked.current.get(id) !== (edits.get(id) ?? 0));
    if (ids.length === 0) return;
    for (const id of ids) asked.current.set(id, edits.get(id) ?? 0);
    void readEditSums(ids);
  }, [key, edits, readEditSums]);
  return sums;
}
