import { TextField } from './text-field.tsx';

/** A whole number. */
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
