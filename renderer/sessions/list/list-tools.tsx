import { type KeyboardEvent, useEffect, useRef } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { Search } from '../../parts/icons.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { useWindow } from '../../state/services.ts';
import { isRunning, isWaiting, type ListRow, type Show } from './list-rows.ts';

export interface ListToolsProps {
  rows: readonly ListRow[];
  words: string;
  search: (words: string) => void;
  show: Show;
  choose: (show: Show) => void;
  /** From the field into the rows; `open`: opens the first one. */
  toRows: (how: 'go' | 'open') => void;
}

/** What the list is narrowed down by. */
export function ListTools({ rows, words, search, show, choose, toRows }: ListToolsProps) {
  const letterKeys = useWindow((state) => state.letterKeys);
  const field = useRef<HTMLInputElement>(null);
  const running = rows.filter(isRunning).length;
  const waiting = rows.filter(isWaiting).length;
  useEffect(() => {
    if (!letterKeys) return;
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [letterKeys]);
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && words !== '') search('');
    else if (event.key === 'ArrowDown') toRows('go');
    else if (event.key === 'Enter' && words !== '') toRows('open');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="list-tools">
      <div className="search">
        <Search size={14} />
        <input
          ref={field}
          aria-label="Search sessions"
          placeholder="Search sessions"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={words}
          onChange={({ target }) => search(target.value)}
          onKeyDown={press}
        />
        {words === '' && letterKeys && <kbd>/</kbd>}
      </div>
      <Segmented
        label="Show"
        chosen={show}
        choose={choose}
        segments={[
          { name: 'all', label: 'All', more: grouped(rows.length) },
          { name: 'running', label: 'Running', more: running },
          {
            name: 'waiting',
            label: 'Waiting',
            more: <span className={waiting > 0 ? 'waits' : undefined}>{waiting}</span>,
          },
        ]}
      />
    </div>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
