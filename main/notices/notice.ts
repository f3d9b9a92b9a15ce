import type { NotificationChoices } from '../../app/api/settings.ts';
import { inFrontLanguage } from '../../app/language/front-language.ts';

/** A place of the window, or a page in the browser. */
export type Opens = { place: string } | { url: string } | null;

export interface NoticeAnswers {
  body: string;
  buttons: readonly { label: string; press: () => void }[];
}

export interface SystemNotice {
  /**
   * The same cause is not told twice within an hour, unless it was over in between. Null if it answers something that
   * a person just did, and is always told.
   */
  cause: string | null;
  title: string;
  body: string;
  /** What a click on it opens. */
  opens: Opens;
  /** Where the desktop's notifications have buttons: them, and the text that is shown with them. */
  answers?: NoticeAnswers;
}

/** A notice whose words are made in the language that the tray app shows. */
export function noticeOf(
  about: Pick<SystemNotice, 'cause' | 'opens'>,
  words: () => Pick<SystemNotice, 'title' | 'body' | 'answers'>,
): SystemNotice {
  return { ...about, ...inFrontLanguage(words) };
}

const hourMs = 3_600_000;

/** True if the person chose such notices. Answers to what they just asked for are always shown. */
export function isWanted(
  { cause }: SystemNotice,
  choices: Omit<NotificationChoices, `sound${string}` | 'answers'>,
): boolean {
  if (cause === null) return true;
  if (/^(quota|exhausted|limit|overage|world)\b/.test(cause)) return choices.quota;
  if (/^session-waits\b/.test(cause)) return choices.sessionWaits;
  if (/^session-done\b/.test(cause)) return choices.sessionDone;
  if (/^session-failed\b/.test(cause)) return choices.sessionFailed;
  return /^update\b/.test(cause) ? choices.updates : choices.trouble;
}

/**
 * Never the same cause twice within an hour, unless it was forgotten, and nothing while the window is in sight and
 * shows it itself.
 */
export class NotificationGate {
  readonly #reportedAt = new Map<string, number>();

  /** The trouble is over: if it comes again, that is news. */
  forget(cause: string): void {
    this.#reportedAt.delete(cause);
  }

  lets({ cause }: SystemNotice, facts: { now: number; inSight: boolean }): boolean {
    if (cause === null) return true;
    if (facts.inSight) return false;
    const last = this.#reportedAt.get(cause);
    if (last !== undefined && facts.now - last < hourMs && facts.now >= last) return false;
    for (const [known, at] of this.#reportedAt) if (facts.now - at >= hourMs) this.#reportedAt.delete(known);
    this.#reportedAt.set(cause, facts.now);
    return true;
  }
}
