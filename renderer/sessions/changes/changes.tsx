import classNames from 'classnames/bind';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { Button, IconButton, LinkButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/choices.tsx';
import { Close, Copy, Diff } from '../../parts/icons.tsx';
import { Empty } from '../../parts/view-frame.tsx';
import { copyText } from '../../state/copy-text.ts';
import { ask } from '../../state/questions.ts';
import { useServices } from '../../state/services.ts';
import type { Comment } from '../composer/draft.ts';
import { closesByEscape, composerField, toComposer, useFocusBack } from '../composer/open-session.ts';
import panes from '../panes.module.css';
import { writtenComments } from '../review/comment-text.ts';
import { useBranchChanges } from '../review/use-branch-changes.ts';
import { useReview } from '../review/use-review.ts';
import { sessionShortcuts, useKeyTitles } from '../session-shortcuts.ts';
import { useAgentWords, useConversation, useHeld, useSessionActions, useSessions } from '../state/hooks.ts';
import { ChangeList } from './change-list.tsx';
import { canAccept, cannotWords, canUndo, sumOf, wholePatch } from './change-rows.ts';
import styles from './changes.module.css';
import { RanCommands } from './ran-commands.tsx';
import { askUndoTurn } from './session-dialog.ts';
import { useChanges } from './use-changes.ts';

const css = classNames.bind({ ...panes, ...styles });

interface ChangesProps {
  sessionId: string;
  /** The turn that is shown first; null if the whole session is. */
  turnId: string | null;
  /** It was open before another view was shown: the focus stays where it is. */
  isBack?: boolean;
  close: () => void;
}

/** What Claude changed in files, in a turn or in the whole session, with the way back of each. */
export function Changes({ sessionId, turnId, isBack = false, close }: ChangesProps) {
  const { lookAgain, leaveChanges } = useSessionActions();
  const leftIn = useSessions(({ changes }) => changes?.scope ?? null);
  const wanted = leftIn ?? (turnId === null ? 'session' : 'turn');
  const setScope = (scope: typeof wanted): void => leaveChanges({ scope, files: new Set() });
  const last = useConversation(sessionId, ({ turns }) => turns.at(-1)?.id ?? null);
  const turn = turnId ?? last;
  // Without a turn there is nothing of one.
  const ofTurn = useChanges(sessionId, turn ?? 'none');
  const ofSession = useChanges(sessionId, null);
  const branch = useBranchChanges(sessionId);
  const scope = wanted === 'branch' && branch.base === null ? 'session' : wanted;
  const shown = { turn: ofTurn, session: ofSession, branch: branch.shown }[scope];
  const review = useReview(sessionId);
  const comments = writtenComments(review.comments).length;
  const commented: Comment['scope'] = scope === 'turn' ? { of: 'turn', turn: turn ?? 'none' } : { of: scope };
  // The button in the head counts what is seen here.
  useEffect(() => lookAgain(sessionId), [lookAgain, sessionId]);
  const rows = shown.rows ?? [];
  const cannot = cannotWords(rows);
  const mayUndo = scope !== 'branch' && rows.some(canUndo);
  const mayAccept = rows.some(canAccept);
  const sum = sumOf(rows);
  const { store } = useServices();
  const patch = wholePatch(rows);
  const { titled } = useKeyTitles();
  const pane = useRef<HTMLElement>(null);
  useFocusBack(pane);
  // Keys work in it at once; who went on elsewhere meanwhile stays there.
  const [before] = useState(() => document.activeElement);
  const isKnown = shown.rows !== null;
  useEffect(() => {
    if (!isKnown || isBack) return;
    const at = document.activeElement;
    if (at !== before && at !== document.body) return;
    const first = pane.current?.querySelector<HTMLElement>(`.${styles['change-open']}`) ?? pane.current;
    first?.focus();
  }, [isKnown, isBack, before]);
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      className={css('pane')}
      aria-label={t('Changes')}
      data-testid="changes"
      onKeyDown={(event) => closesByEscape(event, close)}
    >
      <header className={css('pane-head')}>
        <div className={css('pane-title')}>
          <h2>{t('Changes')}</h2>
        </div>
        {patch !== '' && (
          <IconButton
            label={t('Copy as a patch')}
            icon={<Copy size={16} />}
            onClick={() => void copyText(store, patch, t('Patch copied'))}
          />
        )}
        <IconButton
          label={t('Close changes')}
          {...titled(t('Close changes'), sessionShortcuts.view.changes)}
          icon={<Close size={16} />}
          onClick={close}
        />
      </header>
      <div className={css('changes-tools')}>
        <Segmented
          label={t('Changes of')}
          chosen={scope}
          choose={setScope}
          segments={[
            { name: 'turn', label: t('This turn'), more: ofTurn.rows === null ? '' : sumOf(ofTurn.rows).files },
            { name: 'session', label: t('Session'), more: ofSession.rows === null ? '' : sumOf(ofSession.rows).files },
            ...(branch.base === null
              ? []
              : [
                  {
                    ...{ name: 'branch' as const, label: t('Against {base}', { base: branch.base }) },
                    more: sumOf(branch.shown.rows ?? []).files,
                  },
                ]),
          ]}
        />
        {rows.length > 0 && (
          <span className={css('sum')}>
            {sum.added > 0 && <span className="plus">+{sum.added}</span>}{' '}
            {sum.removed > 0 && <span className="minus">−{sum.removed}</span>}
          </span>
        )}
      </div>
      {branch.isUntrusted && <NotCompared session={sessionId} trusted={branch.again} />}
      <ChangeList key={scope} {...{ sessionId, shown, review }} scope={commented}>
        {scope === 'branch' && !branch.isWhole && (
          <p className={css('change-said')}>
            {t('Not all of it is listed: there are too many changes, or git took more than 5 seconds.')}
          </p>
        )}
        {shown.rows !== null && scope !== 'branch' && (
          <RanCommands sessionId={sessionId} turn={scope === 'turn' ? turn : null} count={shown.commands} />
        )}
        {shown.rows?.length === 0 && (
          <Empty
            icon={<Diff size={24} />}
            title={
              scope === 'branch'
                ? t('Nothing differs from {base}', { base: branch.base ?? '' })
                : scope === 'turn'
                  ? t('Nothing changed in this turn')
                  : t('Nothing changed in this session')
            }
          />
        )}
      </ChangeList>
      {(cannot !== null || comments > 0 || mayUndo || mayAccept) && (
        <footer className={css('pane-foot')}>
          <p>{cannot}</p>
          {comments > 0 && (
            <Button
              title={t('{comments, plural, one {# comment} other {# comments}} in your next message', { comments })}
              // Where the changes cover the field it is there once they are closed.
              onClick={() => (composerField() === null ? close() : toComposer())}
            >
              {t('Write message ({comments})', { comments })}
            </Button>
          )}
          {mayUndo && (
            <Button onClick={() => askUndoTurn({ session: sessionId, turn: scope === 'turn' ? turn : null })}>
              {t('Undo all edits…')}
            </Button>
          )}
          {mayAccept && <Button onClick={() => void shown.accept(null)}>{t('Accept all')}</Button>}
        </footer>
      )}
    </aside>
  );
}

/** Why nothing is compared with the default branch, and the way to trust the folder. */
function NotCompared({ session, trusted }: { session: string; trusted: () => void }) {
  const { store } = useServices();
  const { changeTrust } = useSessionActions();
  const { title } = useAgentWords();
  const held = useHeld(session);
  if (held === null) return null;
  const { cwd } = held;
  const trust = async (): Promise<void> => {
    if (await changeTrust(held, cwd, 'trusted')) trusted();
  };
  return (
    <p className={css('change-said', 'muted')} role="note">
      {t(
        'Not compared with the default branch: you don’t trust this folder, and git could run programs that it names.',
      )}{' '}
      <LinkButton
        onClick={() =>
          ask(store, {
            title: t('Trust this folder?'),
            text: t(
              'Git may then run programs that the settings in {folder} name. {agent} uses settings and instructions of the folder once its session starts anew. You can revoke the trust under “In force…”.',
              { folder: cwd, agent: title },
            ),
            safe: t('Cancel'),
            action: t('Trust'),
            run: () => void trust(),
          })
        }
      >
        {t('Trust folder…')}
      </LinkButton>
    </p>
  );
}
