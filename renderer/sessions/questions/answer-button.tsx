import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import { Button, type ButtonProps } from '../../parts/button.tsx';

/** Whether the buttons of the card do something yet. */
export const Armed = createContext(false);

export interface AnswerButtonProps extends Pick<ButtonProps, 'look' | 'title'> {
  children: ReactNode;
  /** The digit, or the key, that does the same while the card has the focus. */
  hint?: string;
  /** There is nothing to send yet. */
  isEmpty?: boolean;
  run: () => void;
}

/** A button of a question. It can be reached at once and does nothing for half a second, nor for a script's click. */
export function AnswerButton({ children, hint, isEmpty = false, run, ...rest }: AnswerButtonProps) {
  const isDead = !useContext(Armed) || isEmpty;
  return (
    <Button
      {...rest}
      aria-disabled={isDead}
      {...(hint === undefined ? undefined : { 'aria-keyshortcuts': hint })}
      onClick={(event: MouseEvent) => {
        if (!isDead && event.nativeEvent.isTrusted) run();
      }}
    >
      {children}
      {hint !== undefined && <kbd>{hint}</kbd>}
    </Button>
  );
}
