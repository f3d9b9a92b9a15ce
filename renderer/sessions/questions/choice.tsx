import type { ReactNode } from 'react';

export interface ChoiceProps {
  kind: 'radio' | 'checkbox';
  name: string;
  label: string;
  /** The key that chooses it; there are nine. */
  digit: number;
  isChosen: boolean;
  /** Takes the focus when it comes. */
  isFocused?: boolean;
  choose: () => void;
  /** Below the label. */
  children?: ReactNode;
}

/** A row of a question: what it is, what it means, its key. */
export function Choice({ kind, name, label, digit, isChosen, isFocused = false, choose, children }: ChoiceProps) {
  return (
    <label className={isChosen ? 'ask-choice on' : 'ask-choice'}>
      <input
        type={kind}
        name={name}
        checked={isChosen}
        // biome-ignore lint/a11y/noAutofocus: the person asked for these choices in the card that they are in.
        autoFocus={isFocused}
        onChange={choose}
      />
      <b>{label}</b>
      {digit <= 9 && <kbd>{digit}</kbd>}
      {children !== undefined && <span className="ask-explains">{children}</span>}
    </label>
  );
}
