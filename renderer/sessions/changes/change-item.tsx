import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { ThreeWay } from '../../../app/api/sessions.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import {
  Check,
  ChevronDown,
  ChevronRight,
  Comment as CommentSign,
  Ring,
  Terminal,
  Warning,
} from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices, useWindow } from '../../state/services.ts';
import type { Comment } from '../composer/draft.ts';
import { shownPath } from '../paths.ts';
import { OtherComments } from '../review/comment-card.tsx';
import {
  type Arrival,
  CommentedDifference,
  type CommentedDifferenceProps,
  placedComments,
} from '../review/commented-difference.tsx';
import type { Review } from '../review/use-review.ts';
import { useAgentWords } from '../state/hooks.ts';
import { Difference } from '../text/difference.tsx';
import { type ChangeRow, canAccept, canUndo, isChanged, nameAndFolder, notKeptWords } from './change-rows.ts';

interface ChangeItemProps {
  row: ChangeRow;
  cwd: string;
  isOpen: boolean;
  turn: () => void;
  undo: () => void;
  redo: () => void;
  accept: () => void;
  takeBack: () => void;
  undoHunk: (header: string) => void;
  bringBack: () => void;
  copyBefore: () => void;
  /** What else happened to the file; null if nothing, or it isn't known. */
  readSince: () => Promise<ThreeWay | null>;
  /** Null in a browser. */
  openFile: (() => void) | null;
  review: Review;
  scope: Comment['scope'];
  arrival: Arrival | null;
  arrived: () => void;
}

/** One file: what was done to it, and what can be done about that. */
export function ChangeItem({ row, cwd, isOpen, turn, ...does }: ChangeItemProps) {
  const { file, state, refused } = row;
  const path = shownPath(file.path, cwd);
  const { name, folder } = nameAndFolder(path);
  const isSettled = state === 'accepted' || state === 'undone' || state === 'put-back';
  const look = ['change-item', isSettled ? 'settled' : '', state === 'undone' ? 'undone' : ''];
  const isNoted = refused !== null || (state === 'changed-since' && isOpen);
  const { review, scope, arrival, arrived } = does;
  const comments = review.comments.filter((comment) => comment.path === file.path).length;
  const commented = { file: file.path, path, scope, review, arrival, arrived };
  return (
    <li className={look.filter(Boolean).join(' ')} data-testid={`change-${file.path}`}>
      <div className="change-line">
        <button type="button" className="change-open" aria-expanded={isOpen} title={path} onClick={turn}>
          {isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          <span className="path mono">
            <b>{name}</b>
            <span>{folder}</span>
          </span>
          <span className="counts">
            {comments > 0 && (
              <span className="comment-count">
                <CommentSign size={12} />
                {comments}
                <span className="sr">{comments === 1 ? 'comment' : 'comments'}</span>
              </span>
            )}
            {file.byCommand && (
              <span className="muted by-command" title={byWhom(file)}>
                <Terminal size={12} />
                <span className="sr">by a command</span>
              </span>
            )}
            <Kind row={row} />
            {file.added > 0 && <span className="plus">+{file.added}</span>}
            {file.removed > 0 && <span className="minus">−{file.removed}</span>}
          </span>
          <span className="sr">{stateWords(row)}</span>
        </button>
        <span className="ends">
          <Ends row={row} {...does} />
        </span>
      </div>
      {isNoted && (
        <ChangeNote
          {...{ row, name }}
          opened={state === 'changed-since' && refused !== null ? { isOpen, turn } : null}
          tryAgain={state === 'undone' ? does.redo : does.undo}
          copyBefore={does.copyBefore}
          readSince={does.readSince}
          ownEdit={<CommentedDifference {...commented} patch={file.patch ?? ''} />}
        />
      )}
      {isOpen && state !== 'changed-since' && <Opened {...{ row, commented, ...does }} />}
    </li>
  );
}

/** Its edits by Claude have no such id. */
function byWhom({ edits }: ChangeRow['file']): string {
  const withClaude = edits.some((id) => !id.includes(':command:'));
  return `${withClaude ? 'Claude and a command' : 'A command'} changed it, or something else while the command ran`;
}

function Kind({ row: { file } }: { row: ChangeRow }) {
  if (file.patch === null || (!file.isNew && !file.isDeleted)) return null;
  return <span className="muted">{file.isNew ? 'new' : 'deleted'}</span>;
}

function stateWords({ state }: ChangeRow): string {
  const words = {
    new: '',
    accepted: 'accepted',
    undone: 'undone',
    writing: 'being written',
    'changed-since': 'changed since',
    'put-back': 'put back since',
    gone: 'deleted since',
    failed: 'couldn’t be undone',
    'not-kept': 'can’t be undone',
  };
  return words[state];
}

/** The second click of a double click may meet a button that has just come under the pointer: it writes no file. */
const first =
  (write: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail < 2) write();
  };

