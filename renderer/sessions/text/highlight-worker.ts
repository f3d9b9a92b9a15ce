import { answerWindow } from './beside-window.ts';
import { highlight } from './highlight.ts';
import type { HighlightInput } from './highlight-languages.ts';

/** Colours code beside the window: preparing a language takes up to seconds, once. */
answerWindow(({ text, language }: HighlightInput, signal) => highlight(text, language, signal));
