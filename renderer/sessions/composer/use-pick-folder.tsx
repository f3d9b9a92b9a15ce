import { type ReactNode, useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { useSessionActions } from '../state/hooks.ts';

/** Has the person choose a folder: in the system's dialog. A browser can't open that; its path is written there. */
export function usePickFolder(start: string, choose: (path: string) => void): { pick: () => void; dialog: ReactNode } {
  const { chooseFolder } = useSessionActions();
  const [isWriting, setWriting] = useState(false);
  const pick = async (): Promise<void> => {
    if (chooseFolder === null) return setWriting(true);
    const path = await chooseFolder();
    if (path !== null) choose(path);
  };
  return {
    pick: () => void pick(),
    dialog: isWriting && <WriteFolder {...{ start, choose }} close={() => setWriting(false)} />,
  };
}

function WriteFolder({ start, choose, close }: { start: string; choose: (path: string) => void; close: () => void }) {
  const [path, setPath] = useState(start);
  const done = (): void => {
    if (path.trim() === '') return;
    choose(path.trim());
    close();
  };
  return (
    <Dialog
      title="Choose a folder"
      close={close}
      action={{ label: 'Use this folder', run: done, disabled: path.trim() === '' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <input
          autoFocus
          className="field mono rename-field"
          aria-label="Path of the folder"
          spellCheck={false}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        <p className="muted">Its whole path, on the machine that Jumpseat runs on.</p>
      </form>
    </Dialog>
  );
}
