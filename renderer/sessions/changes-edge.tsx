import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { changesWidth, narrowest, widestChanges, widthStep } from './changes-width.ts';

export interface ChangesEdgeProps {
  width: number;
  /** Of the whole view, in CSS pixels. */
  view: number;
  /** Null: as wide as usual again. */
  choose: (width: number | null) => void;
}

/** The left edge of the changes: dragged, or moved with the arrow keys. */
export function ChangesEdge({ width, view, choose }: ChangesEdgeProps) {
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
      className="changes-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the changes"
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
