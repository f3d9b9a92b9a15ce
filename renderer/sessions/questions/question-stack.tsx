import { useMemo, useState } from 'react';
import type { Session, SessionQuestion } from '../../../app/api/sessions.ts';
import type { GiveAnswer } from './answering.ts';
import { QuestionBox } from './question-box.tsx';
import { QuestionLine } from './question-line.tsx';
import { readQuestion } from './question-words.ts';

export interface QuestionStackProps {
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  /** Those that wait, the oldest first; at least one. */
  questions: readonly SessionQuestion[];
  /** `Subagent Explore`; null: the session itself. */
  asker: (question: SessionQuestion) => string | null;
  /** Gives the keyboard back to the message field. */
  leave: () => void;
  give: GiveAnswer;
}

/** All that a session waits for: one question to be answered, the others as lines below it. */
export function QuestionStack({ session, questions, asker, leave, give }: QuestionStackProps) {
  const all = useMemo(() => questions.map(readQuestion), [questions]);
  const [wanted, setWanted] = useState<string | null>(null);
  const at = Math.max(
    0,
    all.findIndex(({ question }) => question.id === wanted),
  );
  const shown = all[at];
  if (shown === undefined) return null;
  const go = (place: number): void => setWanted(all.at(place % all.length)?.question.id ?? null);
  return (
    <QuestionBox
      shown={shown}
      session={session}
      asker={asker(shown.question)}
      leave={leave}
      give={give}
      place={all.length === 1 ? null : { at, of: all.length, before: () => go(at - 1), next: () => go(at + 1) }}
    >
      {all.length > 1 && (
        <div className="ask-others">
          {all.map((other, place) =>
            place === at ? null : (
              <QuestionLine
                key={other.question.id}
                asked={other}
                cwd={session.cwd}
                asker={asker(other.question)}
                show={() => go(place)}
              />
            ),
          )}
        </div>
      )}
    </QuestionBox>
  );
}
