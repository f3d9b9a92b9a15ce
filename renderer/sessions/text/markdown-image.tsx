import { LinkButton } from '../../parts/button.tsx';
import { safeAddress } from './safe-address.ts';
import type { TextActions } from './text-actions.ts';

/** Nothing is fetched for words of an agent: an address can carry what it read. */
export function MarkdownImage({ address, says, actions }: { address: string; says: string; actions: TextActions }) {
  const { openAddress } = actions;
  const found = safeAddress(address);
  return (
    <span className="no-image">
      {says !== '' && <>{says} · </>}
      Image not loaded{found === null ? '' : `: ${found.host}`}
      {found !== null && openAddress !== undefined && (
        <LinkButton onClick={() => openAddress(found.whole)}>Open in browser…</LinkButton>
      )}
    </span>
  );
}
