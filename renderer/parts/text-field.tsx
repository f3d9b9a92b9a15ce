import { useEffect, useRef, useState } from 'react';

export interface TextFieldProps {
  label: string;
  value: string;
  /** Width, in characters. */
  size: number;
  look?: 'number' | 'text';
  placeholder?: string;
  disabled?: boolean;
  invalid: boolean;
  /** Another text stands there, and the person is done with it. */
  done: (text: string) => void;
  /** It is being typed in, or the old text is back. */
  typed?: () => void;
}

/**
 * A short text that is taken when the person is done with it: Enter, or the focus goes on. Esc brings the old one back.
 */
export function TextField({ value, done, typed, look = 'text', ...props }: TextFieldProps) {
  const [text, setText] = useState(value);
  /** Not yet handed on: the focus goes on after Enter, too. */
  const isTyped = useRef(false);
  /** What was handed on and is not in force yet: then `value` is no longer what the next text is compared with. */
  const isUnderWay = useRef(false);
  useEffect(() => {
    setText(value);
    isUnderWay.current = false;
  }, [value]);
  const finish = (): void => {
    const wanted = text.trim();
    if (!isTyped.current || (wanted === value && !isUnderWay.current)) return;
    isTyped.current = false;
    isUnderWay.current = true;
    done(wanted);
  };
  return (
    <input
      className={look === 'number' ? 'number' : 'number text'}
      type="text"
      inputMode={look === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      size={props.size}
      placeholder={props.placeholder}
      aria-label={props.label}
      aria-invalid={props.invalid}
      disabled={props.disabled ?? false}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        isTyped.current = true;
        typed?.();
      }}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          // A question that opens now would take the same key for its safe answer.
          event.preventDefault();
          finish();
        }
        if (event.key !== 'Escape') return;
        isTyped.current = false;
        setText(value);
        typed?.();
      }}
    />
  );
}
