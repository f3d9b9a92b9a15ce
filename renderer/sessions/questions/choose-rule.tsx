import { type ReactNode, useState } from 'react';
import { AnswerButton } from './answer-button.tsx';
import { useCardKeys } from './card-keys.ts';
import { Choice } from './choice.tsx';
import type { OfferedRule } from './offered-rules.ts';

export interface ChooseRuleProps {
  /** At least one. */
  rules: readonly OfferedRule[];
  look: 'primary' | 'danger';
  allow: (rule: OfferedRule['rule']) => void;
  back: () => void;
  /** What is asked. */
  children: ReactNode;
}

export function ChooseRule({ rules, look, allow, back, children }: ChooseRuleProps) {
  const [chosen, setChosen] = useState(0);
  const rule = rules[chosen];
  const run = (): void => {
    if (rule !== undefined) allow(rule.rule);
  };
  const digits = rules.map((_, at): [string, () => void] => [String(at + 1), () => setChosen(at)]);
  useCardKeys({ ...Object.fromEntries(digits), Enter: run, Escape: back });
  return (
    <>
      <div className="ask-body">
        {children}
        <fieldset className="ask-choices">
          <legend>What may run without asking until this session ends?</legend>
          {rules.map(({ label, notation, also }, at) => (
            <Choice
              key={label}
              kind="radio"
              name="rule"
              label={label}
              digit={at + 1}
              isChosen={at === chosen}
              isFocused={at === chosen}
              choose={() => setChosen(at)}
            >
              {notation !== null && <span className="mono">{notation}</span>}
              {also !== null && `, that is also ${also}`}
            </Choice>
          ))}
        </fieldset>
      </div>
      <footer className="ask-foot">
        <AnswerButton look={look} hint="Enter" run={run}>
          Allow for this session
        </AnswerButton>
        <AnswerButton hint="Esc" run={back}>
          Back
        </AnswerButton>
        <span className="end">Nothing is written to your settings.</span>
      </footer>
    </>
  );
}
