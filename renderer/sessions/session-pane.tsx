import { useEffect } from 'react';
import { agentWords } from '../../app/words/agents.ts';
import { useServices } from '../state/services.ts';
import { AgainMenus } from './again-menus.tsx';
import { Dock } from './composer/dock.tsx';
import { agentOf, isUnseen, type ListRow } from './list/list-rows.ts';
import { QuestionCard } from './questions/question-card.tsx';
import { SessionFoot } from './session-foot.tsx';
import { SessionHead, type SessionHeadProps } from './session-head.tsx';
import { SessionTranscript } from './session-transcript.tsx';
import { AgentContext } from './state/hooks.ts';

export interface SessionPaneProps extends Pick<SessionHeadProps, 'toList' | 'isAlone'> {
  row: ListRow;
  openChanges: (turn: string | null) => void;
}

/** One session: what was said and done in it, what it asks, and the field for the next message. */
export function SessionPane({ row, openChanges, ...head }: SessionPaneProps) {
  const { id } = row;
  useSeen(row);
  return (
    <AgentContext value={agentWords(agentOf(row))}>
      <section className="pane session" aria-label="Session">
        <SessionHead {...{ row, ...head }} openChanges={() => openChanges(null)} />
        <SessionTranscript row={row} openChanges={openChanges} />
        <div className="dock">
          <QuestionCard sessionId={id} />
          <Dock sessionId={id} />
        </div>
        <SessionFoot row={row} />
        <AgainMenus sessionId={id} />
      </section>
    </AgentContext>
  );
}

/** A session that is looked at in a window with the focus has been seen. */
function useSeen(row: ListRow): void {
  const { bridge } = useServices();
  const isNews = isUnseen(row);
  const { id } = row;
  useEffect(() => {
    if (!isNews) return;
    const see = (): void => {
      // Where it fails the mark stays, which is no harm.
      if (document.hasFocus()) void bridge.sawSession(id).catch(() => {});
    };
    see();
    window.addEventListener('focus', see);
    return () => window.removeEventListener('focus', see);
  }, [bridge, id, isNews]);
}
