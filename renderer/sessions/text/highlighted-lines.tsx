import { Fragment, useEffect, useState } from 'react';
import { type Coloured, languageFor } from './highlight-languages.ts';
import { highlighted } from './highlighting.ts';

/** Code in colours as soon as they are known; its size is the same before and after. */
export function HighlightedLines({ text, language }: { text: string; language: string | null }) {
  const [coloured, setColoured] = useState<{ text: string; lines: readonly Coloured[] } | null>(null);
  const known = languageFor(language);
  useEffect(() => {
    if (known === null) return;
    const stopped = new AbortController();
    void highlighted(text, known, stopped.signal).then((lines) => {
      if (lines !== null && !stopped.signal.aborted) setColoured({ text, lines });
    });
    return () => stopped.abort();
  }, [text, known]);
  if (coloured === null || coloured.text !== text) return text;
  return coloured.lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that stays as it is.
    <Fragment key={index}>
      {index > 0 && '\n'}
      {line.map(({ content, light, dark }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <span key={place} style={{ '--light': light, '--dark': dark }}>
          {content}
        </span>
      ))}
    </Fragment>
  ));
}
