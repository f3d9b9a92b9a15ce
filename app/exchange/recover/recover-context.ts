import type { Absence } from '../../api/models.ts';
import type { Redact } from '../../ports.ts';

/** What the words for a failure may refer to. */
export interface RecoverContext {
  now: number;
  /** ISO time at which the quota starts anew, where GitHub has said. */
  quotaResetsAt: string | null;
  weeklyResetsAt: string | null;
  sessionResetsAt: string | null;
  askedModel: string | null;
  servedModel: string | null;
  /** GitHub chose the served model (Auto). */
  isAuto?: boolean;
  /** Why the served model is not offered; null: it is, or none was chosen. */
  absence: Absence | null;
  /** Ids that this account can use. */
  offered: readonly string[];
  /** Takes out of a text what is secret. */
  redact: Redact;
  /** Whether the request has these words, so that they are no code of Copilot's. */
  isQuoted?: (words: string) => boolean;
}
