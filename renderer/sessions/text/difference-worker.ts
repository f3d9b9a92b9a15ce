import { answerWindow } from './answer-window.ts';
import { differenceOf } from './difference-of.ts';

/** Works out differences beside the window, and beside the colours, which may take seconds. */
answerWindow(differenceOf);
