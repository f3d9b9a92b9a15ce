import { useVirtualizer } from '@tanstack/react-virtual';
import classNames from 'classnames/bind';
import {
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { isNowhere } from '../../parts/focus.ts';
import { marksIn } from '../../parts/marked.tsx';
import { Menu } from '../../parts/menu.tsx';
import { useApp, useWindow } from '../../state/services.ts';
import { openSession } from '../composer/open-session.ts';
import { type GiveAnswer, useGiveAnswer } from '../questions/answering.tsx';
import { rowCost } from '../session-costs.ts';
import { useSessionActions, useSessions } from '../state/hooks.ts';
import { inLineBefore, rowWords } from '../state/session-words.ts';
import { useSessionMenu } from '../use-session-menu.ts';
import { useEditSums } from './changed-sums.ts';
import { Nothing } from './empty-list.tsx';
import { type EntriesGiven, searchedWords, useEntries } from './entries.ts';
import { GroupHead, OlderRow } from './group-rows.tsx';
import { type Entry, isWaiting, type ListRow } from './list-rows.ts';
import { useListShortcuts } from './list-shortcuts.ts';
import styles from './session-list.module.css';
import { SessionRow } from './session-row.tsx';
import { entryHeight, type ShortQuestion, shortQuestion, useColumns } from './short-question.ts';
import { useInSight } from './use-in-sight.ts';

const css = classNames.bind(styles);

export interface SessionRowsHandle {
  /** The keyboard acts on the rows from here on. */
  focus: () => void;
  openFirst: () => void;
}

interface SessionRowsProps extends EntriesGiven {
  /** The session that the list was shown instead of; null if there is none. */
  cameFrom: string | null;
  clear: () => void;
  ref: Ref<SessionRowsHandle>;
}

/** The rows in their groups, as many of them in the page as are in sight. */
export function SessionRows({ rows, words, show, by, chosen, cameFrom, clear, ref }: SessionRowsProps) {
  const { quota } = useApp();
  const world = quota?.world ?? 'unknown';
  const held = useWindow(({ sessions }) => sessions);
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const activity = useSessions((state) => state.activity);
  const questions = useSessions((state) => state.questions);
  const costs = useSessions((state) => state.costs);
  const running = useWindow(({ runningAnswers }) => runningAnswers);
  const actions = useSessionActions();
  const menuOf = useSessionMenu();
  const { give: giveAnswer } = useGiveAnswer();
  const { entries, places, found, isReading, now, setGroup, openGroupOf, showOlder } = useEntries({
    ...{ rows, words, show, by, chosen },
  });
  const [active, setActive] = useState<string | null>(chosen ?? cameFrom);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ key: string; row: ListRow; at: HTMLElement | { x: number; y: number } } | null>(
    null,
  );
  const id = useId();
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const columns = useColumns(scroller);
  const bySession = useMemo(() => Map.groupBy(questions, ({ sessionId }) => sessionId), [questions]);
  const asked = useMemo(
    () => (show === 'waiting' ? askedIn(entries, bySession, columns) : noneAsked),
    [show, entries, bySession, columns],
  );
  const heightOf = useCallback(
    (index: number): number => {
      const entry = entries[index];
      return entry === undefined ? 0 : entryHeight(entry.kind, asked.get(entry.key) ?? null);
    },
    [entries, asked],
  );
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller,
    estimateSize: heightOf,
    getItemKey: useCallback((index: number) => entries[index]?.key ?? index, [entries]),
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: where one is as tall as before, nothing is measured anew.
  useLayoutEffect(() => list.measure(), [list, heightOf]);
  const { clicks } = useInSight({
    ...{ chosen, scroller, entries, heightOf },
    openGroupOf,
    found: (index, isInSight) => {
      setActive(chosen);
      if (!isInSight) list.scrollToIndex(index, { align: 'center' });
    },
  });
  // Where the list takes the place of a session, keys act on its rows.
  useEffect(() => {
    if (cameFrom !== null && isNowhere(document.activeElement)) scroller?.focus();
  }, [cameFrom, scroller]);
  const activeIndex = entries.findIndex(({ key }) => key === active);
  const drawn = list.getVirtualItems();
  const sums = useEditSums(
    drawn.flatMap(({ index }) => {
      const entry = entries[index];
      return entry?.kind === 'row' ? [entry.row.id] : [];
    }),
  );
  // It may be out of sight, where no element has its id.
  const isActiveDrawn = drawn.some(({ index }) => index === activeIndex);

  const toggle = (entry: Extract<Entry, { kind: 'group' }>, isOpen: boolean): void =>
    setGroup(entry.key.slice('group '.length), isOpen);
  const move = (index: number): void => {
    const to = Math.max(0, Math.min(entries.length - 1, index));
    const entry = entries[to];
    if (entry === undefined) return;
    setActive(entry.key);
    list.scrollToIndex(to);
  };
  const open = (entry: Extract<Entry, { kind: 'row' }>): void => {
    const place = places.get(entry.key);
    setActive(entry.key);
    if (place !== undefined) actions.showPlace(place, words);
    openSession(entry.row.id);
  };
  const first = entries.find((entry) => entry.kind === 'row');
  useImperativeHandle(ref, () => ({
    focus: () => {
      setActive(first?.key ?? null);
      scroller?.focus();
    },
    openFirst: () => {
      if (first?.kind === 'row') open(first);
    },
  }));
  /** The keys act on it afterwards, too. */
  const rename = (key: string): void => {
    setActive(key);
    setRenaming(key);
  };
  const press = useListShortcuts({
    ...{ entries, activeIndex, move, open, toggle, showOlder },
    menu: (key, row) => {
      const at = document.getElementById(`${id}-${key}`);
      if (at !== null) setMenu({ key, row, at });
    },
    rename,
    pin: menuOf.pin,
    copyLine: menuOf.copyLine,
    remove: menuOf.remove,
  });
  const give: GiveAnswer = async (question, answer) => {
    // The button goes with its row.
    scroller?.focus();
    await giveAnswer(question, answer);
  };

  if (entries.length === 0) return <Nothing {...{ words, show, clear, isReading }} count={rows.length} />;
  return (
    <>
      <div
        ref={setScroller}
        className={css('session-rows', { lost: isLost })}
        role="treegrid"
        aria-label={t('Sessions')}
        aria-rowcount={entries.length}
        aria-activedescendant={isActiveDrawn ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={({ target, currentTarget }) => {
          if (target === currentTarget && activeIndex === -1) setActive(first?.key ?? null);
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: only a part of the rows is in the page. */}
        <div role="rowgroup" className={css('session-rows-inner')} style={{ height: list.getTotalSize() }}>
          {drawn.map(({ index, start, key }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            const elementId = `${id}-${entry.key}`;
            const isActive = entry.key === active;
            return (
              <div
                key={key}
                role="presentation"
                className={css('session-entry')}
                style={{ transform: `translateY(${start}px)` }}
              >
                {entry.kind === 'row' ? (
                  <SessionRow
                    {...{ row: entry.row, now, elementId, isActive }}
                    words={rowWords({
                      ...{
                        held: entry.row.held,
                        listed: entry.row.listed,
                        activity: activity.get(entry.row.id) ?? null,
                      },
                      questions: bySession.get(entry.row.id) ?? [],
                      before: entry.row.held === null ? 0 : inLineBefore(held.values(), entry.row.held),
                    })}
                    cost={rowCost(world, entry.row, costs, running)}
                    costInFull={rowCost(world, entry.row, costs, running, true)}
                    {...{ world }}
                    sum={sums.get(entry.row.id)}
                    titleMarks={words === '' ? [] : marksIn(entry.row.title, words)}
                    place={places.get(entry.key)}
                    asks={asked.get(entry.key) ?? null}
                    at={start}
                    give={give}
                    isChosen={entry.row.id === chosen}
                    isRenaming={renaming === entry.key}
                    withFolder={by === 'day' || entry.row.isPinned || words !== ''}
                    open={() => {
                      clicks(entry.row.id);
                      open(entry);
                    }}
                    openBeside={() => menuOf.openBeside(entry.row)}
                    menu={(at) => setMenu({ key: entry.key, row: entry.row, at })}
                    rename={(title) => menuOf.rename(entry.row, title)}
                    endRename={(byKey) => {
                      setRenaming(null);
                      if (byKey) scroller?.focus();
                    }}
                  />
                ) : entry.kind === 'group' ? (
                  <GroupHead {...{ entry, elementId, isActive, toggle }} />
                ) : (
                  <OlderRow {...{ entry, elementId, isActive, showOlder }} />
                )}
              </div>
            );
          })}
        </div>
        {found !== null && <p className={css('list-searched')}>{searchedWords(found)}</p>}
      </div>
      {menu !== null && (
        <Menu
          label={t('Actions of {title}', { title: menu.row.title })}
          at={menu.at}
          close={() => setMenu(null)}
          items={menuOf.ofRow(menu.row, () => rename(menu.key))}
        />
      )}
    </>
  );
}

type ShortQuestions = ReadonlyMap<string, ShortQuestion | 'look'>;
const noneAsked: ShortQuestions = new Map();

function askedIn(
  entries: readonly Entry[],
  questions: ReadonlyMap<string, readonly SessionQuestion[]>,
  columns: number,
): ShortQuestions {
  return new Map(
    entries.flatMap((entry): [string, ShortQuestion | 'look'][] => {
      if (entry.kind !== 'row' || !isWaiting(entry.row)) return [];
      return [[entry.key, shortQuestion(questions.get(entry.row.id) ?? [], columns) ?? 'look']];
    }),
  );
}
