import { useMemo } from 'react';
import { BridgeError } from '../bridge.ts';
import { go, toast } from '../state/moves.ts';
import { type Services, useServices } from '../state/services.ts';

/** What buttons, banners and keys all over the window do. Null: it cannot be done from here. */
export interface Deeds {
  setProxy: ((on: boolean) => Promise<void>) | null;
  refresh: (() => void) | null;
  signOut: (() => void) | null;
  copyLines: (() => void) | null;
  copyCode: (() => void) | null;
  openOutside: (address: string) => void;
}

export function useDeeds(): Deeds {
  const services = useServices();
  return useMemo(() => deedsOf(services), [services]);
}

export function deedsOf({ bridge, store }: Services): Deeds {
  /** A failure is said where the person looks: what happened and what to do. */
  const tried = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      const mend = error instanceof BridgeError && error.mend !== '' ? ` ${error.mend}` : '';
      toast(store, `${error instanceof Error ? error.message : String(error)}${mend}`);
    }
  };
  const { setProxy, refresh, signOut, copyLines, copyCode, openOutside } = bridge;
  return {
    setProxy: setProxy === null ? null : (on) => tried(setProxy(on)),
    refresh: refresh === null ? null : () => void tried(refresh()),
    signOut: signOut === null ? null : () => void tried(signOut().then(() => go({ place: 'requests' }))),
    copyLines:
      copyLines === null
        ? null
        : () => void tried(copyLines(ownShell()).then(() => toast(store, 'Lines for Claude Code copied'))),
    copyCode: copyCode === null ? null : () => void tried(copyCode()),
    openOutside: (address) => {
      if (openOutside === null) window.open(address, '_blank', 'noopener');
      else void tried(openOutside(address));
    },
  };
}

function ownShell(): 'powershell' | 'zsh' | 'bash' {
  const { platform } = navigator;
  if (platform.startsWith('Win')) return 'powershell';
  return platform.startsWith('Mac') ? 'zsh' : 'bash';
}
