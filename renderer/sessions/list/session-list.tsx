import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ChevronRight, Folder, More, Pin, Plus, Search, Tree } from '../../parts/icons.tsx';
import { Menu, MenuButton } from '../../parts/menu.tsx';
import { useMinute } from '../../parts/now.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { keep, recall } from '../../state/remembered.ts';
import { useApp, useWindow } from '../../state/services.ts';
import { openNewSession, openSession } from '../composer/open-session.ts';
import { costUnit, sessionCost } from '../cost-words.ts';
import { useSessionActions, useSessions } from '../state/hooks.ts';
import { inLineBefore, rowWords } from '../state/session-words.ts';
import { useSessionMenu } from '../use-session-menu.ts';
import {
  type Entry,
  entriesOf,
  foundRows,
  type GroupBy,
  isRunning,
  isUnseen,
  isWaiting,
  type ListRow,
  type Show,
  shownRows,
} from './list-rows.ts';
import { SessionRow } from './session-row.tsx';
import { useFoundWords } from './use-found-words.ts';
import { useSessionList } from './use-session-list.ts';

const groupKey = 'jumpseat.sessions.group';
const heights = { group: 28, row: 48, older: 30 } as const;
const olderAtOnce = 20;

type Place = { excerpt: string; marks: readonly (readonly [number, number])[] };

/** Every session of this machine: which works, which waits, which failed, which is done. */
export function SessionList({ chosen }: { chosen: string | null }) {
  const rows = useSessionList();
  const problem = useSessions((state) => state.listProblem);
  const failure = useSessions((state) => state.listFailure);
  const actions = useSessionActions();
  const [words, setWords] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [by, setBy] = useState<GroupBy>(() => (recall(groupKey) === 'day' ? 'day' : 'folder'));
  const all = rows ?? [];
  const running = all.filter(isRunning).length;
  const waiting = all.filter(isWaiting).length;
  const search = useRef<HTMLInputElement>(null);
  const group = (next: GroupBy): void => {
    setBy(next);
    keep(groupKey, next);
  };
  const letterKeys = useWindow((state) => state.letterKeys);
  useEffect(() => {
    if (!letterKeys) return;
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [letterKeys]);

  return (
    <section className="pane session-list" aria-label="All sessions" data-testid="session-list">
      <header className="pane-head">
        <h1>Sessions</h1>
        <Button icon={<Plus size={16} />} onClick={() => openNewSession(null)}>
          New session
        </Button>
        <MenuButton
          label="More actions"
          icon={<More size={16} />}
          items={[
            {
              label: 'Group by',
              items: [
                { label: 'Folder', checked: by === 'folder', run: () => group('folder') },
                { label: 'Day', checked: by === 'day', run: () => group('day') },
              ],
            },
            {
              label: 'Mark all as seen',
              disabled: !all.some(isUnseen),
              run: () => {
                for (const row of all.filter(isUnseen)) void actions.saw(row.id);
              },
            },
            {
              label: 'Unload idle sessions',
              disabled: !all.some(isIdle),
              run: () => {
                for (const row of all.filter(isIdle)) void actions.unload(row.id);
              },
            },
          ]}
        />
      </header>
      <div className="list-tools">
        <div className="search">
          <Search size={14} />
          <input
            ref={search}
            aria-label="Search sessions"
            placeholder="Search sessions"
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || words === '') return;
              event.stopPropagation();
              setWords('');
            }}
          />
          {words === '' && letterKeys && <kbd>/</kbd>}
        </div>
        <Segmented
          label="Show"
          chosen={show}
          choose={setShow}
          segments={[
            { name: 'all', label: 'All', more: grouped(all.length) },
            { name: 'running', label: 'Running', more: running },
            {
              name: 'waiting',
              label: 'Waiting',
              more: <span className={waiting > 0 ? 'waits' : undefined}>{waiting}</span>,
            },
          ]}
        />
      </div>
      {(failure !== null || problem !== null) && (
        <p className="list-problem" role="status">
          Only sessions of this window are listed: {failure?.text ?? problem}{' '}
          <LinkButton onClick={actions.readList}>Try again</LinkButton>
        </p>
      )}
      {rows === null ? (
        <Loading />
      ) : (
        <Rows {...{ rows, words: words.trim(), show, by, chosen }} clear={() => setWords('')} />
      )}
      <footer className="session-foot">
        <span>
          <b className="figures">{grouped(all.length)}</b> {all.length === 1 ? 'session' : 'sessions'}
        </span>
      </footer>
    </section>
  );
}

function isIdle({ held }: ListRow): boolean {
  return held?.state === 'idle' && held.tasks.length === 0;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

const quickMs = 150;

/** Grey rows, where it takes longer than a glance. */
function Loading() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), quickMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="session-rows" aria-busy="true">
      <span className="sr">Sessions are being read.</span>
      {Array.from({ length: isSlow ? 8 : 0 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <span key={index} className="grey-row" />
      ))}
    </div>
  );
}

