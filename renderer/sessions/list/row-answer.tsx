import { LinkButton } from '../../parts/button.tsx';
import { AnswerButton, Armed } from '../questions/answer-button.tsx';
import type { GiveAnswer } from '../questions/answering.ts';
import { useArmed } from '../questions/use-armed.ts';
import type { ShortQuestion } from './short-question.ts';

export interface RowAnswerProps {
  /** `look`: it can't be judged here. */
  asks: ShortQuestion | 'look';
  title: string;
  /** Where the row stands in the list. */
  at: number;
  give: GiveAnswer;
  look: () => void;
}

/** What a session asks, and the answers to it, in its row of the list. */
export function RowAnswer({ asks, title, at, give, look }: RowAnswerProps) {
  // A row that has just moved under the pointer may not take what was meant for another.
  const armed = useArmed(asks === 'look' ? '' : `${asks.question.id} ${at}`);
  const toLook = (
    <LinkButton
      className="look"
      aria-label={`Look at ${title}`}
      onClick={(event) => {
        event.stopPropagation();
        look();
      }}
    >
      Look
    </LinkButton>
  );
  if (asks === 'look') return <span className="session-answer">{toLook}</span>;
  const { question, command } = asks;
  return (
    <Armed value={armed}>
      <span className="answer-command mono" data-testid={`row-command-${question.sessionId}`}>
        {command}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the buttons is not meant for the row. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <span className="session-answer" onClick={(event) => event.stopPropagation()}>
        <AnswerButton run={() => void give(question, { answer: 'allow' })}>Allow once</AnswerButton>
        <AnswerButton run={() => void give(question, { answer: 'deny' })}>Deny</AnswerButton>
        {toLook}
      </span>
    </Armed>
  );
}
