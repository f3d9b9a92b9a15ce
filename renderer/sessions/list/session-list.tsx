import classNames from 'classnames/bind';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/choices.tsx';
import { More, Plus, Search } from '../../parts/icons.tsx';
import { MenuButton } from '../../parts/menu.tsx';
import { rich } from '../../parts/rich.tsx';
import { isOverlaid, isTextField } from '../../parts/shortcuts.ts';
import { useActions } from '../../state/actions.ts';
import { dismiss } from '../../state/notices.ts';
import { keep, recall, takePreferences } from '../../state/preferences.ts';
import { go } from '../../state/routes.ts';
import { useApp, useServices, useWindow } from '../../state/services.ts';
import { showSetup } from '../../state/setup-plan.ts';
import { openNewSession } from '../composer/open-session.ts';
import panes from '../panes.module.css';
import { shortTodayWords, todayTitle, useCostOfToday } from '../session-costs.ts';
import { isKey, keyWords, sessionShortcuts, useKeyTitles } from '../session-shortcuts.ts';
import { useSessionActions, useSessions } from '../state/hooks.ts';
import { showShortcuts } from '../view-shortcuts.tsx';
import { Loading } from './empty-list.tsx';
import { useSessionList } from './entries.ts';
import { type GroupBy, isRunning, isUnseen, type ListRow, type Show, waitsForPerson } from './list-rows.ts';
import styles from './session-list.module.css';
import { SessionRows, type SessionRowsHandle } from './session-rows.tsx';
import { WaitingStrip } from './waiting-strip.tsx';

const css = classNames.bind({ ...panes, ...styles });

const groupKey = 'jumpseat.sessions.group';

/** Every session of this machine: which works, which waits, which failed, which is done. */
export function SessionList({ chosen, cameFrom }: { chosen: string | null; cameFrom: string | null }) {
  const rows = useSessionList();
  const [words, setWords] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [by, setBy] = useState<GroupBy>(() => (recall(groupKey) === 'day' ? 'day' : 'folder'));
  const handle = useRef<SessionRowsHandle>(null);
  const all = rows ?? [];
  const wanted = useWindow(({ route }) => route.query);
  useEffect(() => {
    if (wanted !== 'waiting') return;
    setShow('waiting');
    // Said once: what is chosen afterwards holds.
    go({ place: 'sessions' }, { replace: true });
  }, [wanted]);
  const group = (next: GroupBy): void => {
    setBy(next);
    keep(groupKey, next);
  };
  return (
    <section className={css('pane', 'list')} aria-label={t('All sessions')} data-testid="session-list">
      <ListHead rows={all} by={by} group={group} />
      <ListTools
        {...{ rows: all, words, show }}
        search={setWords}
        choose={setShow}
        toRows={(how) => (how === 'open' ? handle.current?.openFirst() : handle.current?.focus())}
      />
      <Problem />
      <FileProblem />
      <SoonDeleted />
      {rows === null ? (
        <Loading />
      ) : (
        <SessionRows
          {...{ rows, words: words.trim(), show, by, chosen, cameFrom }}
          ref={handle}
          clear={() => setWords('')}
        />
      )}
      {show !== 'waiting' && <WaitingStrip rows={all} showAll={() => setShow('waiting')} />}
      <ListFoot count={all.length} />
    </section>
  );
}

/** Why not all sessions may be there. */
function Problem() {
  const problem = useSessions((state) => state.listProblem);
  const failure = useSessions((state) => state.listFailure);
  const actions = useSessionActions();
  const why = failure?.text ?? problem;
  if (why === null) return null;
  return (
    <p className={css('list-problem')} role="status">
      {t('Only sessions of this window are listed: {why}.', { why: why.replace(/\.$/, '') })}{' '}
      <LinkButton onClick={actions.readList}>{t('Try again')}</LinkButton>
    </p>
  );
}

/** What happened to the file with titles, queues and drafts. */
function FileProblem() {
  const { store } = useServices();
  const { warnings } = useApp();
  const dismissed = useWindow((state) => state.dismissed);
  const problem = warnings.find(({ code, text }) => code.startsWith('sessions-') && !dismissed.has(text));
  if (problem === undefined) return null;
  return (
    <p className={css('list-problem')} role="status">
      {problem.text} {problem.remedy}{' '}
      <LinkButton onClick={() => dismiss(store, problem.text)}>{t('Dismiss')}</LinkButton>
    </p>
  );
}

/** Which conversations Claude Code deletes next, with the way to keep them. */
function SoonDeleted() {
  const { store, health } = useServices();
  const checks = useStore(health.store, (state) => state.checks);
  const dismissed = useWindow((state) => state.dismissed);
  const found = checks?.find(({ id }) => id === 'claude-code.conversations');
  if (found?.verdict !== 'warning' || dismissed.has(found.finding)) return null;
  return (
    <p className={css('list-problem')} role="status">
      {found.finding}{' '}
      <LinkButton onClick={() => showSetup(store, 'setup', { keepDays: 365 })}>{t('Keep for a year…')}</LinkButton>{' '}
      <LinkButton onClick={() => dismiss(store, found.finding)}>{t('Dismiss')}</LinkButton>
    </p>
  );
}

