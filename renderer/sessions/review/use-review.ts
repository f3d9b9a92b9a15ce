import { useCallback, useMemo, useState } from 'react';
import { withAttachment, withoutAttachment } from '../composer/attach.ts';
import { type Comment, type CommentedLine, sessionKey } from '../composer/draft.ts';
import { useDraft } from '../composer/use-draft.ts';
import { aroundOf, type ReviewLines } from './review-lines.ts';

/** Comments on the changes of a session. They are a part of its next message, and stored with its draft. */
export interface Review {
  /** Also those that are only begun. */
  comments: readonly Comment[];
  isWriting: (comment: Comment) => boolean;
  begin: (on: Pick<Comment, 'path' | 'scope'>, all: ReviewLines, chosen: readonly CommentedLine[]) => void;
  change: (comment: Comment) => void;
  write: (comment: Comment, text: string) => void;
  /** Closes its field. Without words it is removed. */
  close: (comment: Comment) => void;
  remove: (comment: Comment) => void;
}

export function useReview(session: string): Review {
  const { draft, change } = useDraft(sessionKey(session));
  const [writing, setWriting] = useState<ReadonlySet<string>>(new Set());
  const comments = useMemo(() => draft.attachments.filter((one) => one.kind === 'comment'), [draft.attachments]);
  const write = useCallback(
    ({ id }: Comment, text: string): void =>
      change((now) => ({
        ...now,
        attachments: now.attachments.map((one) => (one.kind === 'comment' && one.id === id ? { ...one, text } : one)),
      })),
    [change],
  );
  const remove = useCallback(({ id }: Comment): void => change((now) => withoutAttachment(now, id)), [change]);
  const set = (id: string, isOpen: boolean): void =>
    setWriting((before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)));
  return {
    comments,
    isWriting: ({ id, text }) => text.trim() === '' || writing.has(id),
    begin: (on, all, chosen) => {
      const id = crypto.randomUUID();
      const comment: Comment = { kind: 'comment', id, ...on, lines: chosen, around: aroundOf(all, chosen), text: '' };
      change((now) => withAttachment(now, comment));
      set(id, true);
    },
    change: ({ id }) => set(id, true),
    write,
    close: (comment) => {
      set(comment.id, false);
      if (comment.text.trim() === '') remove(comment);
    },
    remove,
  };
}
