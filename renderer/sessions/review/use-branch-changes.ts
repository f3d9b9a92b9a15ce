import { useEffect, useMemo, useState } from 'react';
import type { BranchChanges } from '../../../app/api/session-surroundings.ts';
import type { ChangeRow } from '../changes/change-rows.ts';
import type { ShownChanges } from '../changes/use-changes.ts';
import { useEditCount, useSessionActions } from '../state/hooks.ts';

interface ShownBranch {
  /** The default branch; null without one, or until it is known. */
  base: string | null;
  /** There is a repository in a folder that isn't trusted, so that nothing is compared. */
  isUntrusted: boolean;
  /** Reads it again. */
  again: () => void;
  /** False: more differs than is listed. */
  isWhole: boolean;
  shown: ShownChanges;
}

/**
 * What the folder's files differ in from the default branch. Read again after edits, and when the window comes to the
 * front.
 */
export function useBranchChanges(session: string): ShownBranch {
  const actions = useSessionActions();
  const edits = useEditCount(session);
  const [found, setFound] = useState<BranchChanges | 'not-trusted' | null>(null);
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after an edit, or once it was accepted, it is another.
  useEffect(() => {
    let isOld = false;
    const read = async (): Promise<void> => {
      const now = await actions.branchChanges(session);
      // What is read stays where git doesn't answer once.
      if (!isOld) setFound((before) => now ?? before);
    };
    void read();
    const look = (): void => void read();
    window.addEventListener('focus', look);
    return () => {
      isOld = true;
      window.removeEventListener('focus', look);
    };
  }, [actions, session, edits, times]);
  const changes = found === 'not-trusted' ? null : found;
  const again = (): void => setTimes((before) => before + 1);
  const rows = useMemo(() => changes?.files.map(asRow) ?? null, [changes]);
  const nothing = async (): Promise<void> => undefined;
  return {
    base: changes?.base ?? null,
    isUntrusted: found === 'not-trusted',
    again,
    isWhole: changes?.isWhole ?? true,
    shown: {
      ...{ rows, commands: { commands: 0, untracked: 0 }, undoHunk: nothing, bringBack: nothing },
      look: again,
      put: async () => [],
      versions: async () => null,
      accept: async (paths) => {
        const files = (changes?.files ?? [])
          .filter(({ path, isAccepted }) => !isAccepted && (paths === null || paths.includes(path)))
          .map(({ path, version }) => ({ path, version }));
        if (await actions.acceptBranchFiles({ session, files })) again();
      },
      takeBack: async (path) => {
        const files = (changes?.files ?? [])
          .filter((file) => file.path === path)
          .map(({ version }) => ({ path, version }));
        if (await actions.acceptBranchFiles({ session, files, accepted: false })) again();
      },
    },
  };
}

function asRow(file: BranchChanges['files'][number]): ChangeRow {
  const { path, patch, added, removed, isNew, isDeleted, isAccepted } = file;
  const state = isAccepted ? 'accepted' : 'made';
  return {
    file: { path, patch, added, removed, isNew, isDeleted, state, edits: [], undoneHunks: 0, byCommand: false },
    state: isAccepted ? 'accepted' : 'new',
    ...{ refused: null, isBetween: false, modifiedAt: null, isOutside: false, unreadable: null },
    canPutBack: false,
  };
}
