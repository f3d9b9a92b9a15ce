import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Marked, marksIn } from './marked.tsx';

export interface PaletteItem {
  /** Another for each item. */
  key: string;
  title: string;
  /** Shown at the right: a folder, a key. */
  beside?: string | null;
  run: () => void;
}

export interface PaletteGroup {
  /** Null if there is one group alone. */
  heading: string | null;
  items: readonly PaletteItem[];
}

export interface PaletteProps {
  /** `Go to a session` */
  label: string;
  /** `No sessions match` */
  none: string;
  /** What is offered for the words that were typed. */
  offered: (words: string) => readonly PaletteGroup[];
  close: () => void;
  /** Kept for another palette in its place, which takes it up: what is typed while what it offers loads. */
  typed?: { current: TypedAhead };
}

/** `isEntered`: Enter was pressed after the words, with nothing to do yet. */
export interface TypedAhead {
  words: string;
  isEntered: boolean;
}

/** A field over the view, and what fits its words below it. Enter does the chosen one, Esc closes it. */
export function Palette({ label, none, offered, close, typed }: PaletteProps) {
  const [words, setWords] = useState(typed?.current.words ?? '');
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const groups = offered(words).filter(({ items }) => items.length > 0);
  const all = groups.flatMap(({ items }) => items);
  const chosen = Math.min(active, all.length - 1);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen.
  useLayoutEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, words]);
  const does = ({ run }: PaletteItem): void => {
    // Before it leaves the page: until then no other field can have the focus.
    dialog.current?.close();
    close();
    run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was entered before it was here.
  useLayoutEffect(() => {
    if (typed?.current.isEntered === true && all[0] !== undefined) does(all[0]);
  }, []);
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const item = all[chosen];
    if (event.key === 'Enter' && item === undefined && typed !== undefined) typed.current.isEntered = true;
    if (event.key === 'ArrowDown') setActive((chosen + 1) % Math.max(1, all.length));
    else if (event.key === 'ArrowUp') setActive((chosen - 1 + all.length) % Math.max(1, all.length));
    else if (event.key === 'Enter' && item !== undefined) does(item);
    else return;
    event.preventDefault();
  };
  const option = (item: PaletteItem) => {
    const index = all.indexOf(item);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
      // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names its active row.
      <div
        key={item.key}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        onClick={() => does(item)}
      >
        <span className="ell">
          <Marked text={item.title} marks={marksIn(item.title, words)} />
        </span>
        {item.beside != null && <span className="mono">{item.beside}</span>}
      </div>
    );
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Esc does.
    <dialog
      ref={dialog}
      className="go-to"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={all.length > 0}
        aria-controls={id}
        aria-activedescendant={all.length === 0 ? undefined : `${id}-${chosen}`}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={words}
        onChange={({ target }) => {
          if (typed !== undefined) typed.current = { words: target.value, isEntered: false };
          setWords(target.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      {all.length === 0 && <p className="muted">{none}</p>}
      <div id={id} role="listbox" aria-label={label} tabIndex={-1}>
        {groups.map(({ heading, items }) =>
          heading === null ? (
            items.map(option)
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: options of a listbox have groups of its own.
            <div key={heading} role="group" aria-label={heading}>
              <p aria-hidden="true">{heading}</p>
              {items.map(option)}
            </div>
          ),
        )}
      </div>
    </dialog>
  );
}

/** Whether every word is somewhere in the text. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
