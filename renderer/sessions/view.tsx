import classNames from 'classnames/bind';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../app/language/translate.ts';
import { folderName } from '../../app/words/sessions.ts';
import { Button } from '../parts/button.tsx';
import { Plus, Tree } from '../parts/icons.tsx';
import { Empty, useWindowTitle } from '../parts/view-frame.tsx';
import { type ClaudeProgram, useClaudeProgram } from '../state/claude-program.ts';
import { go } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';
import { SideQuestions } from './beside/side-questions.tsx';
import { Changes } from './changes/changes.tsx';
import { SessionDialogs } from './changes/session-dialogs.tsx';
import { ChangesEdge, useChangesWidth } from './changes-edge.tsx';
import { NewSession } from './composer/new-session.tsx';
import { openNewSession, openSession, openSessionToWrite } from './composer/open-session.ts';
import { FirstUse } from './first-use.tsx';
import { GoToSession } from './go-to-session.tsx';
import { type ListRow, listRows, titleOf } from './list/list-rows.ts';
import { SessionList } from './list/session-list.tsx';
import styles from './panes.module.css';
import { useSessionCosts } from './session-costs.ts';
import { SessionPane } from './session-pane.tsx';
import { useHeld, useListed, useSession, useSessionActions, useSessions } from './state/hooks.ts';
import { showTemplates } from './templates/known-templates.ts';
import { SessionShortcutsDialog, useViewShortcuts } from './view-shortcuts.tsx';
import { nextWaiting, useSpokenWaiting } from './waiting.ts';

const css = classNames.bind(styles);

/** Apart from the view: it would be drawn anew with each step of the session. */
function WindowTitle({ id }: { id: string | null }) {
  const held = useHeld(id ?? '');
  const listed = useListed(id ?? '');
  const withTitle = useWindow(({ preferences }) => preferences?.sessions.titlesOutside === true);
  const folder = held?.cwd ?? listed?.cwd ?? null;
  const named = id !== null && withTitle ? titleOf(id, held, listed) : null;
  useWindowTitle(named ?? (folder === null ? t('Sessions') : folderName(folder)));
  return null;
}

/** Sessions of agents: all of them, one, and what it changed. As many panes as the window is wide for. */
export default function SessionsView() {
  const part = useWindow(({ route }) => route.part);
  const program = useClaudeProgram();
  const layout = useLayout();
  const { store } = useServices();
  const { openBeside, showChanges, hideChanges: close, showBeside, hideBeside } = useSessionActions();
  const changes = useSessions((state) => state.changes);
  const [timesBefore] = useState(changes?.times);
  const beside = useSessions((state) => state.beside);
  const [besideBefore] = useState(beside?.times);
  const [isListPutAway, setListPutAway] = useState(false);
  const [isGoing, setGoing] = useState(false);
  const pane = useChangesWidth(layout === 'three');
  const shown = changes !== null && changes.session === part ? changes : null;
  const shownBeside = beside !== null && beside.session === part ? beside : null;
  const hasThird = shown !== null || shownBeside !== null;
  const openChanges = useCallback(
    (turn: string | null): void => (part === null ? close() : showChanges(part, turn)),
    [part, showChanges, close],
  );
  const isSession = part !== null && part !== 'new';
  const lastOpen = useRef<string | null>(null);
  if (part !== null) lastOpen.current = part;
  const lastFolder = useLastFolder(isSession ? part : null);
  const hasRoom = layout === 'three' || layout === 'two' || !hasThird;
  const isListShown = layout === 'one' ? part === null : hasRoom && !(isListPutAway && part !== null);
  const isPaneShown = layout === 'one' ? part !== null && !hasThird : !hasThird || layout !== 'two';
  const isBeside = hasThird && (layout === 'two-wide' || layout === 'three');
  const toList = (): void => {
    setListPutAway(false);
    if (layout === 'one') go({ place: 'sessions' });
    else if (!hasRoom) {
      close();
      hideBeside();
    }
  };
  useSessionCosts();
  useSpokenWaiting(isSession ? part : null);
  useViewShortcuts({
    newSession: () => openNewSession(null),
    goTo: () => setGoing(true),
    changes: isSession ? () => (shown === null ? openChanges(null) : close()) : null,
    sideQuestions: isSession ? () => (shownBeside === null ? showBeside(part) : hideBeside()) : null,
    beside: isSession ? () => openBeside(part) : null,
    list: () => {
      const { current: last } = lastOpen;
      if (!isListShown) toList();
      else if (layout !== 'one') setListPutAway(true);
      else if (last !== null) openSessionToWrite(last);
    },
    templates:
      isSession && !isPaneShown
        ? () => {
            // The field that their text goes into is under this pane.
            close();
            hideBeside();
            showTemplates(part, { kind: 'list' });
          }
        : null,
    nextWaiting: () => {
      const next = nextWaiting(store.getState().sessions.values(), part);
      if (next !== null) openSession(next);
    },
  });
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const classes = css('sessions', layout, { lost: isLost, 'no-list': !isListShown, 'with-changes': hasThird });
  const style = { '--changes-width': `${pane.width}px` };
  return (
    <div ref={pane.view} className={classes} style={style}>
      <WindowTitle id={isSession ? part : null} />
      {isListShown ? (
        <SessionList chosen={part} cameFrom={part === null ? lastOpen.current : null} />
      ) : (
        <h1 className="sr">{t('Sessions')}</h1>
      )}
      {isPaneShown &&
        (isSession ? (
          <OpenSession
            key={part}
            id={part}
            {...{ openChanges, isAlone: layout === 'one' }}
            toList={isListShown ? null : toList}
          />
        ) : part === 'new' ? (
          <Begin folder={lastFolder} program={program} toList={isListShown ? null : toList} />
        ) : (
          <NothingChosen program={program} />
        ))}
      {isBeside && (
        <ChangesEdge
          label={shown === null ? t('Width of the side questions') : t('Width of the changes')}
          width={pane.width}
          view={pane.viewWidth}
          choose={pane.choose}
        />
      )}
      {/* Opened again, it shows what it was opened for. */}
      {shown !== null && (
        <Changes
          key={shown.times}
          {...{ sessionId: shown.session, turnId: shown.turn, isBack: shown.times === timesBefore, close }}
        />
      )}
      {shownBeside !== null && (
        <SideQuestions
          key={shownBeside.times}
          {...{ sessionId: shownBeside.session, isBack: shownBeside.times === besideBefore, close: hideBeside }}
        />
      )}
      {isGoing && <GoToSession close={() => setGoing(false)} />}
      <SessionDialogs />
      <SessionShortcutsDialog />
    </div>
  );
}

