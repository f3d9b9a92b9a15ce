export interface MeterProps {
  label: string;
  /** What the bar says, in words. */
  text: string;
  /** 0 to 1. */
  used: number;
  tone: 'fine' | 'warning' | 'danger';
}

export function Meter({ label, text, used, tone }: MeterProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter can't be drawn like this one.
    <span
      className={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used * 100)}
      aria-valuetext={text}
    >
      <span style={{ width: `${used * 100}%` }} />
    </span>
  );
}
