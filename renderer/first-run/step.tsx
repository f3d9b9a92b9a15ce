import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import { t } from '../../app/language/translate.ts';
import { Check } from '../parts/icons.tsx';
import styles from './first-run.module.css';
import type { StepState } from './steps.ts';

const css = classNames.bind(styles);

export function Step(props: { number: number; title: string; state: StepState; children: ReactNode }) {
  const { number, title, state, children } = props;
  const words = { done: t('Done'), now: t('To do'), waits: t('Later') }[state];
  return (
    <li
      className={css('step', state)}
      data-testid={`first-run-step-${number}`}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={css('step-number', 'muted')} aria-hidden="true">
        {state === 'done' ? <Check size={14} /> : number}
      </span>
      <div className={css('step-body')}>
        <h2>
          {title} <span className="sr">({words})</span>
        </h2>
        {children}
      </div>
    </li>
  );
}
