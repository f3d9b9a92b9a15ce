import { useState } from 'react';
import { ChevronDown, Folder } from '../../parts/icons.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { shortFolder } from './paths.ts';
import type { RecentFolder } from './recent-folders.ts';
import { usePickFolder } from './use-pick-folder.tsx';

export interface FolderButtonProps {
  folder: string | null;
  recent: readonly RecentFolder[];
  choose: (path: string) => void;
}

/** The folder that a session is to begin in. */
export function FolderButton({ folder, recent, choose }: FolderButtonProps) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { pick, dialog } = usePickFolder(folder ?? '', choose);
  // A menu of one entry is none: its dialog opens at once.
  const hasChoice = recent.length > 0;
  const items: MenuItem[] = [
    ...recent.map(({ path }) => ({
      label: shortFolder(path),
      checked: path === folder,
      run: () => choose(path),
    })),
    'separator',
    { label: 'Choose folder…', run: pick },
  ];
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className="button folder-button"
        {...(hasChoice && { 'aria-haspopup': 'menu' as const, 'aria-expanded': isOpen })}
        aria-label={folder === null ? 'Choose folder' : `Folder: ${shortFolder(folder)}`}
        title={folder ?? undefined}
        onClick={hasChoice ? () => setOpen(true) : pick}
      >
        <Folder size={16} />
        <span className="mono">{folder === null ? 'Choose folder…' : shortFolder(folder)}</span>
        {hasChoice && <ChevronDown size={16} />}
      </button>
      {isOpen && button !== null && <Menu {...{ items }} label="Folder" at={button} close={() => setOpen(false)} />}
      {dialog}
    </>
  );
}
