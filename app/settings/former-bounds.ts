import { sessionsAtOnceBounds } from '../api/setting-bounds.ts';
import { isObject } from '../formats/wire/json.ts';

/** A number of the file that is more than is allowed now. */
export interface Lowered {
  /** `sessions.atOnce` */
  key: string;
  is: number;
  most: number;
}

/** Numbers that could be higher once. What was never allowed is no number of theirs, and has the default. */
const former = [{ group: 'sessions', name: 'atOnce', most: sessionsAtOnceBounds.most, before: 32 }] as const;

/** The file with each such number at the most that is allowed now: else its whole group would have the defaults. */
export function lowerFormerNumbers(file: Record<string, unknown>): {
  file: Record<string, unknown>;
  lowered: readonly Lowered[];
} {
  const lowered: Lowered[] = [];
  let current = file;
  for (const { group, name, most, before } of former) {
    const values = current[group];
    const is = isObject(values) ? values[name] : undefined;
    if (!isObject(values) || typeof is !== 'number' || !Number.isInteger(is) || is <= most || is > before) continue;
    lowered.push({ key: `${group}.${name}`, is, most });
    current = { ...current, [group]: { ...values, [name]: most } };
  }
  return { file: current, lowered };
}
