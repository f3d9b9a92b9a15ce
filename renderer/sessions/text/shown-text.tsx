import { Fragment, memo } from 'react';
import { shownParts } from './shown-characters.ts';

/** A text in which nothing hides: what can't be seen as what it is stands there as its code, in red. */
export const ShownText = memo(function ShownText({ text }: { text: string }) {
  return shownParts(text).map(({ kind, text: shown }, at) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces of a text have no other identity and do not move.
    if (kind === 'plain') return <Fragment key={at}>{shown}</Fragment>;
    return (
      <span key={at} className={kind}>
        {shown}
      </span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
  });
});
