// biome-ignore-all lint/a11y/useSemanticElements: the browser’s own list of suggestions can hold no counts.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus and points at them.

import classNames from 'classnames/bind';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { Close, Search } from '../parts/icons.tsx';
import { isCommand } from '../parts/shortcuts.ts';
import { readTerms } from '../state/log/filter/language.ts';
import { useApp, useLog, useServices, useWindow } from '../state/services.ts';
import { type Completion, completions } from './completion.ts';
import styles from './requests.module.css';
import type { SavedFilter } from './saved-filters.tsx';

const css = classNames.bind(styles);

interface SearchFieldProps {
  query: string;
  saved: readonly SavedFilter[];
  change: (query: string) => void;
  /** Esc in an empty field, Enter and the arrow down: into the list. */
  leave: () => void;
}

/** The filter, with what can come next below it. */
export function SearchField({ query, saved, change, leave }: SearchFieldProps) {
  const { log } = useServices();
  const { filter, rows } = useLog();
  const letterKeys = useWindow((state) => state.letterKeys);
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const list = useId();
  const problem = useId();
  // Counts are of the moment at which the word was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const offers = useMemo<readonly Completion[]>(() => {
    if (!open) return [];
    if (query !== '') return completions(query, rows, log.context());
    return saved.map(({ name, query: whole }) => ({ label: name, more: whole === name ? null : whole, query: whole }));
  }, [open, query, saved]);

  // What is still being typed is not wrong yet.
  const problems = filter.problems.filter(({ end }) => offers.length === 0 || end < query.length);

  const take = (next: string): void => {
    change(next);
    setMarked(-1);
    setOpen(true);
  };

  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Keys of the window work here, too.
    if (!isCommand(event) && !event.altKey) event.stopPropagation();
    const offer = offers[marked];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (offers.length === 0) {
          if (event.key === 'ArrowDown') leave();
          return;
        }
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setMarked((old) => (old + step + offers.length) % offers.length);
        return;
      }
      case 'Tab':
        if (offer !== undefined || (query !== '' && offers.length === 1)) {
          event.preventDefault();
          take((offer ?? offers[0])?.query ?? query);
        }
        return;
      case 'Enter':
        if (offer !== undefined) take(offer.query);
        // What means nothing is changed here.
        else if (filter.problems.length === 0) leave();
        return;
      case 'Escape':
        event.preventDefault();
        if (offers.length > 0) setOpen(false);
        else if (query !== '') change('');
        else leave();
        return;
    }
  };

  return (
    <div className={css('search-box')}>
      <div className={problems.length > 0 ? 'search problem' : 'search'}>
        <Search size={14} />
        <div className={css('search-words', 'small')}>
          <Underlines query={query} problems={problems} />
          <input
            id="search"
            type="text"
            role="combobox"
            aria-label={t('Filter requests')}
            aria-expanded={offers.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={offers[marked] === undefined ? undefined : `${list}-${marked}`}
            aria-describedby={problems.length > 0 ? problem : undefined}
            aria-invalid={problems.length > 0}
            placeholder={t('Filter: model:opus initiator:user credits:>1')}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => take(event.target.value)}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={press}
          />
        </div>
        {query === '' ? (
          letterKeys && <kbd title={t('Press / to filter')}>/</kbd>
        ) : (
          <button
            type="button"
            className="clear"
            aria-label={t('Clear filter')}
            title={t('Clear filter')}
            onClick={() => take('')}
          >
            <Close size={14} />
          </button>
        )}
      </div>
      <div
        id={list}
        role="listbox"
        aria-label={t('Suggestions')}
        className={css('suggestions')}
        hidden={offers.length === 0}
      >
        {offers.map(({ label, more, query: next }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field's keys do it.
          <div
            key={label}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === marked}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(next)}
          >
            <span className={query === '' ? undefined : 'mono'}>{label}</span>
            {more !== null && <span className="muted figures">{more}</span>}
          </div>
        ))}
      </div>
      {problems.length > 0 && (
        <p id={problem} className={css('search-problem', 'bad', 'small')} role="status">
          {problems[0]?.text}
        </p>
      )}
    </div>
  );
}

/** A copy of the text below the field's own, for the lines under what means nothing. */
function Underlines({ query, problems }: { query: string; problems: readonly { start: number; end: number }[] }) {
  if (problems.length === 0) return null;
  const parts: { text: string; wrong: boolean; at: number }[] = [];
  let at = 0;
  for (const { start, end } of problems) {
    if (start < at) continue;
    parts.push({ text: query.slice(at, start), wrong: false, at });
    parts.push({ text: query.slice(start, end), wrong: true, at: start });
    at = end;
  }
  return (
    <span className={css('underlines')} aria-hidden="true">
      {parts.map(({ text, wrong, at: key }) => (
        <span key={`${key}${wrong}`} className={css({ wrong: wrong })}>
          {text}
        </span>
      ))}
    </span>
  );
}

/** Nothing is asked until a person has stopped typing for this long. */
const restMs = 200;

/** Words without a key are searched in what was said, too, as far as that is held. */
export function useSearchInBodies(query: string): void {
  const { bridge, log } = useServices();
  const { exchanges, bytes } = useApp().recording;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is held has changed.
  useEffect(() => {
    let left = false;
    const search = async (): Promise<void> => {
      const said = new Map<string, ReadonlySet<string>>();
      if (exchanges > 0) {
        for (const words of freeWords(query)) said.set(words, new Set(await bridge.searchBodies(words)));
      }
      if (!left) log.knowSaid(said);
    };
    const timer = setTimeout(() => void search().catch(() => undefined), restMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [bridge, log, query, exchanges, bytes]);
}

/** A filter by folder asks which sessions work where, again when requests came that may be of others. */
export function useFoldersOfSessions(query: string): void {
  const { bridge, log } = useServices();
  const { known } = useLog();
  const isAsked = /(^|\s)-?folder:/i.test(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests came.
  useEffect(() => {
    if (!isAsked) return;
    const ask = async (): Promise<void> => log.knowFolders(await bridge.sessionFolders());
    const timer = setTimeout(() => void ask().catch(() => undefined), restMs);
    return () => clearTimeout(timer);
  }, [bridge, log, isAsked, known]);
}

function freeWords(query: string): string[] {
  const words = readTerms(query).flatMap(({ key, values }) => (key === null ? values.slice(0, 1) : []));
  return words.filter((word) => word !== '').map((word) => word.slice(0, 500));
}
