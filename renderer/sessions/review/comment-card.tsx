import classNames from 'classnames/bind';
import { useEffect, useRef } from 'react';
import { t } from '../../../app/language/translate.ts';
import { Button } from '../../parts/button.tsx';
import { Comment as CommentSign, Warning } from '../../parts/icons.tsx';
import type { Comment } from '../composer/draft.ts';
import { isKey, sessionShortcuts } from '../session-shortcuts.ts';
import styles from './review.module.css';
import { type CommentPlace, shownLines } from './review-lines.ts';
import type { Review } from './use-review.ts';

const css = classNames.bind(styles);

interface CommentCardProps {
  comment: Comment;
  review: Review;
  /** Where its lines are in the difference that is shown; null if they are in none that is. */
  place: CommentPlace | null;
  /** The difference that is shown is the one it was written on. */
  isOwn: boolean;
  /** Its field closed: what the keyboard goes back to. */
  left?: () => void;
}

/** A comment on lines: its words, or the field they are written in. */
export function CommentCard({ comment, review, place, isOwn, left }: CommentCardProps) {
  const where = shownLines(place !== null && place.state !== 'gone' ? place.lines : comment.lines);
  const isWriting = review.isWriting(comment);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // One that was begun before is not written in by itself.
    if (isWriting && document.activeElement?.closest('aside') != null) {
      field.current?.focus({ preventScroll: true });
      field.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isWriting]);
  const close = (): void => {
    review.close(comment);
    left?.();
  };
  const note = noteOf(comment, place, isOwn);
  return (
    <article
      className={css('comment')}
      aria-label={t('Comment on {lines}', { lines: where })}
      data-testid={`comment-${comment.id}`}
    >
      <p className={css('comment-where')}>
        {note === null ? <CommentSign size={14} /> : <Warning size={14} />}
        <span>
          {capital(where)}
          {note !== null && <span className={css('comment-note')}>{note}</span>}
        </span>
      </p>
      {(place === null || place.state === 'gone') && <Quoted comment={comment} />}
      {isWriting ? (
        <textarea
          ref={field}
          rows={2}
          dir="auto"
          aria-label={t('Comment on {lines}', { lines: where })}
          placeholder={t('What should change here?')}
          value={comment.text}
          onChange={({ target }) => review.write(comment, target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape' || isKey(event, sessionShortcuts.changes.saveComment)) {
              event.preventDefault();
              close();
            }
            event.stopPropagation();
          }}
        />
      ) : (
        <p className={css('comment-text')} dir="auto">
          {comment.text}
        </p>
      )}
      <div className={css('acts')}>
        {isWriting ? (
          <Button onClick={close}>{t('Save comment')}</Button>
        ) : (
          <Button onClick={() => review.change(comment)}>{t('Change')}</Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            review.remove(comment);
            left?.();
          }}
        >
          {t('Remove')}
        </Button>
      </div>
    </article>
  );
}

/** What became of its lines; null if they are where they were. */
function noteOf(comment: Comment, place: CommentPlace | null, isOwn: boolean): string | null {
  if (place?.state === 'gone' && isOwn) return t('These lines have changed since. They are quoted as they were.');
  if (place === null || place.state === 'gone') return t('These lines are not in the differences shown here.');
  const before = shownLines(comment.lines);
  return place.state === 'moved' && before !== shownLines(place.lines)
    ? t('Moved, before: {lines}.', { lines: before })
    : null;
}

const signs = { added: '+', removed: '−', same: ' ' } as const;

function Quoted({ comment: { lines } }: { comment: Comment }) {
  return (
    <pre className={css('comment-quote')}>
      {lines.map(({ look, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: quoted lines stay as they are.
        <span key={index}>
          {signs[look]} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** Comments whose lines are not in what is shown. Nothing if there are none. */
export function OtherComments(props: {
  comments: readonly { comment: Comment; place: CommentPlace | null; isOwn: boolean }[];
  review: Review;
  nameOf?: (comment: Comment) => string;
}) {
  const { comments, review, nameOf } = props;
  return comments.map(({ comment, place, isOwn }) => (
    <div key={comment.id} className={css('other-comment')}>
      {nameOf !== undefined && <p className="mono">{nameOf(comment)}</p>}
      <CommentCard {...{ comment, review, place, isOwn }} />
    </div>
  ));
}
