import { type RefObject, useState } from 'react';
import { useWidth } from '../parts/width.ts';
import { keep, recall } from '../state/remembered.ts';
import { changesWidth, usualChangesWidth } from './changes-width.ts';

const widthKey = 'jumpseat.sessions.changes-width';

export interface ChangesWidth {
  /** Of the whole view. */
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
