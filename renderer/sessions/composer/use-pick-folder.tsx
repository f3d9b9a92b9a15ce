import { type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { useServices } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';
import { failureOf } from '../state/read-failure.ts';

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
  const { bridge } = useServices();
  const [path, setPath] = useState(start);
  const [problem, setProblem] = useState<string | null>(null);
  const note = useId();
  const done = async (): Promise<void> => {
    const written = path.trim();
    if (written === '') return;
    try {
      const found = await bridge.folder(written);
      choose(written.startsWith('~') ? found.path : written);
      close();
    } catch (error) {
      const { text, mend } = failureOf(error);
      setProblem(`${text} ${mend}`.trim());
    }
  };
  return (
    <Dialog
      title="Choose a folder"
      close={close}
      action={{ label: 'Use this folder', run: () => void done(), disabled: path.trim() === '' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void done();
        }}
      >
        <input
          autoFocus
          className="field mono rename-field"
          aria-label="Path of the folder"
          aria-invalid={problem !== null}
          aria-describedby={note}
          spellCheck={false}
          value={path}
          onChange={(event) => {
            setPath(event.target.value);
            setProblem(null);
          }}
        />
        <p id={note} className={problem === null ? 'muted' : 'bad'} role={problem === null ? undefined : 'alert'}>
          {problem ?? 'Its whole path, on the machine that Jumpseat runs on. ~ is your home folder.'}
        </p>
      </form>
    </Dialog>
  );
}
