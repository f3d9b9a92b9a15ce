// biome-ignore-all lint/a11y/useSemanticElements: the browser’s own list can't be searched and can't show prices.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus and points at its choices.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field takes the keys.

import classNames from 'classnames/bind';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ModelRow } from '../../app/api/models.ts';
import { t } from '../../app/language/translate.ts';
import { shortPrice } from '../../app/words/models.ts';
import { ChevronDown } from '../parts/icons.tsx';
import { isCommand } from '../parts/shortcuts.ts';
import styles from './models.module.css';
import { choosable } from './override-check.ts';

const css = classNames.bind(styles);

interface ModelFieldProps {
  models: readonly ModelRow[];
  chosen: string | null;
  choose: (id: string) => void;
  /** Id of what is wrong with it; null if nothing. */
  problem: string | null;
  /** True if it gets the focus at first. */
  isFirst: boolean;
  cancel: () => void;
  /** Enter with the list closed. */
  done: () => void;
}

/** A model, found by typing a part of its name. */
export function ModelField({ models, chosen, choose, problem, isFirst, cancel, done }: ModelFieldProps) {
  const [search, setSearch] = useState<string | null>(null);
  const [marked, setMarked] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const open = search !== null;
  const offers = open ? choosable(models, search === chosen ? '' : search) : [];
  const target = models.find((model) => model.id === chosen);

  useEffect(() => {
    const popup = list.current;
    const input = field.current;
    if (!open || popup === null || input === null) return;
    popup.showPopover();
    const { left, bottom, top, width } = input.getBoundingClientRect();
    const height = popup.getBoundingClientRect().height;
    const below = bottom + 4 + height <= window.innerHeight - 8;
    popup.style.left = `${left}px`;
    popup.style.minWidth = `${width}px`;
    popup.style.top = `${below ? bottom + 4 : Math.max(8, top - height - 4)}px`;
  }, [open]);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${marked}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  const take = (offer: ModelRow | undefined): void => {
    if (offer !== undefined) choose(offer.id);
    setSearch(null);
  };
  const press = (event: KeyboardEvent): void => {
    // The window's own keys work from here, too.
    if (!isCommand(event)) event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!open) {
        setSearch('');
        setMarked(
          Math.max(
            0,
            choosable(models, '').findIndex((model) => model.id === chosen),
          ),
        );
      } else setMarked((old) => (old + step + offers.length) % Math.max(1, offers.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (open) take(offers[marked]);
      else done();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (open) setSearch(null);
      else cancel();
    }
  };

  return (
    <span className={css('model-field')}>
      <input
        ref={field}
        className="field mono"
        role="combobox"
        aria-label={t('Model')}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && offers.length > 0 ? `${id}-${marked}` : undefined}
        aria-invalid={problem !== null}
        aria-describedby={problem ?? undefined}
        placeholder={t('Search models')}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field.
        autoFocus={isFirst}
        spellCheck={false}
        autoComplete="off"
        value={search ?? chosen ?? ''}
        onChange={(event) => {
          setSearch(event.target.value);
          setMarked(0);
        }}
        onClick={() => {
          setSearch((old) => old ?? '');
          setMarked(0);
        }}
        onBlur={() => setSearch(null)}
        onKeyDown={press}
      />
      {!open && target !== undefined && <span className={css('model-price', 'muted')}>{shortPrice(target)}</span>}
      <ChevronDown size={14} />
      {open && (
        <div
          ref={list}
          id={id}
          className={css('menu', 'model-list')}
          role="listbox"
          aria-label={t('Models')}
          popover="manual"
        >
          {offers.map((offer, index) => (
            <div
              key={offer.id}
              id={`${id}-${index}`}
              data-index={index}
              className="menu-item"
              role="option"
              aria-selected={index === marked}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(offer)}
            >
              <span className="mono">{offer.id}</span>
              <span className="muted small">
                {offer.policy === 'disabled' ? t('Off on GitHub') : shortPrice(offer)}
              </span>
            </div>
          ))}
          {offers.length === 0 && <p className="menu-none muted">{t('No model of this name')}</p>}
        </div>
      )}
    </span>
  );
}
