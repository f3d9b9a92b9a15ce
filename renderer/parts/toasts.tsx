import { useEffect, useState } from 'react';
import { closeToast } from '../state/moves.ts';
import { useServices, useWindow } from '../state/services.ts';
import type { Toast } from '../state/window-state.ts';
import { Button } from './button.tsx';
import { Passed } from './icons.tsx';

const shownMs = 5000;

/** Short words at the foot of the window. They stay while the pointer or the focus is on them. */
export function Toasts() {
  const toasts = useWindow((state) => state.toasts);
  return (
    <div className="toasts" role="status">
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function OneToast({ toast: { id, text, action } }: { toast: Toast }) {
  const { store } = useServices();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => closeToast(store, id), shownMs);
    return () => clearTimeout(timer);
  }, [held, id, store]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer on it holds it, nothing more.
    <div
      className="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Passed size={14} />
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
    </div>
  );
}
