import type { ReactNode } from 'react';

/** The one heading of a view, with what belongs to all of it at the right. */
export function ViewHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="view-head">
      <h1>{title}</h1>
      {children}
    </header>
  );
}
