import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Check, ChevronLeft, ChevronRight } from './icons.tsx';

export interface MenuAction {
  label: string;
  run: () => void;
  /** Drawn as a tick: this item switches something. */
  checked?: boolean;
  /** The menu stays open after it: several are switched in one go. */
  stays?: boolean;
  disabled?: boolean;
  /** The key that does the same. */
  hint?: string;
  /** What it means, below its label. */
  below?: string;
  /** True if it can't be undone. */
  danger?: boolean;
}

export type MenuItem =
  | 'separator'
  | MenuAction
  /** Opens further items in place of these. */
  | { label: string; items: readonly MenuItem[] };

interface MenuProps {
  items: readonly MenuItem[];
  close: () => void;
  /** Where it opens: below this element, or at a point. */
  at: HTMLElement | { x: number; y: number };
  /** What stays in sight: it opens above this element, and begins where `at` does. */
  above?: HTMLElement;
  label: string;
}

/** A menu over the page. Esc, a press beside it and Tab close it; the focus goes back to where it was. */
export function Menu({ items, close, at, above, label }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  // By its label: its items are those of now, also after one of them was switched.
  const inner = items.filter(isMenu).find(({ label }) => label === opened) ?? null;

  useFocusBack();
  useLayoutEffect(() => list.current?.showPopover(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items are another size.
  useEffect(() => {
    const menu = list.current;
    if (menu === null) return;
    if (above !== undefined && at instanceof HTMLElement) placeAbove(menu, at, above);
    else place(menu, at);
    entries(menu)[0]?.focus();
  }, [opened, at, above]);
  usePressBeside(list, at, close);

  const move = (event: KeyboardEvent): void => {
    const all = list.current === null ? [] : entries(list.current);
    const now = all.findIndex((entry) => entry.matches(':focus'));
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all.at(next % Math.max(1, all.length))?.focus();
    } else if (event.key === 'ArrowRight') {
      const entry = all[now];
      if (entry?.getAttribute('aria-haspopup') === 'menu') entry.click();
    } else if (event.key === 'ArrowLeft' && inner !== null) setOpened(null);
    else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
    event.stopPropagation();
  };

  return (
    <div ref={list} className="menu" role="menu" aria-label={label} tabIndex={-1} popover="manual" onKeyDown={move}>
      {inner !== null && (
        <button type="button" role="menuitem" className="menu-item menu-back" onClick={() => setOpened(null)}>
          <span className="menu-tick">
            <ChevronLeft size={14} />
          </span>
          {inner.label}
        </button>
      )}
      {(inner?.items ?? items).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity and do not move.
        <Entry key={`${inner?.label ?? ''}${index}`} item={item} close={close} open={setOpened} />
      ))}
    </div>
  );
}

/**
 * Gives the focus back to where it was, before anything that is shown in the menu's place takes it: a dialog gives it
 * back there in its turn, and a field keeps it.
 */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}

/**
 * A press beside a menu closes it, and so does a click on what opened it. The browser's own way to do this would take
 * the release of the right button, whose press opened the menu, for such a press.
 */
function usePressBeside(list: RefObject<HTMLElement | null>, at: MenuProps['at'], close: () => void): void {
  const closing = useRef(close);
  closing.current = close;
  useEffect(() => {
    const isIn = (element: unknown, { target }: Event): boolean =>
      element instanceof HTMLElement && target instanceof Node && element.contains(target);
    const press = (event: Event): void => {
      if (!isIn(list.current, event) && !isIn(at, event)) closing.current();
    };
    const click = (event: Event): void => {
      if (!isIn(at, event)) return;
      event.stopPropagation();
      closing.current();
    };
    window.addEventListener('pointerdown', press, true);
    window.addEventListener('click', click, true);
    return () => {
      window.removeEventListener('pointerdown', press, true);
      window.removeEventListener('click', click, true);
    };
  }, [list, at]);
}

interface EntryProps {
  item: MenuItem;
  close: () => void;
  open: (label: string) => void;
}

function Entry({ item, close, open }: EntryProps) {
  if (item === 'separator') return <hr className="menu-line" />;
  if ('items' in item) {
    return (
      <button type="button" role="menuitem" aria-haspopup="menu" className="menu-item" onClick={() => open(item.label)}>
        <span className="menu-tick" />
        <span>{item.label}</span>
        <span className="menu-more">
          <ChevronRight size={14} />
        </span>
      </button>
    );
  }
  return (
    <button
      type="button"
      {...(item.checked === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemcheckbox', 'aria-checked': item.checked })}
      className={item.danger === true ? 'menu-item danger' : 'menu-item'}
      disabled={item.disabled ?? false}
      onClick={() => {
        if (item.stays !== true) close();
        item.run();
      }}
    >
      <span className="menu-tick">{item.checked === true && <Check size={14} />}</span>
      <span>
        {item.label}
        {item.below !== undefined && <span className="menu-below">{item.below}</span>}
      </span>
      {item.hint !== undefined && <kbd>{item.hint}</kbd>}
    </button>
  );
}

function isMenu(item: MenuItem): item is Extract<MenuItem, { items: readonly MenuItem[] }> {
  return typeof item === 'object' && 'items' in item;
}

function entries(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)')];
}

function place(menu: HTMLElement, at: MenuProps['at']): void {
  const { width, height } = menu.getBoundingClientRect();
  const anchor = at instanceof HTMLElement ? at.getBoundingClientRect() : null;
  const x = anchor === null ? (at instanceof HTMLElement ? 0 : at.x) : anchor.right - width;
  const y = anchor === null ? (at instanceof HTMLElement ? 0 : at.y) : anchor.bottom + 4;
  const fits = y + height <= window.innerHeight - 8;
  const above = (anchor?.top ?? y) - height - 4;
  menu.style.left = `${Math.max(8, Math.min(x, window.innerWidth - width - 8))}px`;
  menu.style.top = `${fits ? y : Math.max(8, above)}px`;
}

/** One that is taller than the room there scrolls. */
function placeAbove(menu: HTMLElement, at: HTMLElement, above: HTMLElement): void {
  const room = Math.max(80, above.getBoundingClientRect().top - 12);
  menu.style.maxHeight = `${room}px`;
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(at.getBoundingClientRect().left, window.innerWidth - width - 8);
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${8 + room - height}px`;
}

interface MenuButtonProps {
  label: string;
  icon?: ReactNode;
  /** Shown beside the icon; without it the label is for screen readers and the tooltip. */
  text?: string;
  items: readonly MenuItem[];
  className?: string;
}

export function MenuButton({ label, icon, text, items, className }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const id = useId();
  return (
    <>
      <button
        ref={setButton}
        id={id}
        type="button"
        className={className ?? (text === undefined ? 'button quiet icon' : 'button')}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={text === undefined ? label : undefined}
        onClick={() => setOpen(true)}
      >
        {icon}
        {text}
      </button>
      {open && button !== null && <Menu items={items} close={() => setOpen(false)} at={button} label={label} />}
    </>
  );
}
