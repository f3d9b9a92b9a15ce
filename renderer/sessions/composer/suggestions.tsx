// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus and points at its suggestions.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field takes the keys.
// biome-ignore-all lint/a11y/useSemanticElements: the browser has no list that belongs to a text of many lines.
import { useEffect, useRef } from 'react';
import { Popup } from './popup.tsx';

export interface Suggestion {
  /** What is chosen; once in the list. */
  value: string;
  name: string;
  says: string;
  from: string;
}

export interface SuggestionGroup {
  /** Null: the list has no headings. */
  heading: string | null;
  suggestions: readonly Suggestion[];
}

export interface SuggestionsProps {
  id: string;
  label: string;
  anchor: HTMLElement;
  groups: readonly SuggestionGroup[];
  marked: number;
  choose: (value: string) => void;
  /** What stands in place of an empty list. */
  none: string;
}

/** What may stand in place of the word that is being typed. The field keeps the focus. */
export function Suggestions({ id, label, anchor, groups, marked, choose, none }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${marked}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const shown = groups.filter(({ suggestions }) => suggestions.length > 0);
  let index = -1;
  return (
    <Popup anchor={anchor} align="fill" className="composer-suggestions">
      <div ref={list} id={id} role="listbox" aria-label={label}>
        {shown.map(({ heading, suggestions }) => (
          <div key={heading ?? ''} role="group" aria-label={heading ?? label}>
            {heading !== null && <div className="menu-legend">{heading}</div>}
            {suggestions.map(({ value, name, says, from }) => {
              index += 1;
              return (
                <div
                  key={value}
                  id={optionId(id, index)}
                  data-index={index}
                  className="menu-item"
                  role="option"
                  aria-selected={index === marked}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(value)}
                >
                  <span className="name" title={name}>
                    {name}
                  </span>
                  <span className="says">{says}</span>
                  <span className="from">{from}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="menu-none muted">{none}</p>}
    </Popup>
  );
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}
