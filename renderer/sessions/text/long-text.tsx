import { useState } from 'react';
import { bytes } from '../../../app/words/numbers.ts';
import { cutAt } from '../../../app/words/shortened.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useIsSought } from './sought.ts';

/** Characters that are put into the page unasked; a wrapped line of megabytes takes the browser seconds. */
const mostShown = 50_000;

/** Words as they are, whatever their length. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isSought = useIsSought(text);
  if (isWhole || isSought || text.length <= mostShown) return text;
  return (
    <>
      {text.slice(0, cutAt(text, mostShown))}…{' '}
      <LinkButton onClick={() => setWhole(true)}>Show all {bytes(text.length)}</LinkButton>
    </>
  );
}
