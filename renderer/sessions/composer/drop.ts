import { type DragEvent, useRef, useState } from 'react';

/** The files of something that is pasted or dropped; a folder counts as one. */
export function dropsOf(data: DataTransfer): File[] {
  return [...data.files];
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Takes files that are dropped on an element, and says whether they are over it. */
export function useDrop(take: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  /** Elements within it that the pointer is over: entering one comes before leaving another. */
  const depth = useRef(0);
  const count = (by: 1 | -1): void => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (hasFiles(event)) count(1);
      },
      onDragLeave: (event: DragEvent) => {
        if (hasFiles(event)) count(-1);
      },
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        take(dropsOf(event.dataTransfer));
      },
    },
  };
}
