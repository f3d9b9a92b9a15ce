import type { ReactNode } from 'react';
import { LinkButton } from '../../parts/button.tsx';
import { pathIn, safeAddress } from './safe-address.ts';
import type { TextActions } from './text-actions.ts';

/** Asks before it leads anywhere. No element with an address: a browser would open it unasked. */
export function MarkdownLink({ href, actions, children }: { href: string; actions: TextActions; children: ReactNode }) {
  const { openAddress, openPath } = actions;
  const address = safeAddress(href);
  const file = address === null ? pathIn(href) : null;
  if (address !== null && openAddress !== undefined) {
    return (
      <LinkButton title={address.whole} onClick={() => openAddress(address.whole)}>
        {children}
      </LinkButton>
    );
  }
  if (file !== null && openPath !== undefined) {
    return (
      <LinkButton title={file.path} onClick={() => openPath(file.path, file.line)}>
        {children}
      </LinkButton>
    );
  }
  return <span title={href}>{children}</span>;
}
