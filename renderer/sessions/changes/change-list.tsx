import classNames from 'classnames/bind';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { useHeir } from '../../parts/focus.ts';
import { isTextField } from '../../parts/shortcuts.ts';
import { copyText } from '../../state/copy-text.ts';
import { toast } from '../../state/notices.ts';
import { useServices, useWindow } from '../../state/services.ts';
import type { Comment } from '../composer/draft.ts';
import styles from '../panes.module.css';
import { shownPath } from '../paths.ts';
import { OtherComments } from '../review/comment-card.tsx';
import { type Arrival, placeTarget } from '../review/commented-difference.tsx';
import type { Review } from '../review/use-review.ts';
import { keyOf, sessionShortcuts } from '../session-shortcuts.ts';
import { useHeld, useSessionActions, useSessions } from '../state/hooks.ts';
import text from '../text/text.module.css';
import { ChangeItem } from './change-item.tsx';
import { type ChangeRow, canAccept, canUndo } from './change-rows.ts';
import changes from './changes.module.css';
import { askOutside } from './session-dialog.ts';
import type { Agreed, ShownChanges } from './use-changes.ts';

const css = classNames.bind(styles);

const noFiles: ReadonlySet<string> = new Set();

interface ChangeListProps {
  sessionId: string;
  shown: ShownChanges;
  scope: Comment['scope'];
  review: Review;
  children: ReactNode;
}

/** The changed files, each with its difference, its comments, and what can be done about it. */
export function ChangeList({ sessionId, shown, scope, review, children }: ChangeListProps) {
  const cwd = useHeld(sessionId)?.cwd ?? '';
  const { store } = useServices();
  const { showFile, leaveChanges } = useSessionActions();
  const open = useSessions(({ changes }) => changes?.files ?? noFiles);
  const setOpen = (change: (before: ReadonlySet<string>) => ReadonlySet<string>): void =>
    leaveChanges({ files: change(open) });
  const [wanted, setWanted] = useState<{ path: string; at: Arrival } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useHeir(list, rowOf);
  const letterKeys = useWindow((state) => state.letterKeys);
  const rows = shown.rows ?? [];
  const turn = (path: string): void => {
    shown.look();
    setOpen((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]));
  };
  const copyBefore = async (path: string): Promise<void> => {
    const before = (await shown.versions(path))?.before ?? null;
    if (before === null) toast(store, t('The version before is no longer saved.'), { kind: 'failed' });
    else await copyText(store, before, t('The version before copied'));
  };
  /** Asks first where the file is in none of the session's folders. */
  const write = (row: ChangeRow, label: string, run: (agreed?: Agreed) => unknown, deletes = false): void => {
    const { path } = row.file;
    const agreed = { outside: [path] };
    if (row.isOutside) askOutside({ session: sessionId, path, label, deletes, run: () => void run(agreed) });
    else run();
  };
  const put = (direction: 'undo' | 'redo', row: ChangeRow): void =>
    write(
      row,
      direction === 'undo' ? t('Undo') : t('Redo'),
      (agreed) => shown.put(direction, [row.file.path], agreed),
      direction === 'undo' ? row.file.isNew : row.file.isDeleted,
    );
  const putKeepingOthers = (row: ChangeRow): void => {
    const isRedo = row.state === 'undone';
    write(row, isRedo ? t('Redo') : t('Undo'), (agreed) =>
      shown.put(isRedo ? 'redo' : 'undo', [row.file.path], { ...agreed, keepOthers: true }),
    );
  };
  const arrive = (path: string, at: Arrival): void => {
    setOpen((before) => new Set([...before, path]));
    setWanted({ path, at });
  };
  const onKey = (event: KeyboardEvent): void => {
    const index = at(event);
    const row = rows[index];
    if (row === undefined || list.current === null) return;
    changeKeys(event, list.current, letterKeys, {
      arrive: (by, at) => {
        const next = rows[index + by];
        if (next !== undefined) arrive(next.file.path, at);
      },
      openFile: (by) => {
        const next = rows[index + by];
        if (next !== undefined) setOpen((before) => new Set([...before, next.file.path]));
      },
      accept: canAccept(row) ? () => void shown.accept([row.file.path]) : null,
      undo: canUndo(row) ? () => put('undo', row) : null,
    });
  };
  return (
    <div className={css('pane-body')}>
      <ul ref={list} onKeyDown={onKey}>
        {rows.map((row) => (
          <ChangeItem
            key={row.file.path}
            row={row}
            cwd={cwd}
            isOpen={open.has(row.file.path)}
            turn={() => turn(row.file.path)}
            undo={() => put('undo', row)}
            redo={() => put('redo', row)}
            putKeepingOthers={() => putKeepingOthers(row)}
            accept={() => void shown.accept([row.file.path])}
            takeBack={() => void shown.takeBack(row.file.path)}
            bringBack={() => write(row, t('Bring back'), (agreed) => shown.bringBack(row.file.path, agreed))}
            copyBefore={() => void copyBefore(row.file.path)}
            readSince={async () => (await shown.versions(row.file.path))?.threeWay ?? null}
            undoHunk={(header) =>
              // The only place of a new file is all of it.
              write(row, t('Undo'), (agreed) => shown.undoHunk(row.file.path, header, agreed), row.file.isNew)
            }
            {...{ review, scope }}
            arrival={wanted?.path === row.file.path ? wanted.at : null}
            arrived={() => setWanted(null)}
            openFile={showFile === null ? null : () => void showFile({ session: sessionId, path: row.file.path })}
          />
        ))}
      </ul>
      {shown.rows !== null && (
        <OtherComments
          review={review}
          comments={review.comments
            .filter(({ path }) => !rows.some(({ file }) => file.path === path))
            .map((comment) => ({ comment, place: null, isOwn: false }))}
          nameOf={({ path }) => shownPath(path, cwd)}
        />
      )}
      {children}
    </div>
  );
}

