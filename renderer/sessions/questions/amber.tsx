import type { ReactNode } from 'react';
import { Warning } from '../../parts/icons.tsx';

/** A fact that a person could overlook. */
export function Amber({ children }: { children: ReactNode }) {
  return (
    <p className="ask-warning">
      <Warning size={14} /> <span>{children}</span>
    </p>
  );
}
