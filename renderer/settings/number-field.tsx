import { useEffect, useState } from 'react';

/** A whole number that is taken when the person is done with it: Enter, or the focus goes on. Esc brings the old one back. */
export function NumberField(props: {
  label: string;
  value: number;
  digits: number;
  disabled?: boolean;
  invalid: boolean;
  /** Null: what stands there is no whole number. */
  done: (value: number | null) => void;
  /** It is being typed in. */
  typed?: () => void;
}) {
  const { value, done } = props;
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const finish = (): void => {
    const trimmed = text.trim();
    if (trimmed !== String(value)) done(/^\d{1,9}$/.test(trimmed) ? Number(trimmed) : null);
  };
  return (
    <input
      className="number"
      type="text"
      inputMode="numeric"
      size={props.digits}
      aria-label={props.label}
      aria-invalid={props.invalid}
      disabled={props.disabled ?? false}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        props.typed?.();
      }}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        if (event.key !== 'Escape') return;
        setText(String(value));
        props.typed?.();
      }}
    />
  );
}
