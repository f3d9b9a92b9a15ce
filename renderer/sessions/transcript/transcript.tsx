import type { Session } from '../../../app/api/sessions.ts';
import type { Conversation } from '../state/model.ts';
import type { TranscriptActions } from './transcript-actions.ts';

export interface TranscriptProps {
  sessionId: string;
  /** Null: it is being read. */
  conversation: Conversation | null;
  /** Null: no process of ours leads it. */
  session: Session | null;
  /** Why it can't be read; null: it can. */
  problem: { text: string; tryAgain: () => void } | null;
  /** Reads older turns; a call while one is under way does nothing. */
  loadOlder: () => void;
  actions: TranscriptActions;
}

/** One conversation, from its first turn to what is under way. */
export function Transcript({ conversation }: TranscriptProps) {
  return (
    <div
      className="talk"
      role="feed"
      aria-label="Conversation"
      data-testid="transcript"
      aria-busy={conversation === null}
    />
  );
}
