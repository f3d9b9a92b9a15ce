// biome-ignore-all lint/a11y/noNoninteractiveTabindex: keys lead through the feed, and what scrolls has to be reached.
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import classNames from 'classnames/bind';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import { t } from '../../../app/language/translate.ts';
import { ArrowDown } from '../../parts/icons.tsx';
import { isTextField } from '../../parts/shortcuts.ts';
import { copyText } from '../../state/copy-text.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { keyOf, sessionShortcuts, useKeyTitles } from '../session-shortcuts.ts';
import type { Conversation } from '../state/conversation.ts';
import { Sought, SoughtContext } from '../text/long-text.tsx';
import {
  around,
  focusWhenDrawn,
  groupsOf,
  isJoined,
  offsetOf,
  StuckPrompt,
  stuckHeight,
  turnName,
  useFailedStep,
  useStableKeys,
} from './feed-rows.tsx';
import { FindBar, useFindKeys } from './find/find-bar.tsx';
import type { Match } from './find/find-matches.ts';
import { reveal, useMarks } from './find/mark-found.ts';
import { type FindRequest, useFind } from './find/use-find.ts';
import { ItemView } from './item-view.tsx';
import { estimateOf, itemsOf, seenOf, stepsAfter } from './items.ts';
import type { KeptPlace } from './place.ts';
import styles from './transcript.module.css';
import { useTranscript } from './transcript-context.ts';
import { copiedText, moveFor } from './transcript-shortcuts.ts';
import { useFollow } from './use-follow.ts';
import { useSpokenTurns } from './use-spoken-turns.ts';

const css = classNames.bind(styles);

/** A feed has articles in it. */
const feedRole = (isEmpty: boolean) => ({ role: isEmpty ? 'group' : 'feed', 'aria-label': t('Conversation') });
const padding = { start: 0, end: 20 };

interface FeedProps {
  conversation: Conversation;
  place: KeptPlace;
  /** Older turns are being read. */
  isReading: boolean;
  loadOlder: () => void;
  /** What is looked for in it; null if nothing. */
  request: FindRequest | null;
  /** Undefined: nothing can be looked for here. */
  openFind: (() => void) | undefined;
  closeFind: () => void;
  /** Counts up with each message that was sent from here. */
  sent: number;
}

