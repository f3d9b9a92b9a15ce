import { useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { ChevronDown, Folder } from '../../parts/icons.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { useSessionActions } from '../state/hooks.ts';
import { shortFolder } from './paths.ts';
import type { RecentFolder } from './recent-folders.ts';

export interface FolderButtonProps {
  folder: string | null;
  recent: readonly RecentFolder[];
  choose: (path: string) => void;
}

/** The folder that a session is to begin in. A browser can't choose one: its path is written there. */
export function FolderButton({ folder, recent, choose }: FolderButtonProps) {
  const { chooseFolder } = useSessionActions();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const pick = async (): Promise<void> => {
    if (chooseFolder === null) return setWriting(true);
    const path = await chooseFolder();
    if (path !== null) choose(path);
  };
  const items: MenuItem[] = [
    ...recent.map(({ path }) => ({
      label: shortFolder(path),
      checked: path === folder,
      run: () => choose(path),
    })),
    ...(recent.length > 0 ? ['separator' as const] : []),
    { label: 'Choose folder…', run: () => void pick() },
  ];
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className="button folder-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={folder === null ? 'Choose folder' : `Folder: ${shortFolder(folder)}`}
        title={folder ?? undefined}
        onClick={() => setOpen(true)}
      >
        <Folder size={16} />
        <span className="mono">{folder === null ? 'Choose folder…' : shortFolder(folder)}</span>
        <ChevronDown size={12} />
      </button>
      {isOpen && button !== null && <Menu {...{ items }} label="Folder" at={button} close={() => setOpen(false)} />}
      {isWriting && <WriteFolder {...{ choose }} start={folder ?? ''} close={() => setWriting(false)} />}
    </>
  );
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
