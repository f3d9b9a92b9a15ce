import type { TextActions } from '../text/text-actions.ts';

/**
 * What can be done from a transcript. Each is a person's click; what is missing has no button. `TextActions` are those
 * that words have: links and paths.
 */
export interface TranscriptActions extends TextActions {
  /** Sends the turn's prompt again, as an attempt of it. */
  tryAgain?: (turnId: string) => void;
  /** Asks below the button which model, and then sends it again. */
  tryAgainWithModel?: (turnId: string, button: HTMLElement) => void;
  /** Says “Go on where you stopped.” */
  goOn?: (turnId: string) => void;
  compactAndTryAgain?: (turnId: string) => void;
  /** Asks below the button from which. */
  forkEarlier?: (turnId: string, button: HTMLElement) => void;
  /** Puts the turn's prompt back into the message field. */
  changePrompt?: (turnId: string) => void;
  /** Stops the turn that runs. */
  stop?: () => void;
  goBack?: (turnId: string) => void;
  fork?: (turnId: string) => void;
  undoTurn?: (turnId: string) => void;
  showInChanges?: (turnId: string, path: string) => void;
  /** A row of the log. */
  showRequest?: (requestId: string) => void;
  /** All rows of a turn. */
  showRequests?: (turnId: string) => void;
  /** The setting of the most that a turn may cost. */
  showSettings?: () => void;
  /** Where Claude Code comes from. */
  chooseAgent?: () => void;
  copyReport?: (turnId: string) => void;
  /** Where the transcript lies; for one that can't be read. */
  openFolder?: () => void;
}
