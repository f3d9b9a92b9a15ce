import type { ReactNode } from 'react';

export interface Segment<Name extends string> {
  name: Name;
  label: string;
  /** A count beside the label. */
  more?: ReactNode;
}

export interface SegmentedProps<Name extends string> {
  label: string;
  segments: readonly Segment<Name>[];
  chosen: Name;
  choose: (name: Name) => void;
}

/** One of few, all in sight. */
export function Segmented<Name extends string>({ label, segments, chosen, choose }: SegmentedProps<Name>) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {segments.map((segment) => (
        <button
          key={segment.name}
          type="button"
          aria-pressed={segment.name === chosen}
          onClick={() => choose(segment.name)}
        >
          {segment.label}
          {segment.more !== undefined && <span className="count"> {segment.more}</span>}
        </button>
      ))}
    </fieldset>
  );
}
