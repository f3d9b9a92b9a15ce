import { type KeyboardEvent, useEffect, useRef } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { Search } from '../../parts/icons.tsx';
import { isOverlaid } from '../../parts/overlaid.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { isTextField } from '../../parts/text-target.ts';
import { useWindow } from '../../state/services.ts';
import { isKey, keyWords, sessionKeys, useKeyTitles } from '../session-keys.ts';
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
  const { titled } = useKeyTitles();
  const field = useRef<HTMLInputElement>(null);
  const running = rows.filter(isRunning).length;
  const waiting = rows.filter(isWaiting).length;
  useEffect(() => {
    if (!letterKeys) return;
    const press = (event: globalThis.KeyboardEvent): void => {
      if (!isKey(event, sessionKeys.view.search) || isTextField(event.target) || isOverlaid()) return;
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
          {...titled('Go to a session by its name', sessionKeys.view.goTo)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={words}
          onChange={({ target }) => search(target.value)}
          onKeyDown={press}
        />
        {words === '' && letterKeys && <kbd>{keyWords(sessionKeys.view.search)}</kbd>}
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
