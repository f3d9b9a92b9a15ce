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

/** A path in one line: where it is too long for that, its folders give way, and the name of its file is whole. */
export function CutPath({ path }: { path: string }) {
  const name = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return <CutStart start={path.slice(0, name)} end={path.slice(name)} />;
}

/** Two pieces in one line, of which the first gives way. */
export function CutStart({ start, end }: { start: string; end: string }) {
  return (
    <span className="cut-start">
      <bdi>
        <ShownText text={start} />
      </bdi>
      <bdi className="end">
        <ShownText text={end} />
      </bdi>
    </span>
  );
}
