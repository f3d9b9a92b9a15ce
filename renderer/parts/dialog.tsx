import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';
import { t } from '../../app/language/translate.ts';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** Named by what it does. Null if there is nothing to do but to close. */
  action: { label: string; run: () => void; danger?: boolean; disabled?: boolean } | null;
  /** The safe button's label. It has the focus, and Esc presses it. */
  cancel?: string;
  close: () => void;
  wide?: boolean;
}

/** Where each open dialog says what was done in it, the newest last: the page behind it can't be read or clicked. */
export const dialogNotices = createStore<{ places: readonly HTMLElement[] }>(() => ({ places: [] }));

/** Asks before something is done. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, children, action, cancel, close, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const notices = useRef<HTMLDivElement>(null);

  // Before it leaves the page: only a dialog that is closed there gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // A long one is read from its start: what has the focus by itself may stand far below.
    if (shown !== null && shown.scrollTop > 0) {
      shown.focus();
      shown.scrollTop = 0;
    }
    return () => shown?.close();
  }, []);

  useLayoutEffect(() => {
    const place = notices.current;
    if (place === null) return;
    dialogNotices.setState(({ places }) => ({ places: [...places, place] }));
    return () => dialogNotices.setState(({ places }) => ({ places: places.filter((one) => one !== place) }));
  }, []);

  return (
    <dialog
      ref={dialog}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      tabIndex={-1}
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={heading}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-foot">
        <div ref={notices} className="dialog-notices" />
        <div className="dialog-buttons">
          <Button autoFocus onClick={close}>
            {cancel ?? (action === null ? t('Close') : t('Cancel'))}
          </Button>
          {action !== null && (
            <Button
              look={action.danger === true ? 'danger' : 'primary'}
              disabled={action.disabled ?? false}
              onClick={action.run}
            >
              {action.label}
            </Button>
          )}
        </div>
      </div>
    </dialog>
  );
}
