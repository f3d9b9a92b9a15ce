import { useCallback, useState } from 'react';
import type { PreferencesChange } from '../../app/api/settings.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { takePreferences } from '../state/preferences.ts';
import { useServices } from '../state/services.ts';

export interface Changing {
  /** Puts it in force at once. True when it was taken. */
  change: (given: PreferencesChange) => Promise<boolean>;
  /** Why the last change was not taken. */
  error: string | null;
  clear: () => void;
}

/** One control's way to a setting. What is not taken leaves the old value, and says why below the control. */
export function useChange(): Changing {
  const { bridge, store } = useServices();
  const [error, setError] = useState<string | null>(null);
  const change = useCallback(
    async (given: PreferencesChange): Promise<boolean> => {
      try {
        takePreferences(store, await bridge.changePreferences(given));
        setError(null);
        return true;
      } catch (reason) {
        const why = reason instanceof Error ? reason.message : String(reason);
        const mend = reason instanceof BridgeError ? ` ${reason.mend}` : '';
        setError(`This setting couldn’t be saved. ${why}${mend}`);
        // Some of it may be in force all the same: a port that was kept but could not be taken.
        const now = await bridge.preferences().catch(() => null);
        if (now) takePreferences(store, now);
        return false;
      }
    },
    [bridge, store],
  );
  const clear = useCallback(() => setError(null), []);
  return { change, error, clear };
}
