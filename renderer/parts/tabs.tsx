import classNames from 'classnames/bind';
import type { KeyboardEvent } from 'react';
import styles from './tabs.module.css';

const css = classNames.bind(styles);

interface Tab<Name extends string> {
  name: Name;
  label: string;
}

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  choose: (name: Name) => void;
  /** Id of the panel; ids of the tabs are made from it. */
  panel: string;
}

/** The tab list; arrow keys move in it. The panel is the caller's. */
export function Tabs<Name extends string>({ label, tabs, chosen, choose, panel }: TabsProps<Name>) {
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const now = tabs.findIndex(({ name }) => name === chosen);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(tab.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-testid="detail-tab-${tab.name}"]`)?.focus();
  };
  return (
    <div className={css('tabs')} role="tablist" aria-label={label} onKeyDown={move} tabIndex={-1}>
      {tabs.map(({ name, label: text }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${panel}-${name}`}
          data-testid={`detail-tab-${name}`}
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
