import classNames from 'classnames/bind';
import { useState } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { modeWordsOf } from '../../../app/words/agents.ts';
import { IconButton } from '../../parts/button.tsx';
import { Copy, File, Pencil } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import type { Answer } from '../state/actions.ts';
import { Editing } from '../state/editing.ts';
import { textOf } from '../state/fields.ts';
import { useConversation, useSessionActions } from '../state/hooks.ts';
import { Markdown } from '../text/markdown.tsx';
import { AnswerButton, type GiveAnswer, SayWhy, useCardKeys, wordsCount } from './answering.tsx';
import { type AskedOption, type AskedPermission, type PermissionSubject, readPermission } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface PlanProps {
  question: SessionQuestion;
  asked: AskedPermission;
  subject: Extract<PermissionSubject, { kind: 'plan' }>;
  give: GiveAnswer;
}

/** A plan to be approved, and how its edits are to be taken. */
export function Plan({ question, asked, subject, give }: PlanProps) {
  const [isKept, setKept] = useState(false);
  const changed = changedPlan(subject.plan, useAskedFile(subject.file), question.askedAt);
  const asWritten = usePlan(subject, question);
  const plan = changed ?? asWritten;
  // The agent gets what the person read here.
  const input = changed === null ? null : { ...asked.input, plan: changed };
  const approve = (accepting: boolean): void => void give(question, approvalOf(asked.options, accepting, input));
  const body = (
    <div className={css('ask-plan')} data-testid="question-command">
      {changed !== null && (
        <p className={css('ask-changed', 'muted', 'small')}>
          <Pencil size={14} /> {t('Changed by you')}
        </p>
      )}
      {plan === '' ? <p className="muted">{t('The plan is in the conversation above.')}</p> : <Markdown text={plan} />}
    </div>
  );
  if (isKept) {
    return (
      <SayWhy
        asks={t('What should be different?')}
        action={t('Send')}
        note={translated(wordsCount)}
        send={(words) => void give(question, { answer: 'deny', words })}
        back={() => setKept(false)}
      >
        {body}
      </SayWhy>
    );
  }
  return (
    <>
      <div className={css('ask-body', 'flush')}>{body}</div>
      <PlanAnswers approve={approve} keep={() => setKept(true)} />
    </>
  );
}

function PlanAnswers({ approve, keep }: { approve: (accepting: boolean) => void; keep: () => void }) {
  useCardKeys({ 1: () => approve(true), 2: () => approve(false), 3: keep });
  return (
    <footer className={css('ask-foot')}>
      <AnswerButton look="primary" hint="1" run={() => approve(true)}>
        {t('Approve and accept edits')}
      </AnswerButton>
      <AnswerButton hint="2" run={() => approve(false)}>
        {t('Approve and ask first')}
      </AnswerButton>
      <AnswerButton hint="3" run={keep}>
        {t('Keep planning…')}
      </AnswerButton>
      <span className={css('end')}>
        {t('Accept edits: {text}', { text: translated(modeWordsOf.acceptEdits.text) })}
      </span>
    </footer>
  );
}

/** Claude Code asks about a plan that is in no file without its words: the model's own call has them. */
function usePlan({ plan }: Extract<PermissionSubject, { kind: 'plan' }>, question: SessionQuestion): string {
  const said = useConversation(question.sessionId, (conversation) => {
    if (plan !== '') return plan;
    const { toolCallId } = readPermission(question);
    const found = new Editing(conversation).findStep(({ id }) => id === toolCallId);
    return textOf(found?.step.input, 'plan') ?? '';
  });
  return said ?? plan;
}

/** What can be done with a plan beside answering. */
export function PlanActions({
  subject,
  question,
}: {
  subject: Extract<PermissionSubject, { kind: 'plan' }>;
  question: SessionQuestion;
}) {
  const { file } = subject;
  const { store } = useServices();
  const { showFile } = useSessionActions();
  const found = useAskedFile(file);
  const plan = usePlan(subject, question);
  const text = changedPlan(plan, found, question.askedAt) ?? plan;
  return (
    <>
      {text !== '' && (
        <IconButton
          size="small"
          label={t('Copy plan')}
          icon={<Copy size={14} />}
          onClick={() => void copyText(store, text, t('Plan copied'))}
        />
      )}
      {showFile !== null && file !== null && found?.state === 'there' && (
        <IconButton
          size="small"
          label={t('Open as a file')}
          icon={<File size={14} />}
          onClick={() => void showFile({ session: question.sessionId, path: file })}
        />
      )}
    </>
  );
}

/**
 * How a plan is approved: with the agent's own option where there is one; else the host changes the mode. `input`: what
 * the agent gets instead of its own, where the person changed the plan.
 */
export function approvalOf(
  options: readonly AskedOption[],
  accepting: boolean,
  input: Record<string, unknown> | null = null,
): Answer {
  const answer = optionOf(options, accepting);
  return input === null ? answer : { ...answer, input };
}

function optionOf(options: readonly AskedOption[], accepting: boolean): Extract<Answer, { answer: 'allow' }> {
  const own = options.find(({ id }) => id === (accepting ? 'exit-plan-accept-edits' : 'exit-plan-default'));
  if (own !== undefined) return { answer: 'allow', optionId: own.id };
  const manual = options.find(({ id }) => id === 'exit-plan-default');
  const option = manual === undefined ? {} : { optionId: manual.id };
  return { answer: 'allow', ...option, ...(accepting ? { acceptEdits: true } : {}) };
}

/** What a person made of a plan in its file, after it was asked for; null if it is as it was. */
export function changedPlan(plan: string, file: AskedFile | null, askedAt: number): string | null {
  if (file === null || file.text === null || file.text.trim() === '' || file.text.trim() === plan.trim()) return null;
  return file.modifiedAt !== null && file.modifiedAt > askedAt ? file.text : null;
}
