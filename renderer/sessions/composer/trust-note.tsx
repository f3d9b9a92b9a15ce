import { Button } from '../../parts/button.tsx';
import { wordsOf } from '../in-force/folder-trust.tsx';
import { useAgentWords } from '../state/agent-context.ts';

export interface TrustNoteProps {
  /** What in the folder would run, or be followed. */
  gives: readonly string[];
  /** Null: there is nothing to send, or it can't be sent now. */
  trustAndSend: (() => Promise<void>) | null;
}

/** What counts in a folder only once the person trusts it. */
export function TrustNote({ gives, trustAndSend }: TrustNoteProps) {
  const agent = useAgentWords();
  const them = gives.length === 1 ? 'it' : 'them';
  return (
    <div className="composer-why trust" data-testid="trust">
      <span>
        <span className="mono">{wordsOf(gives)}</span> in this folder can give {agent.name} commands. Send ignores{' '}
        {them}. Trust and send uses {them}, also in later sessions. In force… in the session’s menu takes that back.
      </span>
      <Button disabled={trustAndSend === null} onClick={() => void trustAndSend?.()}>
        Trust and send
      </Button>
    </div>
  );
}
