// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only a part is in the page can’t be a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its rows and cells.

import classNames from 'classnames/bind';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { translated } from '../../app/language/translate.ts';
import { zoneSuffix } from '../../app/words/times.ts';
import { ChevronDown, ChevronUp } from '../parts/icons.tsx';
import type { Column, ColumnName } from './columns.ts';
import type { Sorting } from './list-settings.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

export interface HeadProps {
  columns: readonly Column[];
  sorting: Sorting;
  sort: (column: ColumnName) => void;
  chargeHead: string;
  /** `width` null for its own again. */
  resize: (name: ColumnName, width: number | null) => void;
  /** `before` null: behind all others. */
  move: (name: ColumnName, before: ColumnName | null) => void;
}

/** A pointer that went no further has clicked. */
const clickPx = 5;

/** What is done with the pointer here, the dialog "Arrange columns" does with the keyboard. */
export function Head({ columns, sorting, sort, chargeHead, resize, move }: HeadProps) {
  const growing = columns.findIndex(({ grows }) => grows);
  const head = useRef<HTMLDivElement>(null);
  const { moving, grab } = useMoving(head, columns, move);
  return (
    <div className={css('row-head', 'muted')} role="row" aria-rowindex={1} tabIndex={-1} ref={head}>
      {columns.map((column, index) => {
        const { name, align } = column;
        const sorted = sorting.column === name;
        const direction = sorting.descending ? 'descending' : 'ascending';
        return (
          <div
            key={name}
            role="columnheader"
            tabIndex={-1}
            aria-colindex={index + 1}
            aria-sort={sorted ? direction : 'none'}
            data-column={name}
            className={css({
              right: align === 'right',
              moving: moving?.name === name,
              'drop-before': moving?.before === name,
              'drop-behind': moving?.before === null && index === columns.length - 1,
            })}
          >
            <button
              type="button"
              tabIndex={-1}
              title={column.title && translated(column.title)}
              onPointerDown={(event) => grab(event, name)}
              onClick={(event) => {
                if (!event.currentTarget.dataset.moved) sort(name);
              }}
            >
              {headOf(column, chargeHead)}
              {sorted && (name !== 'time' || sorting.descending) && (
                <span className={css('sort-mark')}>
                  {sorting.descending ? <ChevronDown size={12} /> : <ChevronUp size={12} />}
                </span>
              )}
            </button>
            {!column.grows && (
              <Edge column={column} side={growing >= 0 && index > growing ? 'left' : 'right'} resize={resize} />
            )}
          </div>
        );
      })}
    </div>
  );
}

export function headOf({ name, head }: Pick<Column, 'name' | 'head'>, chargeHead: string): string {
  if (name === 'charge') return chargeHead;
  return name === 'time' ? `${translated(head)}${zoneSuffix()}` : translated(head);
}

/**
 * The edge that a column is drawn by: the one towards the column that takes what is left, so that the edge follows the
 * pointer. A double click gives the column its own width again.
 */
function Edge({ column, side, resize }: { column: Column; side: 'left' | 'right'; resize: HeadProps['resize'] }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      className={css('column-edge', side)}
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: column.width };
      }}
      onPointerMove={(event) => {
        if (start.current === null) return;
        const by = event.clientX - start.current.x;
        if (by !== 0) resize(column.name, start.current.width + (side === 'right' ? by : -by));
      }}
      onLostPointerCapture={() => {
        start.current = null;
      }}
      onDoubleClick={() => resize(column.name, null)}
    />
  );
}

interface Moving {
  name: ColumnName;
  /** Where it would go now; undefined: where it is. */
  before: ColumnName | null | undefined;
}

/** A head is taken with the pointer and put down between two others. Esc puts it back. */
function useMoving(
  head: { readonly current: HTMLElement | null },
  columns: readonly Column[],
  move: HeadProps['move'],
): { moving: Moving | null; grab: (event: PointerEvent<HTMLElement>, name: ColumnName) => void } {
  const [moving, setMoving] = useState<Moving | null>(null);
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const grab = (event: PointerEvent<HTMLElement>, name: ColumnName): void => {
    if (event.button !== 0) return;
    const button = event.currentTarget;
    const from = event.clientX;
    let now: Moving | null = null;
    delete button.dataset.moved;
    const follow = ({ clientX }: globalThis.PointerEvent): void => {
      if (now === null && Math.abs(clientX - from) < clickPx) return;
      // The click that follows is none.
      button.dataset.moved = 'true';
      now = { name, before: placeAt(clientX, name) };
      setMoving(now);
    };
    const end = (): void => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', press, true);
      setMoving(null);
    };
    const drop = (): void => {
      const to = now?.before;
      end();
      if (to !== undefined) move(name, to);
    };
    const press = (key: globalThis.KeyboardEvent): void => {
      if (key.key !== 'Escape') return;
      key.stopPropagation();
      end();
    };
    stop.current();
    stop.current = end;
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', press, true);
  };

  /** Undefined where it would stay where it is. */
  const placeAt = (x: number, name: ColumnName): ColumnName | null | undefined => {
    const cells = [...(head.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const index = cells.findIndex((cell) => {
      const { left, width } = cell.getBoundingClientRect();
      return x < left + width / 2;
    });
    const at = columns.findIndex((column) => column.name === name);
    const to = index < 0 ? columns.length : index;
    if (to === at || to === at + 1) return undefined;
    return columns[to]?.name ?? null;
  };

  return { moving, grab };
}