/** The turns. Only what is in view and a screen around it is in the page; measured heights are kept. */
export function Feed({ conversation, place, isReading, loadOlder, request, openFind, closeFind, sent }: FeedProps) {
  const { store } = useServices();
  const { cwd, actions } = useTranscript();
  useSpokenTurns(conversation);
  const letterKeys = useWindow((state) => state.letterKeys);
  const scroller = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const items = useMemo(() => itemsOf(conversation), [conversation]);
  const places = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);

  const measured = useRef<readonly VirtualItem[]>([]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index] === undefined ? 0 : estimateOf(items[index])),
    getItemKey: useStableKeys(items),
    initialMeasurementsCache: place.heights,
    initialOffset: () => (place.anchor === null ? Number.MAX_SAFE_INTEGER : 0),
    paddingStart: padding.start,
    paddingEnd: padding.end,
    rangeExtractor: (range): number[] => around(range, scroller.current, measured.current),
  });
  measured.current = virtualizer.measurementsCache;
  // Where a person reads is kept by what is in the page, not by what was estimated.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useEffect(
    () => () => {
      place.heights = virtualizer.measurementsCache;
    },
    [virtualizer, place],
  );

  const topOf = useCallback(
    (key: string): number | null => {
      const index = places.get(key);
      return index === undefined ? null : (virtualizer.measurementsCache[index]?.start ?? null);
    },
    [places, virtualizer],
  );
  const itemAt = useCallback(
    (top: number) => {
      const item = virtualizer.getVirtualItemForOffset(top);
      return item === undefined ? null : { key: `${item.key}`, start: item.start };
    },
    [virtualizer],
  );
  const { isFollowing, goToEnd, goTo, stop } = useFollow(scroller, inner, place, topOf, itemAt);

  const most = Math.max(0, virtualizer.getTotalSize() - (scroller.current?.clientHeight ?? 0));
  const scrolled = Math.min(virtualizer.scrollOffset ?? 0, most);
  const drawn = virtualizer.getVirtualItems();
  const first = drawn[0];
  const isNearTop = first !== undefined && first.index === 0 && scrolled < 400;
  useEffect(() => {
    if (isNearTop && conversation.hasOlder && !isFollowing) loadOlder();
  }, [isNearTop, conversation.hasOlder, isFollowing, loadOlder]);
  // What is too short to be scrolled is filled up.
  const isShort = virtualizer.getTotalSize() < (scroller.current?.clientHeight ?? 0);
  useEffect(() => {
    if (isShort && conversation.hasOlder) loadOlder();
  }, [isShort, conversation.hasOlder, loadOlder]);

  const turns = conversation.turns;
  const lastTurn = turns.at(-1);
  const isIdle = lastTurn?.state !== 'running';
  useFailedStep(items, isFollowing, place.openSteps);

  const isEndInSight = isFollowing || most - scrolled < 1;
  if (isEndInSight || place.seen === null) place.seen = seenOf(conversation) ?? place.seen;
  const fresh = isEndInSight || place.seen === null ? 0 : stepsAfter(conversation, place.seen);

  const atTop = virtualizer.getVirtualItemForOffset(scrolled + stuckHeight)?.index ?? 0;
  const cursor = useRef<string | null>(null);

  const top = useRef(atTop);
  top.current = isFollowing ? items.length : atTop;
  const looked = useRef<RegExp | null>(null);
  const show = useCallback(
    (match: Match): void => {
      for (const key of match.open) place.openSteps.set(key, true);
      stop();
      if (scroller.current !== null && looked.current !== null) reveal(scroller.current, match, looked.current, goTo);
    },
    [place, goTo, stop],
  );
  const sought = useMemo(() => new Sought(), []);
  const close = useCallback((): void => {
    closeFind();
    scroller.current?.focus({ preventScroll: true });
  }, [closeFind]);
  const find = useFind({
    ...{ request, conversation, items, order: places, cwd, sought, isReading, loadOlder, top, show, close },
  });
  looked.current = find.pattern;
  useMarks(inner, find);
  useFindKeys(find, openFind);

  const lastSent = useRef(sent);
  useEffect(() => {
    if (sent !== lastSent.current) goToEnd();
    lastSent.current = sent;
  }, [sent, goToEnd]);

  const { titled } = useKeyTitles();
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target } = event;
    const name = isTextField(target) ? null : keyOf(event, sessionShortcuts.transcript, letterKeys);
    if (name === 'stop') {
      if (find.isOpen) close();
      else if (!isIdle) actions.stop?.();
      return;
    }
    if (name === 'end') {
      event.preventDefault();
      goToEnd();
      return;
    }
    if (event.key === 'Home' || event.key === 'PageUp') stop();
    if (name === null) return;
    const focused = document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key ?? cursor.current;
    const from = focused === null ? undefined : places.get(focused);
    const isInView = from !== undefined && drawn.some(({ index }) => index === from);
    const move = moveFor(name, items, isInView ? from : null, atTop);
    const item = move === null ? undefined : items[move.index];
    if (move === null || item === undefined) return;
    event.preventDefault();
    if (move.kind === 'copy') {
      const text = copiedText(item);
      if (text !== '') void copyText(store, text);
      return;
    }
    cursor.current = item.key;
    goTo(item.key, offsetOf(scroller.current, virtualizer.measurementsCache[move.index]));
    focusWhenDrawn(scroller, item.key);
  };

  const topItem = items[atTop];
  const topTurn = topItem === undefined ? undefined : turns.find(({ id }) => id === topItem.turnId);
  const promptEnd = virtualizer.measurementsCache[places.get(`${topTurn?.id}:prompt`) ?? -1]?.end;
  const stuck = topTurn !== undefined && promptEnd !== undefined && promptEnd < scrolled + 8 ? topTurn : null;
  const groups = groupsOf(drawn.flatMap(({ index }) => items[index] ?? []));
  const offset = first?.start ?? 0;
  return (
    <SoughtContext value={sought}>
      <div className={css('talk-frame')}>
        {find.isOpen && <FindBar find={find} />}
        {stuck !== null && <StuckPrompt turn={stuck} show={() => goTo(`${stuck.id}:prompt`, 8)} />}

        {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is among what it is given. */}
        <div
          ref={scroller}
          className={css('talk')}
          {...feedRole(turns.length === 0)}
          aria-busy={!isIdle}
          tabIndex={0}
          data-testid="transcript"
          onKeyDown={press}
        >
          <div
            ref={inner}
            className={css('talk-inner')}
            style={{ height: virtualizer.getTotalSize(), paddingTop: offset }}
          >
            {groups.map(({ turnId, inTurn }) => {
              const index = turns.findIndex(({ id }) => id === turnId);
              const turn = turns[index];
              if (turn === undefined) return null;
              return (
                <article
                  key={turnId}
                  className={css('turn')}
                  aria-label={turnName(turn)}
                  aria-posinset={index + 1}
                  aria-setsize={conversation.hasOlder ? -1 : turns.length}
                  data-testid={`turn-${turnId}`}
                >
                  {inTurn.map((item) => (
                    <div
                      key={item.key}
                      ref={virtualizer.measureElement}
                      className={css('item', { joined: isJoined(item) })}
                      data-kind={item.kind}
                      data-key={item.key}
                      data-index={places.get(item.key)}
                    >
                      <ItemView
                        item={item}
                        isFirst={index === 0 && !conversation.hasOlder}
                        isLast={turn === lastTurn}
                        isIdle={isIdle}
                      />
                    </div>
                  ))}
                </article>
              );
            })}
          </div>
        </div>
        {!isEndInSight && !isShort && (
          <button
            type="button"
            className={css('to-end')}
            {...titled(t('Go to the end'), sessionShortcuts.transcript.end)}
            onClick={goToEnd}
          >
            <ArrowDown size={14} />
            {fresh === 0 ? (
              t('Go to the end')
            ) : (
              <>
                <span className="sr">{t('Go to the end')}, </span>
                {t('{fresh, plural, one {# new step} other {# new steps}}', { fresh })}
              </>
            )}
          </button>
        )}
      </div>
    </SoughtContext>
  );
}
