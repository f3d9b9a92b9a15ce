import { type ReactNode, useId, useState } from 'react';
import { AnswerButton } from './answer-button.tsx';
import { useCardKeys } from './card-keys.ts';

export interface SayWhyProps {
  /** Over the field. */
  asks: string;
  action: string;
  note: string | null;
  send: (words: string) => void;
  back: () => void;
  /** What is asked. */
  children: ReactNode;
}

/** Nothing sure tells the words of a refusal from a prompt, so what goes out with them is marked as the person's. */
export const wordsCount = 'Copilot may count it as a request of yours.';

/** A refusal with words for the agent. */
export function SayWhy({ asks, action, note, send, back, children }: SayWhyProps) {
  const [words, setWords] = useState('');
  const field = useId();
  const isEmpty = words.trim() === '';
  const run = (): void => {
    if (!isEmpty) send(words.trim());
  };
  useCardKeys({ Enter: run, Escape: back });
  return (
    <>
      <div className="ask-body">
        {children}
        <label className="ask-label" htmlFor={field}>
          {asks}
        </label>
        <input
          id={field}
          className="ask-field"
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field in the card that they are in.
          autoFocus
          autoComplete="off"
          maxLength={20_000}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <footer className="ask-foot">
        <AnswerButton look="primary" hint="Enter" isEmpty={isEmpty} run={run}>
          {action}
        </AnswerButton>
        <AnswerButton hint="Esc" run={back}>
          Back
        </AnswerButton>
        {note !== null && <span className="end">{note}</span>}
      </footer>
    </>
  );
}