interface RowsProps {
  rows: readonly ListRow[];
  words: string;
  show: Show;
  by: GroupBy;
  chosen: string | null;
  clear: () => void;
}

function Rows({ rows, words, show, by, chosen, clear }: RowsProps) {
  const { quota } = useApp();
  const world = quota?.world ?? 'unknown';
  const held = useWindow(({ sessions }) => sessions);
  const doing = useSessions((state) => state.doing);
  const questions = useSessions((state) => state.questions);
  const menuOf = useSessionMenu();
  const now = useMinute();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [more, setMore] = useState<ReadonlyMap<string, number>>(new Map());
  const [active, setActive] = useState<string | null>(chosen);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ key: string; row: ListRow; at: HTMLElement | { x: number; y: number } } | null>(
    null,
  );
  const found = useFoundWords(words);
  const { entries, places } = useMemo(() => {
    const shown = shownRows(rows, show);
    if (words !== '') return searchEntries(shown, words, found);
    return { entries: entriesOf(shown, { by, closed, more, now }), places: new Map<string, Place>() };
  }, [rows, show, words, found, by, closed, more, now]);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[entries[index]?.kind ?? 'row'],
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 12,
  });
  const activeIndex = entries.findIndex(({ key }) => key === active);
  const toggle = (entry: Extract<Entry, { kind: 'group' }>, isOpen: boolean): void => {
    const key = entry.key.slice('group '.length);
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(key);
      else next.add(key);
      return next;
    });
  };
  const showOlder = (group: string): void =>
    setMore((before) => new Map(before).set(group, (before.get(group) ?? 0) + olderAtOnce));
  const move = (index: number): void => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))];
    if (entry === undefined) return;
    setActive(entry.key);
    list.scrollToIndex(entries.indexOf(entry));
  };
  const openMenuOf = (key: string, row: ListRow): void => {
    const element = document.getElementById(`${id}-${key}`);
    if (element !== null) setMenu({ key, row, at: element });
  };

  const press = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries[activeIndex];
    const row = entry?.kind === 'row' ? entry.row : null;
    const acts: Record<string, (() => void) | undefined> = {
      ArrowDown: () => move(activeIndex + 1),
      j: () => move(activeIndex + 1),
      ArrowUp: () => move(activeIndex - 1),
      k: () => move(activeIndex - 1),
      Home: () => move(0),
      End: () => move(entries.length - 1),
      Enter: () => {
        if (entry?.kind === 'row') openSession(entry.row.id);
        else if (entry?.kind === 'group') toggle(entry, !entry.isOpen);
        else if (entry?.kind === 'older') showOlder(entry.group);
      },
      ArrowLeft: entry?.kind === 'group' ? () => toggle(entry, false) : undefined,
      ArrowRight: entry?.kind === 'group' ? () => toggle(entry, true) : undefined,
      ...(row === null
        ? {}
        : {
            p: () => menuOf.pin(row),
            F2: () => setRenaming(entry?.key ?? null),
            Delete: () => menuOf.remove(row),
            ContextMenu: () => openMenuOf(entry?.key ?? '', row),
            ...(event.shiftKey ? { F10: () => openMenuOf(entry?.key ?? '', row) } : {}),
          }),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  if (entries.length === 0) return <Nothing {...{ words, show, clear }} count={rows.length} />;
  return (
    <>
      <div
        ref={scroller}
        className="session-rows"
        role="treegrid"
        aria-label="Sessions"
        aria-rowcount={entries.length}
        aria-activedescendant={activeIndex === -1 ? undefined : `${id}-${entries[activeIndex]?.key}`}
        tabIndex={0}
        onKeyDown={press}
        onFocus={() => {
          if (activeIndex === -1) setActive(entries.find(({ kind }) => kind === 'row')?.key ?? null);
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: only a part of the rows is in the page. */}
        <div role="rowgroup" className="session-rows-inner" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start, key }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            const elementId = `${id}-${entry.key}`;
            return (
              <div
                key={key}
                role="presentation"
                className="session-entry"
                style={{ transform: `translateY(${start}px)` }}
              >
                {entry.kind === 'row' ? (
                  <SessionRow
                    {...{ row: entry.row, now, elementId }}
                    words={rowWords({
                      ...{ held: entry.row.held, listed: entry.row.listed, doing: doing.get(entry.row.id) ?? null },
                      questions: questions.filter(({ sessionId }) => sessionId === entry.row.id),
                      before: entry.row.held === null ? 0 : inLineBefore(held.values(), entry.row.held),
                    })}
                    cost={sessionCost(world, entry.row.held)}
                    unit={costUnit(world)}
                    place={places.get(entry.key)}
                    isChosen={entry.row.id === chosen}
                    isActive={entry.key === active}
                    isRenaming={renaming === entry.key}
                    withFolder={by === 'day' || entry.row.isPinned || words !== ''}
                    open={() => {
                      setActive(entry.key);
                      openSession(entry.row.id);
                    }}
                    menu={(at) => setMenu({ key: entry.key, row: entry.row, at })}
                    rename={(title) => menuOf.rename(entry.row, title)}
                    endRename={() => {
                      setRenaming(null);
                      scroller.current?.focus();
                    }}
                  />
                ) : entry.kind === 'group' ? (
                  <GroupHead {...{ entry, elementId }} isActive={entry.key === active} toggle={toggle} />
                ) : (
                  // biome-ignore lint/a11y/useSemanticElements: as above.
                  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
                  <div role="row" id={elementId} aria-level={2} className={entry.key === active ? 'active' : undefined}>
                    {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
                    {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
                    <div role="gridcell">
                      <button type="button" tabIndex={-1} className="older" onClick={() => showOlder(entry.group)}>
                        Show {grouped(entry.count)} earlier
                      </button>
                    </div>
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {menu !== null && (
        <Menu
          label={`Actions of ${menu.row.title}`}
          at={menu.at}
          close={() => setMenu(null)}
          items={menuOf.items(menu.row, () => setRenaming(menu.key))}
        />
      )}
    </>
  );
}

interface GroupHeadProps {
  entry: Extract<Entry, { kind: 'group' }>;
  elementId: string;
  isActive: boolean;
  toggle: (entry: Extract<Entry, { kind: 'group' }>, isOpen: boolean) => void;
}

function GroupHead({ entry, elementId, isActive, toggle }: GroupHeadProps) {
  const { name, folder, count, isOpen } = entry;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
    <div
      id={elementId}
      role="row"
      aria-level={1}
      aria-expanded={isOpen}
      className={isActive ? 'session-group active' : 'session-group'}
      data-testid={folder === null ? undefined : `session-group-${folder}`}
      title={folder ?? undefined}
      onClick={() => toggle(entry, !isOpen)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="gridcell" className="session-cell">
        {!isOpen ? (
          <ChevronRight size={14} />
        ) : folder !== null ? (
          <Folder size={14} />
        ) : (
          name === 'Pinned' && <Pin size={14} />
        )}
        {name}
        {count !== null && <span className="count">{grouped(count)}</span>}
        {folder !== null && (
          <button
            type="button"
            tabIndex={-1}
            className="button quiet icon"
            aria-label={`New session in ${name}`}
            title={`New session in ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              openNewSession(folder);
            }}
          >
            <Plus size={14} />
          </button>
        )}
      </div>
    </div>
  );
}

interface NothingProps {
  words: string;
  show: Show;
  count: number;
  clear: () => void;
}

function Nothing({ words, show, count, clear }: NothingProps) {
  if (words !== '') {
    return (
      <Empty
        icon={<Search size={24} />}
        title="No sessions match"
        actions={<Button onClick={clear}>Clear search</Button>}
      >
        Nothing in {grouped(count)} sessions has “{words}”.
      </Empty>
    );
  }
  if (show === 'running') return <p className="list-none">Nothing is running.</p>;
  if (show === 'waiting') return <p className="list-none">Nothing waits for you.</p>;
  return (
    <div className="list-none">
      <Tree size={24} />
      <p>Sessions of Claude Code on this machine show up here, also those you start in a terminal.</p>
    </div>
  );
}

/** Titles at once, then the conversations that have the words. */
function searchEntries(
  rows: readonly ListRow[],
  words: string,
  found: ReturnType<typeof useFoundWords>,
): { entries: Entry[]; places: Map<string, Place> } {
  const titles = foundRows(rows, words);
  const places = new Map<string, Place>();
  const group = (name: string): Entry => ({
    ...{ kind: 'group', key: `group ${name}`, name, folder: null, count: null, isOpen: true },
  });
  const known = new Map(rows.map((row) => [row.id, row]));
  const conversations = (found?.places ?? []).flatMap(({ sessionId, excerpt, marks }): Entry[] => {
    const row = known.get(sessionId);
    if (row === undefined) return [];
    const key = `place ${sessionId}`;
    places.set(key, { excerpt, marks });
    return [{ kind: 'row', key, row }];
  });
  const entries: Entry[] = [
    ...(titles.length === 0 ? [] : [group('Titles')]),
    ...titles.map((row): Entry => ({ kind: 'row', key: row.id, row })),
    ...(conversations.length === 0
      ? []
      : [group(`Conversations ${grouped(conversations.length)} of ${grouped(found?.searched ?? 0)}`)]),
    ...conversations,
  ];
  return { entries, places };
}
