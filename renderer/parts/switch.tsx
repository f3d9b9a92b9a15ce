export interface SwitchProps {
  /** The noun, not the action. */
  label: string;
  on: boolean;
  disabled?: boolean;
  change: (on: boolean) => void;
}

export function Switch({ label, on, disabled = false, change }: SwitchProps) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => change(!on)}
    />
  );
}
