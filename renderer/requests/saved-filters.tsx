import classNames from 'classnames/bind';
import { useId, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Close } from '../parts/icons.tsx';
import { rich } from '../parts/rich.tsx';
import { keep, recall } from '../state/preferences.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

/** Filters that a person has given a name, kept on this machine. */

export interface SavedFilter {
  readonly name: string;
  readonly query: string;
}

export const mostFilters = 12;
const longestName = 40;

const key = 'jumpseat.filters';

/** What was edited by hand and can’t be read is left out. */
export function readFilters(text: string | null): SavedFilter[] {
  const filters: SavedFilter[] = [];
  for (const { name, query } of listOf(text)) {
    if (typeof name !== 'string' || typeof query !== 'string' || query.trim() === '') continue;
    const next = withFilter(filters, { name, query });
    if (next !== null) filters.splice(0, filters.length, ...next);
  }
  return filters;
}

/** One more, or in place of the one of that name. Null if there is no room, or no name. */
export function withFilter(filters: readonly SavedFilter[], filter: SavedFilter): SavedFilter[] | null {
  const saved = { name: filter.name.trim().slice(0, longestName), query: filter.query.trim() };
  if (saved.name === '') return null;
  const at = filters.findIndex(({ name }) => name.toLowerCase() === saved.name.toLowerCase());
  if (at >= 0) return filters.with(at, saved);
  return filters.length >= mostFilters ? null : [...filters, saved];
}

interface SavedFilters {
  filters: readonly SavedFilter[];
  save: (filter: SavedFilter) => void;
  remove: (name: string) => void;
}

export function useSavedFilters(): SavedFilters {
  const [filters, setFilters] = useState<readonly SavedFilter[]>(() => readFilters(recall(key)));
  const change = (next: readonly SavedFilter[] | null): void => {
    if (next === null) return;
    keep(key, JSON.stringify(next));
    setFilters(next);
  };
  return {
    filters,
    save: (filter) => change(withFilter(filters, filter)),
    remove: (name) => change(filters.filter((one) => one.name !== name)),
  };
}

function listOf(text: string | null): { name?: unknown; query?: unknown }[] {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}

interface SaveFilterDialogProps {
  /** What is saved; empty: there is nothing, and the saved ones are only looked through. */
  query: string;
  saved: SavedFilters;
  /** After it was saved. */
  done: (name: string) => void;
  close: () => void;
}

/** Gives the filter a name. The ones that were saved before can be taken out here. */
export function SaveFilterDialog({ query, saved, done, close }: SaveFilterDialogProps) {
  const [name, setName] = useState(query);
  const field = useId();
  const { filters, save, remove } = saved;
  const full = withFilter(filters, { name: name || query, query }) === null;
  const replaces = filters.some((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  const run = (): void => {
    save({ name, query });
    close();
    done(name.trim());
  };
  return (
    <Dialog
      title={query === '' ? t('Saved filters') : t('Save filter')}
      close={close}
      cancel={query === '' ? t('Close') : t('Cancel')}
      action={
        query === ''
          ? null
          : {
              label: replaces ? t('Replace filter') : t('Save filter'),
              run,
              disabled: withFilter(filters, { name, query }) === null,
            }
      }
    >
      {query !== '' && (
        <form
          className={css('filter-name')}
          onSubmit={(event) => {
            event.preventDefault();
            if (withFilter(filters, { name, query }) !== null) run();
          }}
        >
          <label htmlFor={field}>{t('Name')}</label>
          <input
            id={field}
            className="field"
            value={name}
            maxLength={40}
            onChange={(event) => setName(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
          <p className="muted small">{rich('Saves {query}', { query: <span className="mono">{query}</span> })}</p>
          {full && (
            <p className="small" role="status">
              {t('{count} filters are saved, and there is room for no more. Remove one first.', { count: mostFilters })}
            </p>
          )}
        </form>
      )}
      {filters.length > 0 && (
        <ul className={css('filter-list')} aria-label={t('Saved filters')}>
          {filters.map((one) => (
            <li key={one.name}>
              <span>{one.name}</span>
              <span className="mono muted small">{one.query}</span>
              <IconButton
                label={t('Remove {name}', { name: one.name })}
                icon={<Close size={14} />}
                onClick={() => remove(one.name)}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
