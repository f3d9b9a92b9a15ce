import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { openSessionToWrite } from './composer/open-session.ts';
import { marksIn, useSessionList } from './list/entries.ts';
import { foundRows } from './list/list-rows.ts';
import { Marked } from './list/session-row.tsx';
import { shortFolder } from './paths.ts';

const mostShown = 12;

/** Goes to a session by its name. */
export function GoToSession({ close }: { close: () => void }) {
  const rows = useSessionList() ?? [];
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const found = foundRows(rows, words).slice(0, mostShown);
  const chosen = Math.min(active, found.length - 1);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const go = (session: string): void => {
    // Before it leaves the page: until then the field can’t have the focus.
    dialog.current?.close();
    close();
    openSessionToWrite(session);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const row = found[chosen];
    if (event.key === 'ArrowDown') setActive((chosen + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setActive((chosen - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && row !== undefined) go(row.id);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Esc does.
    <dialog
      ref={dialog}
      className="go-to"
      aria-label="Go to a session"
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
        aria-label="Go to a session"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        placeholder="Go to a session"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      {found.length === 0 && <p className="muted">No sessions match</p>}
      <div id={id} role="listbox" aria-label="Sessions" tabIndex={-1}>
        {found.map(({ id: session, title, folder }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names its active row.
          <div
            key={session}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(session)}
          >
            <span className="title">
              <Marked text={title} marks={marksIn(title, words)} />
            </span>
            {folder !== null && <span className="mono">{shortFolder(folder)}</span>}
          </div>
        ))}
      </div>
    </dialog>
  );
}
