import { useState } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { modeWordsOf } from '../../../app/words/permission-modes.ts';
import { Pencil } from '../../parts/icons.tsx';
import { Markdown } from '../text/markdown.tsx';
import { AnswerButton } from './answer-button.tsx';
import type { GiveAnswer } from './answering.ts';
import type { AskedPermission, PermissionSubject } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
import { useCardKeys } from './card-keys.ts';
import { approvalOf, changedPlan } from './plan-approval.ts';
import { SayWhy, wordsCount } from './say-why.tsx';

export interface PlanProps {
  question: SessionQuestion;
  asked: AskedPermission;
  subject: Extract<PermissionSubject, { kind: 'plan' }>;
  give: GiveAnswer;
}

/** A plan to be approved, and how its edits are to be taken. */
export function Plan({ question, asked, subject, give }: PlanProps) {
  const [isKept, setKept] = useState(false);
  const changed = changedPlan(subject.plan, useAskedFile(subject.file), question.askedAt);
  const plan = changed ?? subject.plan;
  // The agent gets what the person read here.
  const input = changed === null ? null : { ...asked.input, plan: changed };
  const approve = (accepting: boolean): void => void give(question, approvalOf(asked.options, accepting, input));
  const body = (
    <div className="ask-plan" data-testid="question-command">
      {changed !== null && (
        <p className="ask-changed">
          <Pencil size={14} /> Changed by you
        </p>
      )}
      {plan === '' ? <p className="muted">Its words stand in the conversation above.</p> : <Markdown text={plan} />}
    </div>
  );
  if (isKept) {
    return (
      <SayWhy
        asks="What should be different?"
        action="Send"
        note={wordsCount}
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
      <span className="end">Accept edits: {modeWordsOf.acceptEdits.text}</span>
    </footer>
  );
}
