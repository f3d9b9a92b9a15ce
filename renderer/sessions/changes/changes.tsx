import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/choices.tsx';
import { useHeir } from '../../parts/focus.ts';
import { Close, Copy, Diff } from '../../parts/icons.tsx';
import { Empty } from '../../parts/view-frame.tsx';
import { copyText } from '../../state/copy-text.ts';
import { toast } from '../../state/notices.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { toComposer } from '../composer/open-session.ts';
import { keyOf, sessionKeys, useKeyTitles } from '../session-keys.ts';
import { useConversation, useHeld, useSessionActions } from '../state/hooks.ts';
import { ChangeItem } from './change-item.tsx';
import { type ChangeRow, canAccept, cannotWords, canUndo, sumOf, wholePatch } from './change-rows.ts';
import { RanCommands } from './ran-commands.tsx';
import { askOutside, askUndoTurn } from './session-dialog.ts';
import { type Agreed, type ShownChanges, useChanges } from './use-changes.ts';

interface ChangesProps {
  sessionId: string;
  /** The turn that is shown first; null if the whole session is. */
  turnId: string | null;
  close: () => void;
}

/** What Claude changed in files, in a turn or in the whole session, with the way back of each. */
export function Changes({ sessionId, turnId, close }: ChangesProps) {
  const [scope, setScope] = useState<'turn' | 'session'>(turnId === null ? 'session' : 'turn');
  const last = useConversation(sessionId, ({ turns }) => turns.at(-1)?.id ?? null);
  const turn = turnId ?? last;
  // Without a turn there is nothing of one.
  const ofTurn = useChanges(sessionId, turn ?? 'none');
  const ofSession = useChanges(sessionId, null);
  const shown = scope === 'turn' ? ofTurn : ofSession;
  const { lookAgain } = useSessionActions();
  // The button in the head counts what is seen here.
  useEffect(() => lookAgain(sessionId), [lookAgain, sessionId]);
  const rows = shown.rows ?? [];
  const sum = sumOf(rows);
  const { store } = useServices();
  const patch = wholePatch(rows);
  const { titled } = useKeyTitles();
  const pane = useRef<HTMLElement>(null);
  // What is closed with the focus in it gives it to the message field.
  useLayoutEffect(() => {
    const now = pane.current;
    return () => {
      // A field that they covered is there only after this.
      if (now?.contains(document.activeElement) === true) queueMicrotask(toComposer);
    };
  }, []);
  // Keys work in it at once; who went on elsewhere meanwhile stays there.
  const [before] = useState(() => document.activeElement);
  const isKnown = shown.rows !== null;
  useEffect(() => {
    if (!isKnown) return;
    const at = document.activeElement;
    if (at !== before && at !== document.body) return;
    const first = pane.current?.querySelector<HTMLElement>('.change-open') ?? pane.current;
    first?.focus();
  }, [isKnown, before]);
  return (
    <aside ref={pane} tabIndex={-1} className="pane changes-pane" aria-label="Changes" data-testid="changes">
      <header className="pane-head">
        <div className="pane-title">
          <h2>Changes</h2>
        </div>
        {patch !== '' && (
          <IconButton
            label="Copy as a patch"
            icon={<Copy size={16} />}
            onClick={() => void copyText(store, patch, 'Patch copied')}
          />
        )}
        <IconButton
          label="Close changes"
          {...titled('Close changes', sessionKeys.view.changes)}
          icon={<Close size={16} />}
          onClick={close}
        />
      </header>
      <div className="changes-tools">
        <Segmented
          label="Changes of"
          chosen={scope}
          choose={setScope}
          segments={[
            { name: 'turn', label: 'This turn', more: ofTurn.rows === null ? '' : sumOf(ofTurn.rows).files },
            { name: 'session', label: 'Session', more: ofSession.rows === null ? '' : sumOf(ofSession.rows).files },
          ]}
        />
        {rows.length > 0 && (
          <span className="sum">
            {sum.added > 0 && <span className="plus">+{sum.added}</span>}{' '}
            {sum.removed > 0 && <span className="minus">−{sum.removed}</span>}
          </span>
        )}
      </div>
      <ChangeList key={scope} sessionId={sessionId} shown={shown}>
        {shown.rows !== null && (
          <RanCommands sessionId={sessionId} turn={scope === 'turn' ? turn : null} count={shown.commands} />
        )}
        {shown.rows?.length === 0 && (
          <Empty
            icon={<Diff size={24} />}
            title={scope === 'turn' ? 'Nothing changed in this turn' : 'Nothing changed in this session'}
          />
        )}
      </ChangeList>
      {rows.length > 0 && (
        <footer className="pane-foot">
          <p>{cannotWords(rows)}</p>
          {rows.some(canUndo) && (
            <Button onClick={() => askUndoTurn({ session: sessionId, turn: scope === 'turn' ? turn : null })}>
              {scope === 'turn' ? 'Undo this turn…' : 'Undo this session…'}
            </Button>
          )}
          {rows.some(canAccept) && <Button onClick={() => void shown.accept(null)}>Accept all</Button>}
        </footer>
      )}
    </aside>
  );
}