const itemOf = `.${changes['change-item']}`;
const opens = `.${changes['change-open']}`;

/** What opens the file whose row something is in. */
function rowOf(within: Element): HTMLElement | null {
  return within.closest(itemOf)?.querySelector<HTMLElement>(opens) ?? null;
}

/** Index of the row in which a key was pressed; -1 if none. */
function at(event: KeyboardEvent): number {
  const item = event.target instanceof Element ? event.target.closest(itemOf) : null;
  return item?.parentElement === null || item === null ? -1 : [...item.parentElement.children].indexOf(item);
}

interface ChangeKeyActions {
  /** Opens this file, or one that many files on, and takes the keyboard into its difference. */
  arrive: (by: number, at: Arrival) => void;
  openFile: (by: number) => void;
  /** Null if nothing is to be accepted. */
  accept: (() => void) | null;
  undo: (() => void) | null;
}

/** What keys do in the list of changed files. */
function changeKeys(
  event: KeyboardEvent,
  list: HTMLElement,
  letterKeys: boolean,
  { arrive, openFile, accept, undo }: ChangeKeyActions,
): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || isTextField(target)) return;
  const name = keyOf(event, sessionShortcuts.changes, letterKeys);
  // What scrolls by itself keeps its arrows.
  const isScrolled = target.closest(`.${text.patch}`) !== null;
  const step = name === 'down' || name === 'nextFile' || name === 'nextPlace' ? 1 : -1;
  const isFile = name === 'nextFile' || name === 'fileBefore';
  if (isFile || ((name === 'down' || name === 'up') && !isScrolled)) {
    const files = [...list.querySelectorAll<HTMLElement>(opens)];
    const now = files.findIndex((one) => one.closest(itemOf)?.contains(target));
    files[now + step]?.focus();
    if (isFile) openFile(step);
  } else if (name === 'nextPlace' || name === 'placeBefore') goToPlace(target, step, arrive);
  else if (name === 'comment') arrive(0, 'line');
  else if (name === 'accept' && accept !== null) accept();
  else if (name === 'undo' && undo !== null) undo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The next place of the difference, else the next file's first one; backwards, the one before. */
function goToPlace(from: HTMLElement, step: 1 | -1, arrive: ChangeKeyActions['arrive']): void {
  const item = from.closest(itemOf);
  const isOpen = item?.querySelector(opens)?.getAttribute('aria-expanded') === 'true';
  const places = [...(item?.querySelectorAll<HTMLElement>(`.${text['patch-gap']}`) ?? [])];
  const isBehind = (place: HTMLElement): boolean => {
    const order = from.compareDocumentPosition(place);
    return (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !place.contains(from);
  };
  const isAhead = (place: HTMLElement): boolean => !isBehind(place) && !place.contains(from);
  const next = step === 1 ? places.find(isBehind) : places.findLast(isAhead);
  if (next === undefined) {
    // The first place of a file is behind its name.
    const isToOpen = step === 1 && !isOpen;
    arrive(isToOpen ? 0 : step, step === 1 ? 'first' : 'last');
    return;
  }
  next.scrollIntoView({ block: 'nearest' });
  placeTarget(next).focus({ preventScroll: true });
}
