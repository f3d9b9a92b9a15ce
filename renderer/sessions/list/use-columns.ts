import { useLayoutEffect, useState } from 'react';

/** Left and right of a command in a row: the sign before it, its frame, the end of the row. */
const besidePx = 76;

/** So many letters of a command a line of a row takes, and rather one too few. 0: not laid out yet. */
export function useColumns(list: HTMLElement | null): number {
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    if (list === null) return;
    const measure = (): void => setColumns(Math.floor((list.clientWidth - besidePx) / letterWidth(list)) - 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [list]);
  return columns;
}

/** Of the letters of a command, whatever the person's own style makes of them. */
function letterWidth(list: HTMLElement): number {
  const probe = document.createElement('span');
  probe.className = 'answer-command mono probe';
  probe.textContent = '0'.repeat(100);
  list.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return Math.max(1, width);
}