/** The folder of the session that is open, or was before. */
function useLastFolder(id: string | null): string | null {
  const folder = useWindow(({ sessions }) => (id === null ? null : (sessions.get(id)?.cwd ?? null)));
  const listed = useSessions((state) => (id === null ? null : (state.listed?.get(id)?.cwd ?? null)));
  const last = useRef<string | null>(null);
  last.current = folder ?? listed ?? last.current;
  return last.current;
}

interface OpenSessionProps {
  id: string;
  toList: (() => void) | null;
  isAlone: boolean;
  openChanges: (turn: string | null) => void;
}

function OpenSession({ id, ...rest }: OpenSessionProps) {
  const session = useSession(id);
  const listed = useSessions((state) => state.listed);
  const row = useMemo<ListRow | null>(() => {
    const found = listed?.get(id);
    const rows = listRows(
      new Map(session === null ? [] : [[id, session]]),
      new Map(found === undefined ? [] : [[id, found]]),
    );
    if (rows[0] !== undefined || session === null) return rows[0] ?? null;
    // Nothing was said in it yet.
    const { title, cwd, createdAt, pinned } = session;
    return {
      ...{ id, title: title ?? t('New session'), folder: cwd, at: createdAt, isPinned: pinned },
      ...{ held: session, listed: null },
    };
  }, [id, session, listed]);
  if (row === null && listed !== null) return <NotThere />;
  if (row === null) return <section className={css('pane', 'session')} aria-label={t('Session')} aria-busy="true" />;
  return <SessionPane row={row} {...rest} />;
}

function NotThere() {
  return (
    <section className={css('pane', 'session')} aria-label={t('Session')}>
      <Empty
        icon={<Tree size={24} />}
        title={t('This session isn’t there any more')}
        actions={<Button onClick={() => go({ place: 'sessions' })}>{t('All sessions')}</Button>}
      >
        {t('It was deleted, or its file was moved.')}
      </Empty>
    </section>
  );
}

/** A session begins in the folder of the one that the person came from. */
function Begin(props: { folder: string | null; program: ClaudeProgram; toList: (() => void) | null }) {
  const { folder, program, toList } = props;
  return (
    <section className={css('pane', 'session')} aria-label={t('New session')}>
      {toList !== null && (
        <header className={css('pane-head')}>
          <Button onClick={toList}>{t('All sessions')}</Button>
        </header>
      )}
      {isMissing(program) ? <FirstUse program={program} /> : <NewSession folder={folder} />}
    </section>
  );
}

function isMissing({ claude }: ClaudeProgram): boolean {
  return claude !== null && !claude.isAvailable;
}

function NothingChosen({ program }: { program: ClaudeProgram }) {
  if (isMissing(program)) {
    return (
      <section className={css('pane', 'session')} aria-label={t('Session')}>
        <FirstUse program={program} />
      </section>
    );
  }
  return (
    <section className={css('pane', 'session')} aria-label={t('Session')}>
      <Empty
        icon={<Tree size={24} />}
        title={t('No session is open')}
        actions={
          <Button icon={<Plus size={16} />} onClick={() => openNewSession(null)}>
            {t('New session')}
          </Button>
        }
      >
        {t('Choose a session from the list, or start a new session. Nothing starts before you send.')}
      </Empty>
    </section>
  );
}

/** Panes that fit the window. `two-wide`: the changes are beside the session, not over it. */
type Layout = 'one' | 'two' | 'two-wide' | 'three';

const borders = ['(width >= 1600px)', '(width >= 1120px)', '(width >= 900px)'].map((query) => window.matchMedia(query));

function layoutNow(): Layout {
  const fits = borders.findIndex(({ matches }) => matches);
  return fits === 0 ? 'three' : fits === 1 ? 'two-wide' : fits === 2 ? 'two' : 'one';
}

function listen(listener: () => void): () => void {
  for (const border of borders) border.addEventListener('change', listener);
  return () => {
    for (const border of borders) border.removeEventListener('change', listener);
  };
}

function useLayout(): Layout {
  return useSyncExternalStore(listen, layoutNow);
}
