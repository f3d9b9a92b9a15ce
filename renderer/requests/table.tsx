// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only a part is in the page can’t be a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its rows and cells.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: rows of a grid can be selected.

import classNames from 'classnames/bind';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../app/language/translate.ts';
import { clockTime, dayBorder } from '../../app/words/times.ts';
import { ArrowDown } from '../parts/icons.tsx';
import { useClientNames } from '../state/client-names.ts';
import { useLog, useServices, useWindow } from '../state/services.ts';
import { type ColumnChoices, type ColumnName, columnsFor, iconAlone, leastWidth, narrow, tracksOf } from './columns.ts';
import { Head, type HeadProps } from './head.tsx';
import { type Line, ListLayout, lineHeight, linesOf } from './list-layout.ts';
import { isUnsorted, type Sorting } from './list-settings.ts';
import styles from './requests.module.css';
import { RowLine } from './row-line.tsx';

const css = classNames.bind(styles);

/** Rows that are drawn above and below those in view, once the list rests after a jump. */
const around = 12;
const stillMs = 80;
const headHeight = 28;

interface TableProps {
  chosen: ColumnChoices;
  resize: HeadProps['resize'];
  move: HeadProps['move'];
  rowHeight: number;
  chargeHead: string;
  sorting: Sorting;
  sort: (column: ColumnName) => void;
  /** Id of the row whose detail is open. */
  selected: string | null;
  /** Where the cursor is. */
  active: string | null;
  moveTo: (id: string) => void;
  open: (id: string) => void;
  menu: (id: string, at: { x: number; y: number }) => void;
  /** Shows which columns there are, and their order. */
  arrange: () => void;
  /** Keys that are not about moving in the grid. */
  press: (event: KeyboardEvent<HTMLDivElement>) => void;
  following: boolean;
  follow: (following: boolean) => void;
  showsClient: boolean;
  muted: boolean;
  /** Called with the columns that have room, each time they change. */
  fitted: (columns: readonly ColumnName[]) => void;
}

/**
 * The grid. Only rows in view and a few around them are in the page; all are of one height, so where a row stands is
 * arithmetic and costs the same for ten rows and for a hundred thousand.
 */
