import { grouped } from '../../../app/words/numbers.ts';
import type { Entry } from './list-rows.ts';

export interface OlderRowProps {
  entry: Extract<Entry, { kind: 'older' }>;
  elementId: string;
  isActive: boolean;
  showOlder: (group: string) => void;
}

/** More of a group, on request. */
export function OlderRow({ entry, elementId, isActive, showOlder }: OlderRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div role="row" id={elementId} aria-level={2} className={isActive ? 'active' : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="gridcell">
        <button type="button" tabIndex={-1} className="older" onClick={() => showOlder(entry.group)}>
          Show {grouped(entry.count)} earlier
        </button>
      </div>
    </div>
  );
}
