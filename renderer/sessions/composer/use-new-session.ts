import { useEffect, useState } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';
import { folderKey } from './draft.ts';
import { draftKeeper } from './use-draft.ts';

/**
 * The session that is to begin in a folder: one that was made for it and not sent yet, or a new one with the choices
 * that were made for that folder. It has no process and is on no disk. Null: it is being made, or can't be.
 * @param isThere the folder was found; none is made in another
 */
export function useNewSession(folder: string | null, isThere: boolean): Session | null {
  const services = useServices();
  const { create } = useSessionActions();
  const [made, setMade] = useState<{ folder: string; id: string } | null>(null);
  const id = made !== null && made.folder === folder ? made.id : null;
  const session = useWindow(({ sessions }) => (id === null ? null : (sessions.get(id) ?? null)));
  useEffect(() => {
    if (folder === null || !isThere) return;
    let isWanted = true;
    const make = async (): Promise<void> => {
      const keeper = draftKeeper(services);
      await keeper.read(folderKey(folder));
      if (!isWanted) return;
      const held = [...services.store.getState().sessions.values()];
      const known = held.find(({ state, cwd, parent }) => state === 'provisional' && cwd === folder && parent === null);
      if (known !== undefined) {
        setMade({ folder, id: known.id });
        return;
      }
      const { choices } = keeper.held(folderKey(folder)).draft;
      const created = await create({ cwd: folder, agent: 'claude', title: null, choices });
      if (isWanted && created !== null) setMade({ folder, id: created.id });
    };
    void make();
    return () => {
      isWanted = false;
    };
  }, [folder, isThere, services, create]);
  return session;
}
