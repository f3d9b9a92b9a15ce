import { useEffect, useState } from 'react';

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

/** A short text that is taken when the person is done with it: Enter, or the focus goes on. Esc brings the old one back. */
export function TextField({ value, done, typed, look = 'text', ...props }: TextFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const finish = (): void => {
    if (text.trim() !== value) done(text.trim());
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
        typed?.();
      }}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        if (event.key !== 'Escape') return;
        setText(value);
        typed?.();
      }}
    />
  );
}
