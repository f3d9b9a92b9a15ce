import classNames from 'classnames/bind';
import { type ReactNode, useState } from 'react';
import type { Session, SessionQuestion } from '../../../app/api/sessions.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { isOutside } from '../paths.ts';
import { AnswerButton, type GiveAnswer, SayWhy, useCardKeys, wordsCount } from './answering.tsx';
import { type AskedPermission, warningsOf } from './asked.ts';
import { useChangeBody } from './change-body.tsx';
import { ChooseRule, rulesFor } from './choose-rule.tsx';
import { PermissionBody } from './permission-body.tsx';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface PermissionProps {
  question: SessionQuestion;
  asked: AskedPermission;
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  give: GiveAnswer;
}

/** A permission question: what will be done, and the answers to it. */
export function Permission({ question, asked, session, give }: PermissionProps) {
  const [step, setStep] = useState<'ask' | 'rule' | 'why' | 'change'>('ask');
  const { subject } = asked;
  const back = (): void => setStep('ask');
  const changed = subject.kind === 'edit' || subject.kind === 'write' ? subject : null;
  const { body: difference, more } = useChangeBody(changed, session.cwd, question.askedAt);
  const isClaude = session.agent === 'claude';
  const change =
    subject.kind === 'command' && typeof asked.input.command === 'string' && isClaude ? subject.command : null;
  const body = (
    <PermissionBody
      asked={asked}
      cwd={session.cwd}
      folders={[session.cwd, ...session.directories]}
      difference={difference}
      change={change === null || step !== 'ask' ? null : () => setStep('change')}
    />
  );
  if (step === 'change' && change !== null) {
    const run = (command: string): void => {
      const input = { ...asked.input, command };
      void give(question, command === change ? { answer: 'allow' } : { answer: 'allow', input });
    };
    return <ChangeCommand command={change} run={run} back={back} />;
  }
  const rules = rulesFor(asked);
  // Green says that nothing can go wrong.
  const look = subject.kind === 'command' && warningsOf(subject).length > 0 ? 'danger' : 'primary';
  if (step === 'rule') {
    return (
      <ChooseRule
        rules={rules}
        look={look}
        allow={(rule) => void give(question, { answer: 'allow', rule })}
        back={back}
      >
        {body}
      </ChooseRule>
    );
  }
  if (step === 'why') {
    return (
      <SayWhy
        asks={t('What should {agent} do instead?', { agent: agentWords(session.agent).name })}
        action={t('Deny and send')}
        note={translated(wordsCount)}
        send={(words) => void give(question, { answer: 'deny', words })}
        back={back}
      >
        {body}
      </SayWhy>
    );
  }
  const isChange = changed !== null;
  return (
    <>
      <div className={css('ask-body', { flush: isChange })}>{body}</div>
      <Answers
        look={look}
        allow={() => void give(question, { answer: 'allow' })}
        lasting={lastingOf()}
        deny={() => void give(question, { answer: 'deny' })}
        sayWhy={() => setStep('why')}
        more={more}
      />
    </>
  );

  /** What the second button does; null if this question has none. */
  function lastingOf(): LastingAnswer | null {
    if (changed !== null) {
      // It doesn't count for a file outside of the folders. Where edits are accepted already, only such a one asks.
      const { cwd, directories, mode } = session;
      if (!isClaude || mode.applied === 'acceptEdits' || isOutside(changed.path, [cwd, ...directories])) return null;
      const run = (): void => void give(question, { answer: 'allow', acceptEdits: true });
      return { label: t('Accept edits in this session'), run };
    }
    return rules.length === 0 ? null : { label: t('Allow for this session…'), run: () => setStep('rule') };
  }
}

interface LastingAnswer {
  label: string;
  run: () => void;
}

interface AnswersProps {
  look: 'primary' | 'danger';
  allow: () => void;
  lasting: LastingAnswer | null;
  deny: () => void;
  sayWhy: () => void;
  /** Shown beside the answers. */
  more: ReactNode;
}

/** Each answer keeps its digit, also where another one is missing. */
function Answers({ look, allow, lasting, deny, sayWhy, more }: AnswersProps) {
  useCardKeys({ 1: allow, 2: lasting?.run, 3: deny, 4: sayWhy });
  return (
    <footer className={css('ask-foot')}>
      <AnswerButton look={look} hint="1" run={allow}>
        {t('Allow once')}
      </AnswerButton>
      {lasting !== null && (
        <AnswerButton hint="2" run={lasting.run}>
          {lasting.label}
        </AnswerButton>
      )}
      <AnswerButton hint="3" run={deny}>
        {t('Deny')}
      </AnswerButton>
      <AnswerButton hint="4" run={sayWhy}>
        {t('Deny and say why…')}
      </AnswerButton>
      {more}
    </footer>
  );
}

function ChangeCommand({ command, run, back }: { command: string; run: (command: string) => void; back: () => void }) {
  const [text, setText] = useState(command);
  useCardKeys({ Escape: back });
  return (
    <>
      <div className={css('ask-body')}>
        <textarea
          className={css('field', 'ask-change', 'mono')}
          aria-label={t('Command')}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field in the card that they are in.
          autoFocus
          rows={Math.min(8, text.split('\n').length + 1)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <footer className={css('ask-foot')}>
        <AnswerButton look="primary" isEmpty={text.trim() === ''} run={() => run(text)}>
          {t('Allow once')}
        </AnswerButton>
        <AnswerButton hint="Esc" run={back}>
          {t('Back')}
        </AnswerButton>
      </footer>
    </>
  );
}
