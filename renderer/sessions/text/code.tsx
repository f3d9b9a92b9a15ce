import classNames from 'classnames/bind';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { BesideWindow } from './beside-window.ts';
import { CopyButton } from './copy-button.tsx';
import { type Coloured, type HighlightInput, type Language, languageFor } from './highlight-languages.ts';
import { firstLines, lineCount } from './lines.ts';
import { useIsSought } from './long-text.tsx';
import styles from './text.module.css';

const css = classNames.bind(styles);

const mostLines = 400;
const firstShown = 40;

interface CodeProps {
  text: string;
  /** Language by the fence or the file's ending; null if unknown. */
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
    <figure className={css('block')}>
      <figcaption className={css('block-head')}>
        {language ?? t('text')}
        <CopyButton label={t('Copy')} text={() => text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{isOpen ? shown : <HighlightedLines text={shown} language={language} />}</code>
      </pre>
      {isFolded && (
        <LinkButton className={css('show-all')} onClick={() => setWhole(true)}>
          {t('Show all {count} lines', { count: grouped(lines) })}
        </LinkButton>
      )}
    </figure>
  );
});

/** Code in colours as soon as they are known; its size is the same before and after. */
function HighlightedLines({ text, language }: { text: string; language: string | null }) {
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

const colours = new BesideWindow<HighlightInput, readonly Coloured[]>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }),
  async ({ text, language }, signal) => {
    const { highlight } = await import('./highlight.ts');
    return highlight(text, language, signal);
  },
);

/** Lines of a code with colours; null if it has none, or was cancelled. */
function highlighted(text: string, language: Language, signal: AbortSignal): Promise<readonly Coloured[] | null> {
  return colours.do({ text, language }, signal);
}
