import { answerWindow } from './answer-window.ts';
import { highlight } from './highlight.ts';
import type { HighlightWish } from './highlighting.ts';

/** Colours code beside the window: what a language needs takes up to seconds to make ready, once. */
answerWindow(({ text, language }: HighlightWish, signal) => highlight(text, language, signal));
