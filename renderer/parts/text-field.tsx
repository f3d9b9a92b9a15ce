import { type InputHTMLAttributes, useEffect, useId, useRef, useState } from 'react';

interface TextInputProps {
  label: string;
  value: string;
  /** Width, in characters. */
  size: number;
  look?: 'number' | 'text';
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  invalid: boolean;
}

interface TextFieldProps extends TextInputProps {
  /** Called when the text has changed and the person has finished. */
  done: (text: string) => void;
  /** Called while it is typed in, and when the old text is back. */
  typed?: () => void;
}

/**
 * A short text that is taken when the person is done with it: Enter, or the focus goes on. Esc brings the old one back.
 */
export function TextField({ value, done, typed, look = 'text', ...props }: TextFieldProps) {
  const [text, setText] = useState(value);
  /** True until it is passed on: the focus stays after Enter. */
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
    <ShortInput
      {...props}
      look={look}
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

interface SavedTextProps extends Omit<TextInputProps, 'look'> {
  /** Null after Esc: what was typed is dropped. */
  type: (text: string | null) => void;
  /** Texts that are offered while it is typed. */
  suggestions?: readonly string[];
}

/** A short text that a button of its form saves: leaving the field changes nothing. Esc drops what was typed. */
export function SavedText({ type, suggestions = [], ...props }: SavedTextProps) {
  const list = useId();
  return (
    <>
      <ShortInput
        {...props}
        {...(suggestions.length > 0 && { list })}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type(null);
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </>
  );
}

type InputEvents = Pick<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'onBlur' | 'onKeyDown' | 'list'>;

function ShortInput({ look = 'text', label, invalid, disabled = false, ...rest }: TextInputProps & InputEvents) {
  return (
    <input
      className={look === 'number' ? 'number' : 'number text'}
      type="text"
      inputMode={look === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      aria-invalid={invalid}
      disabled={disabled}
      {...rest}
    />
  );
}

/** A whole number. */
export function NumberField(props: {
  label: string;
  value: number;
  digits: number;
  disabled?: boolean;
  invalid: boolean;
  /** Null if the text is not a whole number. */
  done: (value: number | null) => void;
  /** Called while it is typed in. */
  typed?: () => void;
}) {
  const { value, digits, done, ...rest } = props;
  return (
    <TextField
      {...rest}
      look="number"
      value={String(value)}
      size={digits}
      done={(text) => done(/^\d{1,9}$/.test(text) ? Number(text) : null)}
    />
  );
}
