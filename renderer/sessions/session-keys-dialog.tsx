import { useStore } from 'zustand';
import { KeysDialog } from '../parts/keys-dialog.tsx';
import { setLetterKeys } from '../state/preferences.ts';
import { useServices, useWindow } from '../state/services.ts';
import { keysShown } from './keys-shown.ts';
import { isBrowserWindow, keyGroups } from './session-keys.ts';

/** The keys of the view, where they were asked for. */
export function SessionKeysDialog() {
  const { bridge, store } = useServices();
  const letterKeys = useWindow((state) => state.letterKeys);
  const { isShown } = useStore(keysShown);
  if (!isShown) return null;
  return (
    <KeysDialog
      groups={keyGroups(isBrowserWindow(bridge))}
      letterKeys={letterKeys}
      setLetterKeys={(on) => setLetterKeys(store, on)}
      close={() => keysShown.setState({ isShown: false })}
    />
  );
}
