import classNames from 'classnames/bind';
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useWidth } from '../parts/width.ts';
import { keep, recall } from '../state/preferences.ts';
import styles from './panes.module.css';

const css = classNames.bind(styles);

interface ChangesEdgeProps {
  /** What is at its right. */
  label: string;
  width: number;
  /** Width of the whole view, in CSS pixels. */
  view: number;
  /** Null for the usual width. */
  choose: (width: number | null) => void;
}

/** The left edge of the third pane: dragged, or moved with the arrow keys. */
export function ChangesEdge({ label, width, view, choose }: ChangesEdgeProps) {
  const grip = useRef<{ x: number; width: number } | null>(null);
  const drag = ({ clientX }: PointerEvent): void => {
    if (grip.current === null) return;
    choose(changesWidth(grip.current.width + grip.current.x - clientX, view));
  };
  const press = (event: KeyboardEvent): void => {
    const to = {
      ...{ ArrowLeft: width + widthStep, ArrowRight: width - widthStep },
      ...{ Home: narrowest, End: widestChanges(view) },
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(changesWidth(to, view));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line between two panes that can be moved is no hr.
    <div
      className={css('changes-edge')}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={narrowest}
      aria-valuemax={widestChanges(view)}
      aria-valuenow={width}
      tabIndex={0}
      style={{ right: width - 4 }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, width };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        grip.current = null;
      }}
      onPointerCancel={() => {
        grip.current = null;
      }}
      onDoubleClick={() => choose(null)}
      onKeyDown={press}
    />
  );
}

const widthKey = 'jumpseat.sessions.changes-width';

interface ChangesWidth {
  /** Element of the whole view. */
  view: RefObject<HTMLDivElement | null>;
  viewWidth: number;
  width: number;
  choose: (width: number | null) => void;
}

/** How wide the changes are: as the person dragged them the last time, as far as the view has room. */
export function useChangesWidth(isWide: boolean): ChangesWidth {
  const [view, viewWidth] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(() => Number.parseInt(recall(widthKey) ?? '', 10) || null);
  return {
    ...{ view, viewWidth },
    width: chosen === null ? usualChangesWidth(viewWidth, isWide) : changesWidth(chosen, viewWidth),
    choose: (width) => {
      setChosen(width);
      keep(widthKey, width === null ? '' : String(width));
    },
  };
}

/** Narrowest width of the view, in CSS pixels. */
const narrowest = 360;
const widest = 0.5;
const widthStep = 16;

export function widestChanges(view: number): number {
  return Math.max(narrowest, Math.floor(view * widest));
}

/** Width of the changes for a chosen width, in a view of this width. */
export function changesWidth(wanted: number, view: number): number {
  return Math.round(Math.min(widestChanges(view), Math.max(narrowest, wanted)));
}

/** The default: 432 px, and more where all three panes are shown. */
export function usualChangesWidth(view: number, isWide: boolean): number {
  return changesWidth(isWide ? Math.max(480, view * 0.3) : 432, view);
}
