import classNames from 'classnames/bind';
import {
  Fragment,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { Check } from '../../parts/icons.tsx';
import { useFocusBack } from '../../parts/menu.tsx';
import { isOverlaid } from '../../parts/shortcuts.ts';
import styles from './composer.module.css';
import { toComposer } from './open-session.ts';

const css = classNames.bind(styles);

export interface Choice {
  id: string;
  name: string;
  text?: string;
  beside?: string;
  icon?: ReactNode;
  isMono?: boolean;
  isRisky?: boolean;
  isOff?: boolean;
  isChosen: boolean;
}

export interface ChoiceGroup {
  /** Null if a line alone parts it from the group before. */
  heading: string | null;
  choices: readonly Choice[];
  /** What is said below it. */
  note?: string;
  choose: (id: string) => void;
  /** Something to do that is no choice. */
  action?: { label: string; run: () => void };
}

interface ChoiceMenuProps {
  label: string;
  anchor: HTMLElement;
  groups: readonly ChoiceGroup[];
  close: () => void;
  className?: string;
}

/** One of several, with what each means. Esc, Tab and a click beside it close it; the focus goes back. */
export function ChoiceMenu({ label, anchor, groups, close, className }: ChoiceMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useFocusBack();
  useEffect(() => {
    const entries = entriesOf(menu.current);
    const chosen = entries.find((entry) => entry.getAttribute('aria-checked') === 'true');
    // One without choices says why: it has the focus itself, so that it is read.
    (chosen ?? entries[0] ?? menu.current)?.focus();
  }, []);

  const press = (event: KeyboardEvent): void => {
    const entries = entriesOf(menu.current);
    const now = entries.findIndex((entry) => entry.matches(':focus'));
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      entries.at(next % Math.max(1, entries.length))?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
    event.stopPropagation();
  };
  const take = (run: () => void, isByMouse = false): void => {
    close();
    run();
    // Who used the mouse writes on afterwards; who came by keys goes on from where the menu was opened.
    if (isByMouse) setTimeout(() => !isOverlaid() && toComposer());
  };

  return (
    <Popup anchor={anchor} align="start" className={css('choice-menu', className)} close={close} onKeyDown={press}>
      <div ref={menu} role="menu" aria-label={label} tabIndex={-1}>
        {groups.map(({ heading, choices, note, choose, action }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other identity and do not move.
          <Fragment key={index}>
            {index > 0 && <hr className="menu-line" />}
            {heading !== null && <div className={css('menu-legend')}>{heading}</div>}
            {choices.map((choice) => (
              <Entry key={choice.id} choice={choice} take={(isByMouse) => take(() => choose(choice.id), isByMouse)} />
            ))}
            {action !== undefined && (
              <button type="button" role="menuitem" className="menu-item" onClick={() => take(action.run)}>
                {action.label}
              </button>
            )}
            {note !== undefined && <p className={css('menu-note')}>{note}</p>}
          </Fragment>
        ))}
      </div>
    </Popup>
  );
}

function Entry({ choice, take }: { choice: Choice; take: (isByMouse: boolean) => void }) {
  const { name, text, beside, icon, isMono, isRisky, isOff = false, isChosen } = choice;
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      aria-disabled={isOff}
      className={css('menu-item', { two: text !== undefined, risky: isRisky })}
      onClick={({ detail }) => {
        if (!isOff) take(detail > 0);
      }}
    >
      {icon}
      <span className={css('choice-words')}>
        <b className={isMono === true ? 'mono' : undefined}>{name}</b>
        {text !== undefined && <span>{text}</span>}
      </span>
      {beside !== undefined && <span className={css('choice-beside')}>{beside}</span>}
      <span className="menu-tick">{isChosen && <Check size={16} />}</span>
    </button>
  );
}

function entriesOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('.menu-item') ?? [])];
}

interface PopupProps extends HTMLAttributes<HTMLDivElement> {
  /** The composer; the menu opens above it, or below where there is more room. */
  anchor: HTMLElement;
  /** `fill`: as wide as the anchor. `start`: it begins where the anchor does, and ends within the composer. */
  align: 'fill' | 'start';
  /** Closes it when there is a click beside it. Absent: it stays until it leaves the page, and takes no focus. */
  close?: () => void;
}

const gap = 6;
/** What was typed for stays in sight. */
const tallestFill = 320;
const edge = 8;

/** A list over the page, at an element of it. */
export function Popup({ anchor, align, close, className, children, ...rest }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = popup.current;
    if (shown === null) return;
    shown.showPopover();
    const put = (): void => place(shown, anchor, align);
    put();
    const sizes = new ResizeObserver(put);
    sizes.observe(shown);
    sizes.observe(anchor);
    window.addEventListener('resize', put);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', put);
    };
  }, [anchor, align]);
  return (
    <div
      ref={popup}
      className={css('menu', 'composer-popup', className)}
      popover={close === undefined ? 'manual' : 'auto'}
      onToggle={(event) => {
        if (event.newState === 'closed') close?.();
      }}
      {...rest}
    >
      {children}
    </div>
  );
}

function place(popup: HTMLElement, anchor: HTMLElement, align: PopupProps['align']): void {
  const { left, width } = anchor.getBoundingClientRect();
  const { top, bottom, right } = (anchor.closest(`.${styles.composer}`) ?? anchor).getBoundingClientRect();
  if (align === 'fill') popup.style.width = `${width}px`;
  const above = top - gap - edge;
  const below = window.innerHeight - bottom - gap - edge;
  const room = Math.max(80, above, below);
  popup.style.maxHeight = `${align === 'fill' ? Math.min(tallestFill, room) : room}px`;
  const size = popup.getBoundingClientRect();
  const isAbove = size.height <= above || above >= below;
  popup.style.top = `${isAbove ? Math.max(edge, top - gap - size.height) : bottom + gap}px`;
  const last = Math.min(right, window.innerWidth - edge) - size.width;
  popup.style.left = `${Math.max(edge, Math.min(left, last))}px`;
}
