import { useMemo, useState } from 'react';
import { useWindow } from '../../state/services.ts';
import { useSessions } from '../state/hooks.ts';
import { type ListRow, listRows, SteadyOrder } from './list-rows.ts';

/**
 * The sessions of this machine that the person wants listed, that which they last wrote to first. Null: the list is
 * being read.
 */
export function useSessionList(): ListRow[] | null {
  const held = useWindow(({ sessions }) => sessions);
  const listed = useSessions((state) => state.listed);
  const failed = useSessions((state) => state.listFailure !== null);
  const withElsewhere = useWindow(({ preferences }) => preferences?.sessions.madeElsewhere ?? true);
  const [order] = useState(() => new SteadyOrder());
  return useMemo(
    () => (listed === null && !failed ? null : order.sort(listRows(held, listed, withElsewhere))),
    [held, listed, failed, order, withElsewhere],
  );
}
