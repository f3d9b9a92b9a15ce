import classNames from 'classnames/bind';
import { useId, useState } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { rich } from '../../parts/rich.tsx';
import { useActions } from '../../state/actions.ts';
import { ShownText } from '../text/shown-text.tsx';
import { AnswerButton, type GiveAnswer, useCardKeys } from './answering.tsx';
import { contentOf, type FormField, type FormValues, fieldProblem, presetsOf } from './form-fields.ts';
import { Address } from './permission-body.tsx';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface Given {
  question: SessionQuestion;
  give: GiveAnswer;
}

/** A form of a server's. What is written in it is kept nowhere. */
export function ServerForm({
  question,
  give,
  message,
  fields,
}: Given & { message: string; fields: readonly FormField[] }) {
  const [values, setValues] = useState<FormValues>(() => presetsOf(fields));
  /** Fields that the person is done with: only then they are said to be wrong. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const isReady = fields.every((field) => fieldProblem(field, values[field.name]) === null);
  const send = (): void => {
    if (isReady) void give(question, { answer: 'form', action: 'accept', content: contentOf(fields, values) });
  };
  useCardKeys({ Enter: send });
  return (
    <>
      <div className={css('ask-body')}>
        <p className={css('ask-message')}>
          <ShownText text={message} />
        </p>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name]}
            problem={left.has(field.name) ? fieldProblem(field, values[field.name]) : null}
            change={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            leave={() => setLeft((before) => new Set([...before, field.name]))}
          />
        ))}
      </div>
      <FormAnswers question={question} give={give} label={t('Send')} isEmpty={!isReady} run={send} />
    </>
  );
}

/** A server wants an address opened, such as that of a sign-in. */
export function ServerAddress({
  question,
  give,
  server,
  message,
  address,
}: Given & { server: string | null; message: string; address: string }) {
  const { openConfirmed } = useActions();
  const isLink = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  const open = (): void => {
    openConfirmed(new URL(address).href);
    void give(question, { answer: 'form', action: 'accept' });
  };
  return (
    <>
      <div className={css('ask-body')}>
        {server !== null && (
          <p className="muted">
            {rich('Asked by the server {server}', {
              server: (
                <span className="mono">
                  <ShownText text={server} />
                </span>
              ),
            })}
          </p>
        )}
        <p className={css('ask-message')}>
          <ShownText text={message} />
        </p>
        <div className={css('ask-command')} data-testid="question-command">
          <Address text={address} />
        </div>
        {!isLink && <p className="muted">{t('Only addresses of the web can be opened from here.')}</p>}
      </div>
      <FormAnswers question={question} give={give} label={t('Open in browser…')} isEmpty={!isLink} run={open} />
    </>
  );
}

function FormAnswers({
  question,
  give,
  label,
  isEmpty,
  run,
}: Given & { label: string; isEmpty: boolean; run: () => void }) {
  return (
    <footer className={css('ask-foot')}>
      <AnswerButton look="primary" isEmpty={isEmpty} run={run}>
        {label}
      </AnswerButton>
      <AnswerButton run={() => void give(question, { answer: 'form', action: 'decline' })}>{t('Decline')}</AnswerButton>
      <AnswerButton run={() => void give(question, { answer: 'form', action: 'cancel' })}>{t('Cancel')}</AnswerButton>
    </footer>
  );
}

interface FieldProps {
  field: FormField;
  value: FormValues[string] | undefined;
  problem: string | null;
  change: (value: FormValues[string]) => void;
  leave: () => void;
}

function Field({ field, value, problem, change, leave }: FieldProps) {
  const id = useId();
  const { label, description, isRequired } = field;
  return (
    <div className={css('ask-form-field')}>
      <label htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {description !== null && <p className="muted">{description}</p>}
      <Control {...{ id, field, value, change, leave }} isWrong={problem !== null} />
      {problem !== null && (
        <p className="bad small" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

const inputTypes: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date', password: 'password' };

interface ControlProps extends Omit<FieldProps, 'problem'> {
  id: string;
  isWrong: boolean;
}

function Control({ id, field, value, change, leave, isWrong }: ControlProps) {
  const about = { id, 'aria-invalid': isWrong, 'aria-required': field.isRequired, onBlur: leave };
  const described = isWrong ? { 'aria-describedby': `${id}-problem` } : undefined;
  switch (field.kind) {
    case 'switch':
      return (
        <input {...about} type="checkbox" checked={value === true} onChange={(event) => change(event.target.checked)} />
      );
    case 'one':
      return (
        <select
          {...about}
          {...described}
          className={css('field', 'ask-field')}
          value={String(value ?? '')}
          onChange={(event) => change(event.target.value)}
        >
          <option value="">–</option>
          {field.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case 'several': {
      const chosen = Array.isArray(value) ? value : [];
      return (
        <fieldset id={id} className={css('ask-several')} aria-label={field.label}>
          {field.choices.map((choice) => (
            <label key={choice.value}>
              <input
                type="checkbox"
                checked={chosen.includes(choice.value)}
                onChange={({ target }) =>
                  change(target.checked ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value))
                }
              />
              {choice.label}
            </label>
          ))}
        </fieldset>
      );
    }
    default:
      return (
        <input
          {...about}
          {...described}
          className={css('field', 'ask-field')}
          type={field.kind === 'number' ? 'text' : (inputTypes[field.format ?? ''] ?? 'text')}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          value={String(value ?? '')}
          onChange={(event) => change(event.target.value)}
        />
      );
  }
}
