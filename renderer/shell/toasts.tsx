import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { t } from '../../app/language/translate.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { dialogNotices } from '../parts/dialog.tsx';
import { Close, Failed, Info, Passed } from '../parts/icons.tsx';
import { closeToast } from '../state/notices.ts';
import { useServices, useWindow } from '../state/services.ts';
import type { Toast } from '../state/window-state.ts';
import styles from './toasts.module.css';

const css = classNames.bind(styles);

const shownMs = 5_000;
/** A failure says more than a word or two, and what can be undone has to be read first. */
const longShownMs = 15_000;

const icons = { done: Passed, info: Info, failed: Failed } as const;

/**
 * Short words at the foot of the window, or of the dialog in which they came while that is open. They stay while the
 * pointer or the focus is on them.
 */
export function Toasts() {
  const toasts = useWindow((state) => state.toasts);
  const dialogs = useStore(dialogNotices, ({ places }) => places);
  const inDialog = ({ place }: Toast): boolean => place !== null && dialogs.includes(place);
  return (
    <>
      <ToastsAt isPage toasts={toasts.filter((toast) => !inDialog(toast))} />
      {dialogs.map((dialog, index) =>
        createPortal(<ToastsAt toasts={toasts.filter((one) => one.place === dialog)} />, dialog, `${index}`),
      )}
    </>
  );
}

function ToastsAt({ toasts, isPage = false }: { toasts: readonly Toast[]; isPage?: boolean }) {
  const shown = (which: (toast: Toast) => boolean) =>
    toasts.filter(which).map((toast) => <OneToast key={toast.id} toast={toast} />);
  return (
    <div className={css('toasts')}>
      <div {...(isPage ? { role: 'status' } : { 'aria-live': 'polite' })}>{shown((one) => one.kind !== 'failed')}</div>
      <div {...(isPage ? { role: 'alert' } : { 'aria-live': 'assertive' })}>
        {shown((one) => one.kind === 'failed')}
      </div>
    </div>
  );
}

function OneToast({ toast: { id, text, kind, action } }: { toast: Toast }) {
  const { store } = useServices();
  const [held, setHeld] = useState(false);
  const isLong = kind === 'failed' || action !== null;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => closeToast(store, id), isLong ? longShownMs : shownMs);
    return () => clearTimeout(timer);
  }, [held, id, isLong, store]);
  const Icon = icons[kind];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer on it holds it, nothing more.
    <div
      className={css('toast', 'in-row', kind)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={14} />
      <span>{text}</span>
      {action !== null && (
        <Button
          look="quiet"
          onClick={() => {
            closeToast(store, id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {kind === 'failed' && (
        <IconButton label={t('Dismiss')} icon={<Close size={14} />} onClick={() => closeToast(store, id)} />
      )}
    </div>
  );
}
