import classNames from 'classnames/bind';
import { type MouseEvent, type ReactNode, useCallback } from 'react';
import type { ThreeWay } from '../../../app/api/sessions.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
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
import { rich } from '../../parts/rich.tsx';
import { useWindow } from '../../state/services.ts';
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
import { ChangeNote } from './change-note.tsx';
import { type ChangeRow, canAccept, canUndo, nameAndFolder, notKeptWords } from './change-rows.ts';
import styles from './changes.module.css';

const css = classNames.bind(styles);

interface ChangeItemProps {
  row: ChangeRow;
  cwd: string;
  isOpen: boolean;
  turn: () => void;
  undo: () => void;
  redo: () => void;
  /** Undoes it, or redoes it where it is undone, and leaves what something else changed. */
  putKeepingOthers: () => void;
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
  const isNoted = refused !== null || (state === 'changed-since' && isOpen);
  const { review, scope, arrival, arrived } = does;
  const comments = review.comments.filter((comment) => comment.path === file.path).length;
  const commented = { file: file.path, path, scope, review, arrival, arrived };
  return (
    <li
      className={css('change-item', { settled: isSettled, undone: state === 'undone' })}
      data-testid={`change-${file.path}`}
    >
      <div className={css('change-line')}>
        <button type="button" className={css('change-open')} aria-expanded={isOpen} title={path} onClick={turn}>
          {isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          <span className={css('path', 'mono')}>
            <b className="ell">{name}</b>
            <span className="ell">{folder}</span>
          </span>
          <span className={css('counts')}>
            {comments > 0 && (
              <span className={css('comment-count')}>
                <CommentSign size={12} />
                {rich('{comments, plural, one {#<sr>comment</sr>} other {#<sr>comments</sr>}}', {
                  comments,
                  sr: (inside) => <span className="sr">{inside}</span>,
                })}
              </span>
            )}
            {file.byCommand && (
              <span className="muted" title={byWhom(file)}>
                <Terminal size={12} />
                <span className="sr">{t('by a command')}</span>
              </span>
            )}
            <Kind row={row} />
            {file.added > 0 && <span className="plus">+{file.added}</span>}
            {file.removed > 0 && <span className="minus">−{file.removed}</span>}
          </span>
          <span className="sr">{stateWords(row)}</span>
        </button>
        <span className={css('ends')}>
          <Ends row={row} {...does} />
        </span>
      </div>
      {isNoted && (
        <ChangeNote
          {...{ row, name }}
          opened={state === 'changed-since' && refused !== null ? { isOpen, turn } : null}
          tryAgain={state === 'undone' ? does.redo : does.undo}
          putKeepingOthers={does.putKeepingOthers}
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
  return withClaude
    ? t('Claude and a command changed it, or something else while the command ran')
    : t('A command changed it, or something else while the command ran');
}

function Kind({ row: { file } }: { row: ChangeRow }) {
  if (file.patch === null || (!file.isNew && !file.isDeleted)) return null;
  return <span className="muted">{file.isNew ? t('new', {}, 'a file') : t('deleted', {}, 'a file')}</span>;
}

function stateWords({ state }: ChangeRow): string {
  return state === 'new' ? '' : translated(stateNames[state]);
}

const stateNames: Readonly<Record<Exclude<ChangeRow['state'], 'new'>, Message>> = {
  accepted: msg('accepted'),
  undone: msg('undone'),
  writing: msg('being written'),
  'changed-since': msg('changed since'),
  'put-back': msg('put back since'),
  gone: msg('deleted since'),
  failed: msg('couldn’t be undone'),
  'not-kept': msg('can’t be undone'),
};

/** The second click of a double click may meet a button that has just come under the pointer: it writes no file. */
const first =
  (write: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail < 2) write();
  };

type Does = Pick<ChangeItemProps, 'undo' | 'redo' | 'accept' | 'takeBack' | 'bringBack'>;

function Ends({ row, undo, redo, accept, takeBack, bringBack }: { row: ChangeRow } & Does): ReactNode {
  const days = useKeptDays();
  switch (row.state) {
    case 'new':
      return (
        <>
          {canUndo(row) && (
            <Button size="small" onClick={first(undo)}>
              {row.isOutside ? t('Undo…') : t('Undo')}
            </Button>
          )}
          <Button size="small" onClick={accept}>
            {t('Accept')}
          </Button>
        </>
      );
    case 'accepted':
      return (
        <Button
          size="small"
          look="quiet"
          className={css('change-word')}
          aria-pressed
          title={t('Remove the mark')}
          onClick={first(takeBack)}
        >
          <Check size={14} /> {t('Accepted')}
        </Button>
      );
    case 'undone':
      return (
        <>
          <span className={css('change-word')}>{t('Undone')}</span>
          <Button size="small" onClick={first(redo)}>
            {row.isOutside ? t('Redo…') : t('Redo')}
          </Button>
        </>
      );
    case 'writing':
      return (
        <span className={css('change-word')}>
          <Ring size={12} /> {t('Writing')}
        </span>
      );
    case 'changed-since':
      return (
        <>
          <span className={css('change-word', 'warned')}>
            <Warning size={14} /> {t('Changed since')}
          </span>
          {canAccept(row) && (
            <Button size="small" onClick={accept}>
              {t('Accept')}
            </Button>
          )}
        </>
      );
    case 'put-back':
      return <span className={css('change-word')}>{t('Put back since')}</span>;
    case 'gone':
      return (
        <>
          <span className={css('change-word', 'warned')}>{t('Deleted since')}</span>
          <Button size="small" onClick={first(bringBack)}>
            {row.isOutside ? t('Bring back…') : t('Bring back')}
          </Button>
        </>
      );
    case 'failed':
      return (
        <span className={css('change-word', 'warned')}>
          <Warning size={14} /> {t('Not undone')}
        </span>
      );
    case 'not-kept':
      return (
        <span className={css('change-word')} title={notKeptWords(row, days)}>
          {t('Can’t be undone')}
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
        <Button
          size="small"
          className={css('hunk-undo')}
          aria-label={t('Undo {place}', { place: header })}
          onClick={first(() => undoHunk(header))}
        >
          {row.isOutside ? t('Undo…') : t('Undo')}
        </Button>
      ),
    [undoHunk, row.isOutside, isUndoable],
  );
  if (patch === null) {
    return (
      <>
        <p className={css('change-said')}>{notKeptWords(row, days)}</p>
        <OtherComments review={commented.review} comments={placedComments(commented, () => null)} />
      </>
    );
  }
  return (
    <>
      {row.state === 'accepted' && isUndoable && (
        <p className={css('change-said')}>
          <LinkButton onClick={first(undo)}>{row.isOutside ? t('Undo edits…') : t('Undo edits')}</LinkButton>
        </p>
      )}
      {undoneHunks > 0 && row.state !== 'undone' && (
        <p className={css('change-said')}>
          {t('{count, plural, one {# place was undone.} other {# places were undone.}}', { count: undoneHunks })}{' '}
          <LinkButton onClick={first(redo)}>{row.isOutside ? t('Redo…') : t('Redo')}</LinkButton>
        </p>
      )}
      {patch === '' || !patch.includes('@@') ? (
        <>
          <p className={css('change-said')}>{t('Nothing is left to show.')}</p>
          <OtherComments review={commented.review} comments={placedComments(commented, () => ({ state: 'gone' }))} />
        </>
      ) : (
        <CommentedDifference {...{ ...commented, patch, hunkAction }} openFile={openFile ?? undefined} />
      )}
    </>
  );
}
