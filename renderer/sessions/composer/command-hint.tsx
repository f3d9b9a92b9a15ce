import { Button, LinkButton } from '../../parts/button.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import type { CommandMeaning } from './find-commands.ts';

export interface CommandHintProps {
  /** What was not sent; null: nothing was refused. */
  meaning: CommandMeaning | null;
  session: string;
  /** Puts another command into the field. */
  take: (name: string) => void;
}

/** Why a command wasn't sent, and what to do instead. */
export function CommandHint({ meaning, session, take }: CommandHintProps) {
  const { store } = useServices();
  if (meaning?.kind === 'terminal') {
    const copy = () => void copyText(store, `claude --resume ${session}`, 'Line copied');
    return (
      <div className="composer-why" role="alert">
        <span>/{meaning.name} needs a terminal.</span>
        <Button onClick={copy}>Copy the line for a terminal</Button>
      </div>
    );
  }
  if (meaning?.kind !== 'unknown') return null;
  const { name, nearest } = meaning;
  return (
    <div className="composer-why" role="alert">
      <span>
        There’s no command /{name}.
        {nearest !== null && (
          <>
            {' '}
            Did you mean <LinkButton onClick={() => take(nearest)}>/{nearest}</LinkButton>?
          </>
        )}
      </span>
    </div>
  );
}
