import classNames from 'classnames/bind';
import { type ReactNode, useId, useState } from 'react';
import type { ListedSession } from '../../../app/api/session-list.ts';
import { sentences } from '../../../app/language/sentences.ts';
import { t } from '../../../app/language/translate.ts';
import { day, dayOfYear, hourAndMinute } from '../../../app/words/times.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ChevronDown, Folder } from '../../parts/icons.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { useServices } from '../../state/services.ts';
import { baseName, parentOf, shortFolder } from '../paths.ts';
import { useSessionActions } from '../state/hooks.ts';
import { failureOf } from '../state/sessions-store.ts';
import styles from './composer.module.css';

const css = classNames.bind(styles);

interface FolderButtonProps {
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
    { label: t('Choose folder…'), run: pick },
  ];
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className={css('button', 'folder-button')}
        {...(hasChoice && { 'aria-haspopup': 'menu' as const, 'aria-expanded': isOpen })}
        aria-label={folder === null ? t('Choose folder') : t('Folder: {folder}', { folder: shortFolder(folder) })}
        title={folder ?? undefined}
        onClick={hasChoice ? () => setOpen(true) : pick}
      >
        <Folder size={16} />
        <span className="mono ell">{folder === null ? t('Choose folder…') : shortFolder(folder)}</span>
        {hasChoice && <ChevronDown size={16} />}
      </button>
      {isOpen && button !== null && (
        <Menu {...{ items }} label={t('Folder')} at={button} above={button} close={() => setOpen(false)} />
      )}
      {dialog}
    </>
  );
}

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
      const { text, remedy } = failureOf(error);
      setProblem(sentences(text, remedy));
    }
  };
  return (
    <Dialog
      title={t('Choose a folder')}
      close={close}
      action={{ label: t('Use this folder'), run: () => void done(), disabled: path.trim() === '' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void done();
        }}
      >
        <input
          autoFocus
          className={css('field', 'mono', 'rename-field')}
          aria-label={t('Path of the folder')}
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
          {problem ?? t('The full path, on the machine that runs Jumpseat. ~ is your home folder.')}
        </p>
      </form>
    </Dialog>
  );
}

interface RecentFoldersProps {
  folders: readonly RecentFolder[];
  chosen: string | null;
  choose: (path: string) => void;
}

/** Folders that sessions ran in: one click sets the folder of the new one. */
export function RecentFolders({ folders, chosen, choose }: RecentFoldersProps) {
  if (folders.length === 0) return null;
  return (
    <section className={css('recents')} aria-labelledby="recent-folders">
      <h3 id="recent-folders">{t('Recent folders')}</h3>
      <ul>
        {folders.map(({ path, sessions, last }) => (
          <li key={path}>
            <button type="button" aria-pressed={path === chosen} title={path} onClick={() => choose(path)}>
              <Folder size={16} />
              <span>{baseName(path)}</span>
              <span className="mono muted ell">{shortFolder(parentOf(path))}</span>
              <span className={css('recent-count')}>
                {t('{sessions, plural, one {# session} other {# sessions}}', { sessions })}
              </span>
              <span className={css('recent-last')}>{last === 0 ? '–' : when(last)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `10:39`, `11 Nov` */
function when(at: number): string {
  return day(at) === day(Date.now()) ? hourAndMinute(at) : dayOfYear(at);
}

interface RecentFolder {
  path: string;
  sessions: number;
  /** When something was last said in it, ms since the epoch. */
  last: number;
}

const mostShown = 8;

/**
 * Folders that sessions ran in and that are there, the newest first.
 * @param gone those that are known to be gone beside the list
 */
export function recentFolders(
  sessions: Iterable<ListedSession>,
  gone: ReadonlySet<string> = new Set(),
): RecentFolder[] {
  const folders = new Map<string, RecentFolder>();
  for (const { cwd, isFolderGone, sentAt, updatedAt, createdAt } of sessions) {
    if (cwd === null || isFolderGone || gone.has(cwd)) continue;
    const known = folders.get(cwd) ?? { path: cwd, sessions: 0, last: 0 };
    const last = Math.max(known.last, sentAt ?? updatedAt ?? createdAt ?? 0);
    folders.set(cwd, { path: cwd, sessions: known.sessions + 1, last });
  }
  return [...folders.values()].toSorted((one, other) => other.last - one.last).slice(0, mostShown);
}