function ListFoot({ count }: { count: number }) {
  const today = useCostOfToday();
  const { quota } = useApp();
  const world = quota?.world ?? 'unknown';
  return (
    <footer className={css('session-foot')}>
      <span>
        {rich('{count, plural, one {<b>#</b> session} other {<b>#</b> sessions}}', {
          count,
          b: (inside) => <b className="figures">{inside}</b>,
        })}
      </span>
      {today !== null && (
        <span className={css('today', 'figures')} title={todayTitle(world, today)}>
          {shortTodayWords(world, today)}
        </span>
      )}
    </footer>
  );
}

interface ListHeadProps {
  rows: readonly ListRow[];
  by: GroupBy;
  group: (by: GroupBy) => void;
}

/** The name of the view, and what can be done with all sessions. */
function ListHead({ rows, by, group }: ListHeadProps) {
  const actions = useSessionActions();
  const { bridge, store } = useServices();
  const { tried } = useActions();
  const withElsewhere = useWindow(({ preferences }) => preferences?.sessions.madeElsewhere ?? true);
  const showElsewhere = (madeElsewhere: boolean): Promise<void> =>
    tried(bridge.changePreferences({ sessions: { madeElsewhere } }).then((now) => takePreferences(store, now)));
  const { titled } = useKeyTitles();
  const unseen = rows.filter(isUnseen);
  const idle = rows.filter(isIdle);
  return (
    <header className={css('pane-head')}>
      <h1>{t('Sessions')}</h1>
      <Button
        icon={<Plus size={16} />}
        {...titled(t('New session'), sessionShortcuts.view.newSession)}
        onClick={() => openNewSession(null)}
      >
        {t('New session')}
      </Button>
      <MenuButton
        label={t('More actions')}
        icon={<More size={16} />}
        items={[
          {
            label: t('Group by'),
            items: [
              { label: t('Folder'), checked: by === 'folder', run: () => group('folder') },
              { label: t('Day'), checked: by === 'day', run: () => group('day') },
            ],
          },
          {
            label: t('Sessions made elsewhere'),
            checked: withElsewhere,
            run: () => void showElsewhere(!withElsewhere),
          },
          'separator',
          {
            label: t('Mark all as seen'),
            disabled: unseen.length === 0,
            run: () => {
              for (const { id } of unseen) void actions.saw(id);
            },
          },
          {
            label: t('Unload idle sessions'),
            disabled: idle.length === 0,
            run: () => {
              for (const { id } of idle) void actions.unload(id);
            },
          },
          'separator',
          { label: t('Session settings'), run: () => go({ place: 'settings', part: 'sessions' }) },
          { label: t('Keys'), run: showShortcuts, hint: keyWords(sessionShortcuts.view.help) },
        ]}
      />
    </header>
  );
}

function isIdle({ held }: ListRow): boolean {
  return held?.state === 'idle' && held.tasks.length === 0;
}

interface ListToolsProps {
  rows: readonly ListRow[];
  words: string;
  search: (words: string) => void;
  show: Show;
  choose: (show: Show) => void;
  /** Moves from the field into the rows; `open`: opens the first one. */
  toRows: (how: 'go' | 'open') => void;
}

/** What the list is narrowed down by. */
function ListTools({ rows, words, search, show, choose, toRows }: ListToolsProps) {
  const letterKeys = useWindow((state) => state.letterKeys);
  const { titled } = useKeyTitles();
  const field = useRef<HTMLInputElement>(null);
  const running = rows.filter(isRunning).length;
  const waiting = rows.filter(waitsForPerson).length;
  useEffect(() => {
    if (!letterKeys) return;
    const press = (event: globalThis.KeyboardEvent): void => {
      if (!isKey(event, sessionShortcuts.view.search) || isTextField(event.target) || isOverlaid()) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [letterKeys]);
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && words !== '') search('');
    else if (event.key === 'ArrowDown') toRows('go');
    else if (event.key === 'Enter' && words !== '') toRows('open');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={css('list-tools')}>
      <div className="search">
        <Search size={14} />
        <input
          ref={field}
          aria-label={t('Search sessions')}
          placeholder={t('Search sessions')}
          {...titled(t('Go to a session by its name'), sessionShortcuts.view.goTo)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={words}
          onChange={({ target }) => search(target.value)}
          onKeyDown={press}
        />
        {words === '' && letterKeys && <kbd>{keyWords(sessionShortcuts.view.search)}</kbd>}
      </div>
      <Segmented
        label={t('Show')}
        chosen={show}
        choose={choose}
        segments={[
          { name: 'all', label: t('All'), more: grouped(rows.length) },
          { name: 'running', label: t('Running'), more: running },
          {
            name: 'waiting',
            label: t('Waiting'),
            more: <span className={css({ waits: waiting > 0 })}>{waiting}</span>,
          },
        ]}
      />
    </div>
  );
}