export function Table(props: TableProps) {
  const { chosen, rowHeight, sorting, active, following } = props;
  const { log } = useServices();
  const letterKeys = useWindow((state) => state.letterKeys);
  const view = useLog();
  const { rows } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState({ width: 0, height: 0 });
  const [scrolled, setScrolled] = useState(0);
  const [jumping, setJumping] = useState(false);
  const [cell, setCell] = useState<number | null>(null);

  const byTime = isUnsorted(sorting);
  const { showsClient } = props;
  const sized = useMemo(() => columnsFor(box.width, chosen, showsClient), [box.width, chosen, showsClient]);
  // Rows are drawn anew when there are other columns, not when one gets wider.
  const names = sized.map(({ name }) => name).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const columns = useMemo(() => sized, [names]);
  const isMeasured = box.width > 0;
  const hasIconsAlone = sized.some(({ name, width }) => name === 'initiator' && width === iconAlone);
  const { fitted } = props;
  useEffect(() => {
    if (isMeasured) fitted(columns.map(({ name }) => name));
  }, [isMeasured, columns, fitted]);
  // The array is one and the same while rows come and go: its version says when to look again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const lines = useMemo(() => (byTime ? linesOf(rows, view.marks) : []), [rows, view.version, view.marks, byTime]);
  const layout = useMemo(
    () =>
      new ListLayout(
        rows.length,
        rowHeight,
        lines.map(({ index }) => index),
      ),
    [rows.length, rowHeight, lines],
  );
  const sticky = headHeight + (byTime ? lineHeight : 0);
  const inView = Math.max(0, box.height - sticky);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setBox({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!jumping) return;
    const timer = setTimeout(() => setJumping(false), stillMs);
    return () => clearTimeout(timer);
  });

  const anchor = useRef<{ id: string; index: number; offset: number } | null>(null);
  const lastSeen = useRef<string | null>(null);
  const arrangement = useRef(view.arrangement);
  const sortedBy = useRef(sorting);
  const { follow } = props;

  const place = useCallback((top: number): void => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = top;
    setScrolled(element.scrollTop);
  }, []);

  // Keeps the end in view while following, else the row at the top where it was.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (arrangement.current !== view.arrangement) {
      arrangement.current = view.arrangement;
      const isOtherOrder = sortedBy.current !== sorting;
      sortedBy.current = sorting;
      if (active === null || (isOtherOrder && !byTime)) {
        if (byTime) follow(true);
        else {
          // What the order is for is at its top.
          anchor.current = null;
          place(0);
        }
      }
    }
    if (following) {
      place(element.scrollHeight);
      return;
    }
    const kept = anchor.current;
    if (kept === null) return;
    const index = log.indexOf(kept.id);
    if (index < 0 || index === kept.index) return;
    anchor.current = { ...kept, index };
    place(layout.top(index) + kept.offset);
  }, [layout, view.arrangement, following, byTime, sorting, active, log, follow, place]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is where it is after each change of size.
  useLayoutEffect(() => {
    if (following && scroller.current !== null) place(scroller.current.scrollHeight);
  }, [box.height, following, place]);

  const scroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.scrollTop;
    // Nothing of what is drawn can stay: at first only what is in view is drawn anew.
    if (Math.abs(top - scrolled) > inView) setJumping(true);
    setScrolled(top);
    const index = layout.indexAt(top);
    const row = rows[index];
    anchor.current = row === undefined ? null : { id: row.id, index, offset: top - layout.top(index) };
    const atEnd = top + element.clientHeight >= element.scrollHeight - 2;
    if (following && !atEnd) lastSeen.current = rows.at(-1)?.id ?? null;
    if (following !== (atEnd && byTime)) follow(atEnd && byTime);
  };

  const show = useCallback(
    (index: number): void => {
      const element = scroller.current;
      if (element === null || index < 0) return;
      const top = layout.top(index);
      if (top < element.scrollTop) place(top);
      else if (top + rowHeight > element.scrollTop + inView) place(top + rowHeight - inView);
    },
    [layout, rowHeight, inView, place],
  );

  // The cursor stays in sight when it moves, and when its row is opened from elsewhere.
  const shownFor = useRef<string | null>(null);
  useEffect(() => {
    if (active === null || box.height === 0 || shownFor.current === active) return;
    const index = log.indexOf(active);
    if (index < 0) return;
    shownFor.current = active;
    show(index);
  }, [active, box.height, log, show]);

  const moveTo = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    if (index < rows.length - 1 && following) follow(false);
    props.moveTo(row.id);
  };

  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      props.press(event);
      return;
    }
    const now = active === null ? (following ? rows.length : layout.indexAt(scrolled) - 1) : log.indexOf(active);
    const perPage = Math.max(1, Math.floor(inView / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      ...(letterKeys ? { j: now + 1, k: now - 1 } : {}),
      PageDown: now + perPage,
      PageUp: now - perPage,
      Home: 0,
      End: rows.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined && !(event.key.length === 1 && event.shiftKey)) {
      event.preventDefault();
      moveTo(next);
      if (event.key === 'End' && byTime) {
        follow(true);
        if (scroller.current !== null) place(scroller.current.scrollHeight);
      }
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      const step = event.key === 'ArrowRight' ? 1 : -1;
      setCell((old) => {
        if (old === null) return step > 0 ? 0 : null;
        return old + step < 0 ? null : Math.min(columns.length - 1, old + step);
      });
    } else props.press(event);
  };

  const rowAt = (target: EventTarget): string | null =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-id]')?.dataset.id ?? null) : null;

  const click = (event: MouseEvent): void => {
    const id = rowAt(event.target);
    if (id === null || window.getSelection()?.isCollapsed === false) return;
    setCell(null);
    props.open(id);
  };

  const contextMenu = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('[role="columnheader"]') !== null) {
      event.preventDefault();
      props.arrange();
      return;
    }
    const id = rowAt(event.target) ?? active;
    if (id === null) return;
    event.preventDefault();
    const line = document.getElementById(`row-${id}`)?.getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0;
    props.moveTo(id);
    props.menu(
      id,
      byKey ? { x: (line?.left ?? 0) + 60, y: line?.bottom ?? 0 } : { x: event.clientX, y: event.clientY },
    );
  };

  const beside = jumping ? 0 : around;
  const from = Math.max(0, layout.indexAt(scrolled) - beside);
  const to = Math.min(rows.length, layout.indexAt(scrolled + inView) + beside + 1);
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const activeIndex = active === null ? -1 : log.indexOf(active);
  // The row that the grid points at has to be in the page.
  if (activeIndex >= 0 && (activeIndex < from || activeIndex >= to)) indices.push(activeIndex);
  const [firstLine, lastLine] = layout.linesWithin(from, to);
  const linesInView = lines.slice(firstLine, lastLine).map((line, index) => ({ line, place: firstLine + index }));
  const markAbove = new Map(lines.filter(({ kind }) => kind === 'mark').map(({ index, at }) => [index, at]));
  const nameOf = useClientNames(indices.flatMap((index) => rows[index]?.client ?? []));
  const topRow = rows[layout.indexAt(scrolled)];
  const fresh = following || lastSeen.current === null ? 0 : rows.length - 1 - log.indexOf(lastSeen.current);
  const pointsAt = activeIndex < 0 || active === null ? undefined : cell === null ? `row-${active}` : `cell-${active}`;

  return (
    <div className={css('table', { 'muted-rows': props.muted })}>
      <div
        ref={scroller}
        className={css('grid', { 'icons-alone': hasIconsAlone })}
        role="grid"
        tabIndex={0}
        aria-label={t('Requests')}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={pointsAt}
        aria-multiselectable={false}
        data-testid="request-grid"
        style={{
          '--tracks': tracksOf(sized),
          '--row-height': `${rowHeight}px`,
          '--least-width': `${leastWidth(sized, box.width)}px`,
        }}
        onScroll={scroll}
        onKeyDown={press}
        onClick={click}
        onContextMenu={contextMenu}
      >
        <Head
          columns={sized}
          sorting={sorting}
          sort={props.sort}
          chargeHead={props.chargeHead}
          resize={props.resize}
          move={props.move}
        />
        {byTime && topRow !== undefined && (
          <div className={css('day', 'sticky-day')} aria-hidden="true">
            {dayBorder(topRow.startedAt)}
          </div>
        )}
        <div className={css('rows', { sorted: !byTime })} role="rowgroup" style={{ height: layout.height }}>
          {indices.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isActive = row.id === active;
            const { name, title } = nameOf(row.client);
            return (
              <RowLine
                key={row.seq}
                row={row}
                index={index}
                top={layout.top(index)}
                columns={columns}
                selected={row.id === props.selected}
                active={isActive}
                activeCell={isActive ? cell : null}
                pinned={log.isPinned(row.id)}
                showsAsked={box.width >= 970}
                showsAgent={box.width >= (showsClient ? 1200 : narrow)}
                showsClient={showsClient}
                clientName={name}
                sessionTitle={title}
                afterMark={markAbove.get(index) ?? null}
              />
            );
          })}
          {linesInView.map(({ line, place }) => (
            <BetweenRows key={`${line.kind}${line.at}`} line={line} top={layout.lineTop(place)} />
          ))}
        </div>
      </div>
      {fresh > 0 && byTime && (
        <button
          type="button"
          className={css('new-rows')}
          onClick={() => {
            follow(true);
            if (scroller.current !== null) place(scroller.current.scrollHeight);
          }}
        >
          <ArrowDown size={14} />
          {t('{fresh, plural, one {# new request} other {# new requests}}', { fresh })}
        </button>
      )}
    </div>
  );
}

/** Read by who sees it; the names of rows say the time and the mark. */
function BetweenRows({ line: { kind, at }, top }: { line: Line; top: number }) {
  return (
    <div className={css(kind)} aria-hidden="true" style={{ transform: `translateY(${top}px)` }}>
      {kind === 'day' ? dayBorder(at) : t('Marked at {time}', { time: clockTime(at) })}
    </div>
  );
}
