import type { ReactNode } from 'react';
import { t } from '../../app/language/translate.ts';
import { Check } from '../parts/icons.tsx';
import type { StepState } from './steps.ts';

export function Step(props: { number: number; title: string; state: StepState; children: ReactNode }) {
  const { number, title, state, children } = props;
  const words = { done: t('Done'), now: t('To do'), waits: t('Later') }[state];
  return (
    <li
      className={`step ${state}`}
      data-testid={`first-run-step-${number}`}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className="step-number" aria-hidden="true">
        {state === 'done' ? <Check size={14} /> : number}
      </span>
      <div className="step-body">
        <h2>
          {title} <span className="sr">({words})</span>
        </h2>
        {children}
      </div>
    </li>
  );
}
