import classNames from 'classnames/bind';
import { useCallback, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { Session } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { grouped } from '../../app/words/numbers.ts';
import { titleParts } from '../../app/words/sessions.ts';
import { oneLine } from '../../app/words/text.ts';
import { day, dayOfYear, hourAndMinute } from '../../app/words/times.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { ArrowLeft, Comment, Diff, More, SidebarExpand } from '../parts/icons.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { isOverlaid } from '../parts/shortcuts.ts';
import { useAsked } from '../state/asked.ts';
import { useServices } from '../state/services.ts';
import { noneLeftWords, sumOf } from './changes/change-rows.ts';
import { showInForce } from './changes/session-dialog.ts';
import { useChanges } from './changes/use-changes.ts';
import { isUsualMode, modeInForce } from './composer/mode-menu.tsx';
import { useIsUntrusted } from './in-force/folder-trust.tsx';
import type { ListRow } from './list/list-rows.ts';
import { CopyMark, RenameField } from './list/session-row.tsx';
import styles from './panes.module.css';
import { shortFolder } from './paths.ts';
import { isKey, keyWords, sessionShortcuts, useKeyTitles } from './session-shortcuts.ts';
import { useAgentWords, useSessionActions, useSessions } from './state/hooks.ts';
import { ShownText } from './text/shown-text.tsx';
import { renamedSession, useSessionMenu } from './use-session-menu.ts';

const css = classNames.bind(styles);

export interface SessionHeadProps {
  row: ListRow;
  /** Goes to the list, where that is not in sight. */
  toList: (() => void) | null;
  /** True if it covers the list: shows an arrow back. Otherwise the arrow brings the list back beside it. */
  isAlone: boolean;
  openChanges: (() => void) | null;
}

/** What the session is, what it changed, and what can be done with it. */
export function SessionHead({ row, toList, isAlone, openChanges }: SessionHeadProps) {
  const isRenaming = useStore(renamedSession, ({ id }) => id === row.id);
  const setRenaming = (is: boolean): void => renamedSession.setState({ id: is ? row.id : null });
  // Another session's name is not written on when it is shown again.
  useEffect(() => () => renamedSession.setState({ id: null }), []);
  useRenameKey(() => setRenaming(true));
  const menuOf = useSessionMenu();
  const { titled } = useKeyTitles();
  const { held, listed } = row;
  const [name, copy] = titleParts(row.title);
  const begun = held?.createdAt ?? listed?.createdAt ?? null;
  const version = listed?.version ?? null;
  const agent = useAgentWords();
  return (
    <header className={css('pane-head')}>
      {toList !== null && (
        <IconButton
          label={t('All sessions')}
          {...titled(t('All sessions'), sessionShortcuts.view.list)}
          icon={isAlone ? <ArrowLeft size={16} /> : <SidebarExpand size={16} />}
          onClick={toList}
        />
      )}
      <div className={css('pane-title')}>
        {isRenaming ? (
          <RenameField title={name} rename={(title) => menuOf.rename(row, title)} end={() => setRenaming(false)} />
        ) : (
          <>
            <h2
              title={t('{title} ({key} renames it)', {
                title: name,
                key: keyWords(sessionShortcuts.view.rename),
              })}
              onDoubleClick={() => setRenaming(true)}
            >
              <bdi className="ell">
                <ShownText text={name} />
              </bdi>
              {copy !== '' && <CopyMark kind={copy.slice(2)} />}
            </h2>
            <p>
              {row.folder !== null && (
                <span className="mono" title={oneLine(row.folder, 400)}>
                  {listed?.isFolderGone === true ? <s>{shortFolder(row.folder)}</s> : shortFolder(row.folder)}
                </span>
              )}
              {begun !== null &&
                ` · ${t('since {time}', {
                  time: day(begun) === day(Date.now()) ? hourAndMinute(begun) : dayOfYear(begun),
                })}`}
              {version !== null && ` · ${agent.title} ${oneLine(version, 40)}`}
            </p>
          </>
        )}
      </div>
      {held !== null && <NotTrusted session={held} />}
      {held !== null && <NeverAsks session={held} />}
      {held !== null && openChanges !== null && <ChangesButton session={row.id} open={openChanges} />}
      {held?.sideQuestions !== undefined && held.sideQuestions.open > 0 && (
        <SideQuestionsButton session={row.id} open={held.sideQuestions.open} />
      )}
      <MenuButton label={t('Session actions')} icon={<More size={16} />} items={menuOf.ofSession(row)} />
    </header>
  );
}

/** Says that its folder's settings aren't used; a click opens where that can be changed. */
function NotTrusted({ session }: { session: Session }) {
  const { title } = useAgentWords();
  const isUntrusted = useIsUntrusted(session);
  if (!isUntrusted || (session.sentAt === null && session.parent === null)) return null;
  return (
    <Button
      title={t('Commands and instructions in this folder are ignored. Show what is in force.')}
      onClick={() => showInForce({ session: session.id, agent: title })}
    >
      {t('Not trusted')}
    </Button>
  );
}

/** Nothing is asked in it: that is never out of sight. */
function NeverAsks({ session: { id, mode } }: { session: Pick<Session, 'id' | 'mode'> }) {
  const { bridge } = useServices();
  const inForce = mode.applied ?? mode.wanted;
  const ask = useCallback(
    async () => (isUsualMode(inForce) ? null : await bridge.sessionOffers(id)),
    [bridge, id, inForce],
  );
  const modes = useAsked(ask).asked.last?.modes ?? [];
  if (isUsualMode(inForce) || !modeInForce(modes, inForce).asksNothing) return null;
  return <span className={css('never-asks')}>{t('Never asks')}</span>;
}

/** How many side questions there are; opens and closes them. */
function SideQuestionsButton({ session, open }: { session: string; open: number }) {
  const isShown = useSessions(({ beside }) => beside?.session === session);
  const { showBeside, hideBeside } = useSessionActions();
  const { titled } = useKeyTitles();
  return (
    <Button
      icon={<Comment size={16} />}
      {...titled(
        t('{count, plural, one {# side question} other {# side questions}}', { count: open }),
        sessionShortcuts.view.sideQuestions,
      )}
      aria-label={t('{count, plural, one {# side question} other {# side questions}}', { count: open })}
      aria-expanded={isShown}
      onClick={() => (isShown ? hideBeside() : showBeside(session))}
    >
      {grouped(open)}
    </Button>
  );
}

/** Ignored while the list or a field uses the key. */
function useRenameKey(rename: () => void): void {
  const now = useRef(rename);
  now.current = rename;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isKey(event, sessionShortcuts.view.rename) || event.defaultPrevented || isOverlaid()) return;
      event.preventDefault();
      now.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** `3 files +91 −13`, `3 files undone`, `1 file deleted since`; absent while nothing was edited. */
function ChangesButton({ session, open }: { session: string; open: () => void }) {
  const { rows } = useChanges(session, null);
  const { titled } = useKeyTitles();
  if (rows === null || rows.length === 0) return null;
  const { files, added, removed } = sumOf(rows);
  return (
    <Button icon={<Diff size={16} />} {...titled(t('Show the changes'), sessionShortcuts.view.changes)} onClick={open}>
      {files === 0 ? noneLeftWords(rows) : t('{files, plural, one {# file} other {# files}}', { files })}{' '}
      <span className="figures">
        {added > 0 && <span className="plus">+{added}</span>} {removed > 0 && <span className="minus">−{removed}</span>}
      </span>
    </Button>
  );
}
