import { answerWindow } from './answer-window.ts';
import { highlight } from './highlight.ts';
import type { HighlightInput } from './highlighting.ts';

/** Colours code beside the window: what a language needs takes up to seconds to make ready, once. */
answerWindow(({ text, language }: HighlightInput, signal) => highlight(text, language, signal));