type Does = Pick<ChangeItemProps, 'undo' | 'redo' | 'accept' | 'takeBack' | 'bringBack'>;

function Ends({ row, undo, redo, accept, takeBack, bringBack }: { row: ChangeRow } & Does): ReactNode {
  const days = useKeptDays();
  const asks = row.isOutside ? '…' : '';
  switch (row.state) {
    case 'new':
      return (
        <>
          {canUndo(row) && <Button onClick={first(undo)}>Undo{asks}</Button>}
          <Button onClick={accept}>Accept</Button>
        </>
      );
    case 'accepted':
      return (
        <Button look="quiet" className="change-word" aria-pressed title="Take the mark back" onClick={first(takeBack)}>
          <Check size={14} /> Accepted
        </Button>
      );
    case 'undone':
      return (
        <>
          <span className="change-word">Undone</span>
          <Button onClick={first(redo)}>Redo{asks}</Button>
        </>
      );
    case 'writing':
      return (
        <span className="change-word">
          <Ring size={12} /> Writing
        </span>
      );
    case 'changed-since':
      return (
        <>
          <span className="change-word amber">
            <Warning size={14} /> Changed since
          </span>
          {canAccept(row) && <Button onClick={accept}>Accept</Button>}
        </>
      );
    case 'put-back':
      return <span className="change-word">Put back since</span>;
    case 'gone':
      return (
        <>
          <span className="change-word amber">Deleted since</span>
          <Button onClick={first(bringBack)}>Bring back{asks}</Button>
        </>
      );
    case 'failed':
      return (
        <span className="change-word amber">
          <Warning size={14} /> Not undone
        </span>
      );
    case 'not-kept':
      return (
        <span className="change-word" title={notKeptWords(row, days)}>
          Can’t be undone
        </span>
      );
  }
}

/** For how many days versions are kept; null: for ever, or not known. */
function useKeptDays(): number | null {
  return useWindow(({ preferences }) => preferences?.sessions.keepVersionsDays ?? null);
}

interface OpenedProps {
  row: ChangeRow;
  commented: Pick<CommentedDifferenceProps, 'file' | 'path' | 'scope' | 'review' | 'arrival' | 'arrived'>;
  undo: () => void;
  undoHunk: (header: string) => void;
  redo: () => void;
  openFile: (() => void) | null;
}

function Opened({ row, commented, undo, undoHunk, redo, openFile }: OpenedProps) {
  const { patch, undoneHunks } = row.file;
  const days = useKeptDays();
  const isUndoable = canUndo(row);
  const hunkAction = useCallback(
    (header: string) =>
      isUndoable && (
        <Button className="hunk-undo" aria-label={`Undo ${header}`} onClick={first(() => undoHunk(header))}>
          {row.isOutside ? 'Undo…' : 'Undo'}
        </Button>
      ),
    [undoHunk, row.isOutside, isUndoable],
  );
  if (patch === null) {
    return (
      <>
        <p className="change-said">{notKeptWords(row, days)}</p>
        <OtherComments review={commented.review} comments={placedComments(commented, () => null)} />
      </>
    );
  }
  return (
    <>
      {row.state === 'accepted' && isUndoable && (
        <p className="change-said">
          <LinkButton onClick={first(undo)}>{row.isOutside ? 'Undo edits…' : 'Undo edits'}</LinkButton>
        </p>
      )}
      {undoneHunks > 0 && row.state !== 'undone' && (
        <p className="change-said">
          {undoneHunks === 1 ? '1 place was undone.' : `${undoneHunks} places were undone.`}{' '}
          <LinkButton onClick={first(redo)}>{row.isOutside ? 'Redo…' : 'Redo'}</LinkButton>
        </p>
      )}
      {patch === '' || !patch.includes('@@') ? (
        <>
          <p className="change-said">Nothing is left to show.</p>
          <OtherComments review={commented.review} comments={placedComments(commented, () => ({ state: 'gone' }))} />
        </>
      ) : (
        <CommentedDifference {...{ ...commented, patch, hunkAction }} openFile={openFile ?? undefined} />
      )}
    </>
  );
}

