import classNames from 'classnames/bind';
import { useState } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { Check } from '../../parts/icons.tsx';
import { AnswerButton, Choice, type GiveAnswer, useCardKeys } from './answering.tsx';
import { answersOf, type Chosen, type ClaudeQuestion, type FormChoice, isAnswered } from './form-fields.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

const nothing: Chosen = { values: [], other: null };

interface ClaudeQuestionsProps {
  question: SessionQuestion;
  questions: readonly ClaudeQuestion[];
  give: GiveAnswer;
}

/** Questions of Claude's own, one at a time, each with its choices and a field for other words. */
export function ClaudeQuestions({ question, questions, give }: ClaudeQuestionsProps) {
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const shown = questions[at];
  const isLast = at === questions.length - 1;
  const areAll = questions.every((_, one) => isAnswered(chosen[one] ?? nothing));
  const isGoing = isLast ? areAll : isAnswered(chosen[at] ?? nothing);
  const next = (): void => {
    if (!isGoing) return;
    if (!isLast) setAt(at + 1);
    else void give(question, { answer: 'form', action: 'accept', content: answersOf(questions, chosen) });
  };
  const choose = (now: Chosen): void => {
    setChosen((before) => questions.map((_, one) => (one === at ? now : (before[one] ?? nothing))));
  };
  if (shown === undefined) return null;
  return (
    <>
      {questions.length > 1 && (
        <div className={css('ask-tabs')} role="tablist" aria-label={t('Questions')}>
          {questions.map(({ name, heading }, one) => (
            <button key={name} type="button" role="tab" aria-selected={one === at} onClick={() => setAt(one)}>
              {isAnswered(chosen[one] ?? nothing) && <Check size={12} />}
              {heading}
            </button>
          ))}
        </div>
      )}
      <div className={css('ask-body')}>
        <Choices key={shown.name} of={shown} chosen={chosen[at] ?? nothing} choose={choose} enter={next} />
      </div>
      <footer className={css('ask-foot')}>
        <AnswerButton look="primary" hint="Enter" isEmpty={!isGoing} run={next}>
          {isLast ? t('Answer') : t('Next')}
        </AnswerButton>
        {at > 0 && <AnswerButton run={() => setAt(at - 1)}>{t('Back')}</AnswerButton>}
        <AnswerButton run={() => void give(question, { answer: 'form', action: 'decline' })}>
          {t('Don’t answer')}
        </AnswerButton>
        {questions.length > 1 && (
          <span className={css('end')}>{t('{now} of {count}', { now: at + 1, count: questions.length })}</span>
        )}
      </footer>
    </>
  );
}

interface ChoicesProps {
  of: ClaudeQuestion;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
  enter: () => void;
}

function Choices({ of, chosen, choose, enter }: ChoicesProps) {
  const { choices, isSeveral, otherName, question, name } = of;
  const kind = isSeveral ? 'checkbox' : 'radio';
  const pick = (value: string): void => {
    const { values, other } = chosen;
    if (!isSeveral) choose({ values: [value], other: null });
    else choose({ values: values.includes(value) ? values.filter((one) => one !== value) : [...values, value], other });
  };
  const pickOther = (): void => {
    if (isSeveral) choose({ ...chosen, other: chosen.other === null ? '' : null });
    else choose({ values: [], other: chosen.other ?? '' });
  };
  const digits = choices.map(({ value }, one): [string, () => void] => [String(one + 1), () => pick(value)]);
  if (otherName !== null) digits.push([String(choices.length + 1), pickOther]);
  useCardKeys({ ...Object.fromEntries(digits), Enter: enter });
  return (
    <fieldset className={css('ask-choices')}>
      <legend>
        {question} {isSeveral && <span className="muted">{t('Choose any number.')}</span>}
      </legend>
      {choices.map((choice, one) => (
        <Choice
          key={choice.value}
          {...{ kind, name }}
          label={choice.label}
          digit={one + 1}
          isChosen={chosen.values.includes(choice.value)}
          choose={() => pick(choice.value)}
        >
          <Explanation of={choice} />
        </Choice>
      ))}
      {otherName !== null && (
        <Choice
          {...{ kind, name }}
          label={t('Something else')}
          digit={choices.length + 1}
          isChosen={chosen.other !== null}
          choose={pickOther}
        >
          <input
            className={css('field', 'ask-field')}
            aria-label={t('Something else, in your words')}
            placeholder={t('Say it in your words')}
            autoComplete="off"
            value={chosen.other ?? ''}
            onChange={(event) => {
              const other = event.target.value;
              choose(isSeveral ? { ...chosen, other: other === '' ? null : other } : { values: [], other });
            }}
          />
        </Choice>
      )}
    </fieldset>
  );
}

function Explanation({ of: { description, preview } }: { of: FormChoice }) {
  return (
    <>
      {description}
      {preview !== null && <span className={css('ask-preview', 'mono')}>{preview}</span>}
    </>
  );
}