interface ChangeListProps {
  sessionId: string;
  shown: ShownChanges;
  children: ReactNode;
}

function ChangeList({ sessionId, shown, children }: ChangeListProps) {
  const cwd = useHeld(sessionId)?.cwd ?? '';
  const { store } = useServices();
  const { showFile } = useSessionActions();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  useHeir(list, rowOf);
  const letterKeys = useWindow((state) => state.letterKeys);
  const rows = shown.rows ?? [];
  const turn = (path: string): void =>
    setOpen((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]));
  const copyBefore = async (path: string): Promise<void> => {
    const before = (await shown.versions(path))?.before ?? null;
    if (before === null) toast(store, 'The version before is no longer saved.', { kind: 'failed' });
    else await copyText(store, before, 'The version before copied');
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
      direction === 'undo' ? 'Undo' : 'Redo',
      (agreed) => shown.put(direction, [row.file.path], agreed),
      direction === 'undo' ? row.file.isNew : row.file.isDeleted,
    );
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[at(event)];
    if (row === undefined || list.current === null) return;
    changeKeys(event, list.current, letterKeys, {
      accept: canAccept(row) ? () => void shown.accept([row.file.path]) : null,
      undo: canUndo(row) ? () => put('undo', row) : null,
    });
  };
  return (
    <div className="change-list">
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
            accept={() => void shown.accept([row.file.path])}
            bringBack={() => write(row, 'Bring back', (agreed) => shown.bringBack(row.file.path, agreed))}
            copyBefore={() => void copyBefore(row.file.path)}
            readSince={async () => (await shown.versions(row.file.path))?.threeWay ?? null}
            undoHunk={(header) =>
              // The only place of a new file is all of it.
              write(row, 'Undo', (agreed) => shown.undoHunk(row.file.path, header, agreed), row.file.isNew)
            }
            openFile={showFile === null ? null : () => void showFile({ session: sessionId, path: row.file.path })}
          />
        ))}
      </ul>
      {children}
    </div>
  );
}

/** What opens the file whose row something is in. */
function rowOf(within: Element): HTMLElement | null {
  return within.closest('.change-item')?.querySelector<HTMLElement>('.change-open') ?? null;
}

/** Index of the row in which a key was pressed; -1 if none. */
function at(event: KeyboardEvent): number {
  const item = event.target instanceof Element ? event.target.closest('.change-item') : null;
  return item?.parentElement === null || item === null ? -1 : [...item.parentElement.children].indexOf(item);
}

interface ChangeKeyActions {
  /** Null if nothing is to be accepted. */
  accept: (() => void) | null;
  undo: (() => void) | null;
}

/** What keys do in the list of changed files. */
function changeKeys(
  event: KeyboardEvent,
  list: HTMLElement,
  letterKeys: boolean,
  { accept, undo }: ChangeKeyActions,
): void {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  const name = keyOf(event, sessionKeys.changes, letterKeys);
  // What scrolls by itself keeps its arrows.
  const isScrolled = target.closest('.patch') !== null;
  if ((name === 'down' || name === 'up') && !isScrolled) {
    const files = [...list.querySelectorAll<HTMLElement>('.change-open')];
    const now = files.findIndex((one) => one.closest('.change-item')?.contains(target));
    files[now + (name === 'down' ? 1 : -1)]?.focus();
  } else if (name === 'nextPlace' || name === 'placeBefore') {
    goToPlace(list, target, name === 'nextPlace' ? 1 : -1);
  } else if (name === 'accept' && accept !== null) accept();
  else if (name === 'undo' && undo !== null) undo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The next place of a difference that is open: its `Undo` gets the focus, where it has one. */
function goToPlace(list: HTMLElement, from: HTMLElement, step: 1 | -1): void {
  const places = [...list.querySelectorAll<HTMLElement>('.patch .patch-gap')];
  const isBehind = (place: HTMLElement): boolean => {
    const order = from.compareDocumentPosition(place);
    return (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !place.contains(from);
  };
  const isAhead = (place: HTMLElement): boolean => !isBehind(place) && !place.contains(from);
  const next = step === 1 ? places.find(isBehind) : places.findLast(isAhead);
  next?.scrollIntoView({ block: 'nearest' });
  next?.querySelector('button')?.focus({ preventScroll: true });
}
