import { answerWindow } from './beside-window.ts';
import { highlight } from './highlight.ts';
import type { HighlightInput } from './highlight-languages.ts';

/** Colours code beside the window: what a language needs takes up to seconds to make ready, once. */
answerWindow(({ text, language }: HighlightInput, signal) => highlight(text, language, signal));
