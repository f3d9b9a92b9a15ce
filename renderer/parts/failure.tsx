import type { ReactNode } from 'react';
import { Warning } from './icons.tsx';

/** What failed, what to do, and a button for it where there is one. */
export function Failure({ text, mend, children }: { text: string; mend: string; children?: ReactNode }) {
  return (
    <p className="told-failure" role="alert">
      <Warning size={16} />
      <span>
        <b>{text}</b> {mend}
      </span>
      {children}
    </p>
  );
}
