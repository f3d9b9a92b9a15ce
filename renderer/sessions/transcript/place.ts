import type { VirtualItem } from '@tanstack/react-virtual';
import type { Seen } from './items.ts';
import { OpenSteps } from './open-steps.ts';

/** Where a person reads: an item, and how far its top stands below the top of the view; null: at the end. */
export interface Anchor {
  key: string;
  offset: number;
}

/** What is kept of a conversation that was looked at, so that it opens where it was left. */
export interface KeptPlace {
  openSteps: OpenSteps;
  anchor: Anchor | null;
  /** How far it was read when its end was last in sight; null: nothing of it was shown yet. */
  seen: Seen | null;
  heights: VirtualItem[];
}

const mostKept = 30;
const kept = new Map<string, KeptPlace>();

export function placeOf(sessionId: string): KeptPlace {
  const place = kept.get(sessionId) ?? { openSteps: new OpenSteps(), anchor: null, seen: null, heights: [] };
  kept.delete(sessionId);
  kept.set(sessionId, place);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return place;
}
