import { BesideWindow } from './beside-window.ts';
import type { Coloured, Language } from './highlight-languages.ts';

export interface HighlightInput {
  text: string;
  language: Language;
}

const colours = new BesideWindow<HighlightInput, readonly Coloured[]>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }),
  async ({ text, language }, signal) => {
    const { highlight } = await import('./highlight.ts');
    return highlight(text, language, signal);
  },
);

/** The lines of a code in colours; null: it has none, or nothing wants it any more. */
export function highlighted(
  text: string,
  language: Language,
  signal: AbortSignal,
): Promise<readonly Coloured[] | null> {
  return colours.do({ text, language }, signal);
}
