import { useState } from 'react';
import { Button, LinkButton } from '../../parts/button.tsx';
import { useAgentWords } from '../state/agent-context.ts';

export interface TrustNoteProps {
  /** What in the folder would run, or be followed. */
  gives: readonly string[];
  /** Null: there is nothing to send, or it can't be sent now. */
  trustAndSend: (() => Promise<void>) | null;
}

/** What counts in a folder only once the person trusts it. */
export function TrustNote({ gives, trustAndSend }: TrustNoteProps) {
  const [isOpen, setOpen] = useState(false);
  const agent = useAgentWords();
  return (
    <div className="composer-why trust" data-testid="trust">
      <span>
        Files in this folder can give {agent.name} commands (hooks, servers, {agent.memory}).
      </span>
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide them' : 'Show them'}
      </LinkButton>
      <Button disabled={trustAndSend === null} onClick={() => void trustAndSend?.()}>
        Trust and send
      </Button>
      {isOpen && (
        <ul className="trust-files">
          {gives.map((path) => (
            <li key={path} className="mono">
              {path}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
