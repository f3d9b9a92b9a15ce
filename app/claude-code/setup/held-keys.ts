import type { SetupPlace } from './plan.ts';
import { planUndo } from './plan-undo.ts';
import { readSetup } from './read-setup.ts';

/** How many keys the setup wrote, and the names of those that still hold what it wrote. */
export async function heldKeys(place: SetupPlace): Promise<{ ours: number; names: ReadonlySet<string> }> {
  const { ours } = await readSetup(place);
  if (ours === 0) return { ours, names: new Set() };
  const plan = await planUndo(place);
  const still = plan.changes.filter(({ kind }) => kind === 'remove' || kind === 'restore').map(({ name }) => name);
  return { ours, names: new Set(still) };
}