interface ChangeNoteProps {
  row: ChangeRow;
  name: string;
  /** Undoes it, or redoes it where it is undone. */
  tryAgain: () => void;
  copyBefore: () => void;
  readSince: () => Promise<ThreeWay | null>;
  /** Opens the difference with the row, which has nothing else to show; null: the row opens something of its own. */
  opened: Pick<ChangeItemProps, 'isOpen' | 'turn'> | null;
  /** What the agent changed. */
  ownEdit: ReactNode;
}

/** Why a file was neither undone nor redone, and what one can take from it. */
function ChangeNote({ row, name, tryAgain, copyBefore, readSince, opened, ownEdit }: ChangeNoteProps) {
  const { state, refused, isBetween, modifiedAt, file } = row;
  const { store } = useServices();
  const { name: agent } = useAgentWords();
  const [isShown, setShown] = useState(false);
  const isOpen = opened?.isOpen ?? isShown;
  const turn = opened?.turn ?? (() => setShown(!isShown));
  const [since, setSince] = useState<ThreeWay | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened is another thing once it was written again.
  useEffect(() => {
    if (refused === null) void readSince().then(setSince);
  }, [refused, modifiedAt]);
  const threeWay = refused === null ? since : refused.threeWay;
  const isRedo = state === 'undone';
  const wanted = isRedo ? 'with' : 'without';
  const by = isRedo ? 'Redo' : 'Undo';
  const merged = threeWay?.merged ?? null;
  if (refused !== null && !isChanged(refused)) {
    return (
      <div className="change-note" role="status">
        <Warning size={14} />
        <div>
          <b>{refused.problem?.text}</b> {refused.problem?.remedy}
          <div className="acts">
            <Button onClick={tryAgain}>Try again</Button>
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="change-note">
      <Warning size={14} />
      <div>
        {isBetween ? (
          <>
            <b>{by} would lose another change.</b> Something else changed this file between {agent}’s edits.
          </>
        ) : (
          <>
            <b>{by} would lose a later change.</b> Something else wrote this file
            {modifiedAt === null ? '' : ` at ${clockTime(modifiedAt)}`}, after {agent}’s edit
            {isRedo ? ' was undone' : ''}.
          </>
        )}
        <div className="acts">
          <Button aria-expanded={isOpen} onClick={turn}>
            {isOpen ? 'Hide difference' : 'Show difference'}
          </Button>
          {!isRedo && !file.isNew && <Button onClick={copyBefore}>Copy the version before</Button>}
          {merged !== null && (
            <Button onClick={() => void copyText(store, merged, `${name} ${wanted} ${agent}’s edit copied`)}>
              Copy {wanted} {agent}’s edit
            </Button>
          )}
        </div>
        {isOpen && (
          <>
            <section className="change-way">
              <h4>{agent}’s edit</h4>
              {ownEdit}
            </section>
            {threeWay !== null && (
              <Way title={isBetween ? 'The other change' : 'Since then'} name={name} patch={threeWay.since} />
            )}
            {threeWay !== null && !isRedo && <Way title={`${agent}’s edit undone`} name={name} patch={threeWay.back} />}
          </>
        )}
      </div>
    </div>
  );
}

function Way({ title, name, patch }: { title: string; name: string; patch: string }) {
  const source = useMemo(() => ({ kind: 'patch', patch }) as const, [patch]);
  return (
    <section className="change-way">
      <h4>{title}</h4>
      <Difference path={name} source={source} />
    </section>
  );
}
