interface MeterProps {
  label: string;
  /** What the bar says, in words. */
  text: string;
  /** How far it is filled, 0 to 1: with what its label says. */
  share: number;
  tone: 'fine' | 'warning' | 'danger';
}

export function Meter({ label, text, share, tone }: MeterProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter can't be drawn like this one.
    <span
      className={`meter meter-${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={text}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
