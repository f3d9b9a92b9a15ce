import classNames from 'classnames/bind';
import { useCallback, useEffect, useMemo } from 'react';
import type { Session } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { oneLine } from '../../app/words/text.ts';
import { LinkButton } from '../parts/button.tsx';
import { useWindow } from '../state/services.ts';
import { chosenModel, useUsedModel } from './composer/composer-bar.tsx';
import { useOffers } from './composer/use-surroundings.ts';
import type { ListRow } from './list/list-rows.ts';
import type { Conversation } from './state/conversation.ts';
import { newTurn } from './state/fold.ts';
import { useOpenConversation, useSessionActions, useSessions } from './state/hooks.ts';
import { inLineBefore } from './state/session-words.ts';
import { placeOf } from './transcript/place.ts';
import styles from './transcript/transcript.module.css';
import { Transcript } from './transcript/transcript.tsx';
import { useTranscriptActions } from './use-transcript-actions.ts';

const css = classNames.bind(styles);

/** The conversation of a session as it is read, looked through and gone on with here. */
export function SessionTranscript(props: { row: ListRow; openChanges: (turn: string | null) => void }) {
  const { row, openChanges } = props;
  const { id, held, folder } = row;
  const {
    conversation: read,
    failure,
    isReading,
    isPart,
    hasNews,
    saidAside,
  } = useOpenConversation(id, (open) => open);
  // Where a person left it may be in what is still to come.
  const wasLeftAbove = useMemo(() => placeOf(id).anchor !== null, [id]);
  const conversation = isPart && wasLeftAbove ? null : read;
  const actions = useSessionActions();
  const transcriptActions = useTranscriptActions(row, openChanges);
  const before = useWindow(({ sessions }) => (held === null ? 0 : inLineBefore(sessions.values(), held)));
  const offers = useOffers(held).asked.last;
  const used = useUsedModel(id);
  const request = useSessions(({ finding }) => (finding?.sessionId === id ? finding : null));
  const sent = useSessions((state) => state.sent.get(id) ?? 0);
  const loadOlder = useCallback(() => void actions.loadOlder(id), [actions, id]);
  const openFind = useCallback(() => actions.find(id), [actions, id]);
  const closeFind = useCallback(() => actions.stopFinding(id), [actions, id]);
  useEffect(() => closeFind, [closeFind]);
  return (
    <>
      <Transcript
        {...{ sessionId: id, session: held, cwd: folder, actions: transcriptActions }}
        conversation={beginningOf(conversation, held)}
        model={held === null ? null : chosenModel(held, offers, used).name}
        before={before}
        {...{ isReading, loadOlder, request, openFind, closeFind, sent }}
        problem={
          failure === null
            ? null
            : { text: [failure.text, failure.remedy].filter(Boolean).join(' '), tryAgain: () => actions.readAgain(id) }
        }
      />
      {hasNews && (
        <p className={css('news-line')}>
          {t('This session went on in a terminal.')}{' '}
          <LinkButton onClick={() => actions.readAgain(id)}>{t('Show what is new')}</LinkButton>
        </p>
      )}
      {saidAside !== null && held !== null && !held.isBack && (
        <p className={css('news-line')}>
          {t('“{words}” was sent in a terminal while a turn ran here. The conversation goes on without it.', {
            words: oneLine(saidAside, mostAside),
          })}
        </p>
      )}
    </>
  );
}

const mostAside = 60;

/** The same first message gives the same conversation, so that it is drawn once. */
const made = new WeakMap<Conversation, Conversation>();

/**
 * A conversation as it is shown: while the process of a new session starts, its first message stands there already, as
 * the turn that it will be.
 */
export function beginningOf(conversation: Conversation | null, session: Session | null): Conversation | null {
  if (conversation === null || conversation.turns.length > 0 || session?.beginsWith === undefined) return conversation;
  const { id, prompt, queuedAt } = session.beginsWith;
  const before = made.get(conversation);
  if (before?.turns[0]?.id === id) return before;
  const turn = { ...newTurn(id, queuedAt), number: 1, prompt, begunBy: 'prompt' as const, initiator: 'user' as const };
  const beginning = { ...conversation, turns: [turn] };
  made.set(conversation, beginning);
  return beginning;
}
