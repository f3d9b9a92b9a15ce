import { useMemo, useState } from 'react';
import { bytes, grouped } from '../../../app/words/numbers.ts';
import { cutAt } from '../../../app/words/shortened.ts';
import { LinkButton } from '../../parts/button.tsx';
import type { Step } from '../state/conversation.ts';
import { firstLines, lastLines, lineCount } from '../text/lines.ts';
import { useIsSought } from '../text/sought.ts';
import { Terminal } from '../text/terminal.tsx';

const linesShown = 12;
/** Of what is not wholly shown; a single line can be megabytes. */
const mostShown = 20_000;
/** More than this is never put into the page; `Copy output` has all. */
const mostWhole = 500_000;

export interface OutputProps {
  text: string;
  /** Which end is shown at first. */
  end: 'first' | 'last';
  cuts?: Step['cuts'];
}

/** What a tool printed: a part of it at first, in colours, in a field of its own. */
export function Output({ text, end, cuts = [] }: OutputProps) {
  const [isAsked, setAsked] = useState(false);
  const lines = useMemo(() => lineCount(text), [text]);
  const part = useMemo(() => partOf(text, end), [text, end]);
  const [isInText, isInPart] = [useIsSought(text), useIsSought(part)];
  const isWhole = isAsked || (isInText && !isInPart);
  const shown = isWhole ? text.slice(0, cutAt(text, mostWhole)) : part;
  const isCut = part.length < text.trimEnd().length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre className={isWhole ? 'whole' : ''} tabIndex={0}>
        <Terminal text={shown} />
      </pre>
      {isCut && !isWhole && (
        <p className="cut">
          {lines > linesShown
            ? `${end === 'last' ? 'Last' : 'First'} ${linesShown} of ${grouped(lines)} lines.`
            : `A part of ${bytes(text.length)}.`}{' '}
          <LinkButton onClick={() => setAsked(true)}>Show all</LinkButton>
        </p>
      )}
      {isWhole && shown.length < text.length && (
        <p className="cut">
          The first {bytes(shown.length)} of {bytes(text.length)}.
        </p>
      )}
      {cuts.length > 0 && (
        <p className="cut">Of {bytes(cuts.reduce((sum, { length }) => sum + length, 0))} the beginning is kept.</p>
      )}
    </>
  );
}

function partOf(text: string, end: 'first' | 'last'): string {
  if (end === 'first') {
    const part = firstLines(text, linesShown);
    return part.slice(0, cutAt(part, mostShown));
  }
  const part = lastLines(text, linesShown);
  return part.length > mostShown ? part.slice(-mostShown) : part;
}
