import { useId, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Close } from '../parts/icons.tsx';
import { mostFilters, type SavedFilters, withFilter } from './saved-filters.ts';

export interface SaveFilterDialogProps {
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
      title={query === '' ? 'Saved filters' : 'Save filter'}
      close={close}
      cancel={query === '' ? 'Close' : 'Cancel'}
      action={
        query === ''
          ? null
          : {
              label: replaces ? 'Replace filter' : 'Save filter',
              run,
              disabled: withFilter(filters, { name, query }) === null,
            }
      }
    >
      {query !== '' && (
        <form
          className="filter-name"
          onSubmit={(event) => {
            event.preventDefault();
            if (withFilter(filters, { name, query }) !== null) run();
          }}
        >
          <label htmlFor={field}>Name</label>
          <input
            id={field}
            className="field"
            value={name}
            maxLength={40}
            onChange={(event) => setName(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
          <p className="muted small">
            Saves <span className="mono">{query}</span>
          </p>
          {full && (
            <p className="small" role="status">
              {mostFilters} filters are saved, and there is room for no more. Remove one first.
            </p>
          )}
        </form>
      )}
      {filters.length > 0 && (
        <ul className="filter-list" aria-label="Saved filters">
          {filters.map((one) => (
            <li key={one.name}>
              <span className="filter-list-name">{one.name}</span>
              <span className="mono muted small">{one.query}</span>
              <IconButton label={`Remove ${one.name}`} icon={<Close size={14} />} onClick={() => remove(one.name)} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
