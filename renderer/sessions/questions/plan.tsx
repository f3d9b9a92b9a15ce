import { useState } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { Markdown } from '../text/markdown.tsx';
import { AnswerButton } from './answer-button.tsx';
import type { GiveAnswer } from './answering.ts';
import type { AskedPermission } from './asked.ts';
import { useCardKeys } from './card-keys.ts';
import { approvalOf } from './plan-approval.ts';
import { SayWhy } from './say-why.tsx';

export interface PlanProps {
  question: SessionQuestion;
  asked: AskedPermission;
  plan: string;
  give: GiveAnswer;
}

/** A plan to be approved, and how its edits are to be taken. */
export function Plan({ question, asked, plan, give }: PlanProps) {
  const [isKept, setKept] = useState(false);
  const approve = (accepting: boolean): void => void give(question, approvalOf(asked.options, accepting));
  const body = (
    <div className="ask-plan" data-testid="question-command">
      {plan === '' ? <p className="muted">Its words stand in the conversation above.</p> : <Markdown text={plan} />}
    </div>
  );
  if (isKept) {
    return (
      <SayWhy
        asks="What should be different?"
        action="Send"
        note={null}
        send={(words) => void give(question, { answer: 'deny', words })}
        back={() => setKept(false)}
      >
        {body}
      </SayWhy>
    );
  }
  return (
    <>
      <div className="ask-body flush">{body}</div>
      <PlanAnswers approve={approve} keep={() => setKept(true)} />
    </>
  );
}

function PlanAnswers({ approve, keep }: { approve: (accepting: boolean) => void; keep: () => void }) {
  useCardKeys({ 1: () => approve(true), 2: () => approve(false), 3: keep });
  return (
    <footer className="ask-foot">
      <AnswerButton look="primary" hint="1" run={() => approve(true)}>
        Approve and accept edits
      </AnswerButton>
      <AnswerButton hint="2" run={() => approve(false)}>
        Approve and ask first
      </AnswerButton>
      <AnswerButton hint="3" run={keep}>
        Keep planning…
      </AnswerButton>
      <span className="end">Commands ask either way.</span>
    </footer>
  );
}
