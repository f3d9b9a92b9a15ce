import { memo, useMemo, useState } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { CopyButton } from './copy-button.tsx';
import { HighlightedLines } from './highlighted-lines.tsx';
import { firstLines, lineCount } from './lines.ts';
import { useIsSought } from './sought.ts';

const mostLines = 400;
const firstShown = 40;

export interface CodeProps {
  text: string;
  /** As the fence or the file's ending names it; null: not known. */
  language: string | null;
  /** More of it may come: it has no colours yet and is not folded. */
  isOpen?: boolean;
}

/** A box of code with its language and `Copy`. A long one is folded. */
export const Code = memo(function Code({ text, language, isOpen = false }: CodeProps) {
  const lines = useMemo(() => (isOpen ? 0 : lineCount(text)), [text, isOpen]);
  // Code that was written in view stays open.
  const [isWhole, setWhole] = useState(isOpen);
  const isSought = useIsSought(text);
  const isFolded = !isWhole && !isSought && lines > mostLines;
  const shown = isFolded ? firstLines(text, firstShown) : text;
  return (
    <figure className="block">
      <figcaption className="block-head">
        {language ?? 'text'}
        <CopyButton label="Copy" text={() => text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{isOpen ? shown : <HighlightedLines text={shown} language={language} />}</code>
      </pre>
      {isFolded && (
        <LinkButton className="show-all" onClick={() => setWhole(true)}>
          Show all {grouped(lines)} lines
        </LinkButton>
      )}
    </figure>
  );
});
