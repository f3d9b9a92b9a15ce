import { answerWindow } from './beside-window.ts';
import { differenceOf } from './difference-lines.ts';

/** Works out differences beside the window, and beside the colours, which may take seconds. */
answerWindow(differenceOf);
