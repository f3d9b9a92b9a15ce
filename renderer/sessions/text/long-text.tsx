import { createContext, useCallback, useContext, useState, useSyncExternalStore } from 'react';
import { t } from '../../../app/language/translate.ts';
import { bytes } from '../../../app/words/numbers.ts';
import { cutAt } from '../../../app/words/text.ts';
import { LinkButton } from '../../parts/button.tsx';

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
      <LinkButton onClick={() => setWhole(true)}>{t('Show all {size}', { size: bytes(text.length) })}</LinkButton>
    </>
  );
}

/** Pattern for literal words, ignoring case. Null if there are none. */
export function patternOf(words: string): RegExp | null {
  const trimmed = words.trim();
  return trimmed === '' ? null : new RegExp(trimmed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** What is looked for in the words below, so that what hides it shows itself. */
export class Sought {
  #pattern: RegExp | null = null;
  readonly #listeners = new Set<() => void>();

  set(pattern: RegExp | null): void {
    if (pattern?.source === this.#pattern?.source) return;
    this.#pattern = pattern;
    for (const listener of this.#listeners) listener();
  }

  isIn(text: string): boolean {
    return this.#pattern !== null && text.search(this.#pattern) >= 0;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const SoughtContext = createContext<Sought>(new Sought());

/** True if a text contains the searched words. */
export function useIsSought(text: string): boolean {
  const sought = useContext(SoughtContext);
  const listen = useCallback((listener: () => void) => sought.listen(listener), [sought]);
  return useSyncExternalStore(listen, () => sought.isIn(text));
}
