import type { ReactNode } from 'react';
import { t } from '../../app/language/translate.ts';

interface Segment<Name extends string> {
  name: Name;
  label: string;
  /** A count beside the label. */
  more?: ReactNode;
  title?: string;
}

interface SegmentedProps<Name extends string> {
  label: string;
  segments: readonly Segment<Name>[];
  chosen: Name;
  choose: (name: Name) => void;
}

/** A choice of few, all visible. */
export function Segmented<Name extends string>({ label, segments, chosen, choose }: SegmentedProps<Name>) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {segments.map((segment) => (
        <button
          key={segment.name}
          type="button"
          aria-pressed={segment.name === chosen}
          title={segment.title}
          onClick={() => choose(segment.name)}
        >
          {segment.label}
          {segment.more !== undefined && <span className="count"> {segment.more}</span>}
        </button>
      ))}
    </fieldset>
  );
}

interface SwitchProps {
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

/** Shown with the note that other users can read a file that will contain the local key. */
export function PrivateChoice({ checked, change }: { checked: boolean; change: (checked: boolean) => void }) {
  return (
    <label className="choice-alone">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} />{' '}
      {t('Make the file readable only for you (mode 0600)')}
    </label>
  );
}
