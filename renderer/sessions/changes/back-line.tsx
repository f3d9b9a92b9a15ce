import type { Session } from '../../../app/api/sessions.ts';
import { counted } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { GoBack } from '../../parts/icons.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { toComposer } from '../composer/open-session.ts';
import { takeOut } from '../composer/use-draft.ts';
import { useSessionActions } from '../state/hooks.ts';
import { leftAloneWords } from './change-rows.ts';

/** Until the next message of a session that went back: the way to what it was before. */
export function BackLine({ session: { id, cwd, cutTurns } }: { session: Pick<Session, 'id' | 'cwd' | 'cutTurns'> }) {
  const services = useServices();
  const actions = useSessionActions();
  if (cutTurns === 0) return null;
  const undo = async (): Promise<void> => {
    const done = await actions.undoGoBack(id);
    if (done === null) return;
    // The line with the button that was pressed goes.
    toComposer();
    takeOut(services, { id, cwd }, done.prompt);
    const left = leftAloneWords(done.files);
    if (left !== '') toast(services.store, left, { kind: 'told' });
  };
  return (
    <p className="strip" role="status" data-testid="went-back">
      <GoBack size={14} />
      <span>You went back {counted(cutTurns, 'turn')}.</span>
      <LinkButton onClick={() => void undo()}>Undo</LinkButton>
    </p>
  );
}
