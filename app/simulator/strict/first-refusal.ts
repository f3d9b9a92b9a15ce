import type { JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import type { Refusal } from '../refusal.ts';

/** What Copilot looks at before a model does, whichever the API. */
export interface Check {
  body: JsonObject;
  model: SimulatedModel;
}

/** One look at a request: what is wrong, or null. */
export type Look<Checked extends Check = Check> = (check: Checked) => Refusal | null;

/** The refusal of the first look that finds something wrong; null: none does. */
export function firstRefusal<Checked extends Check>(looks: readonly Look<Checked>[], check: Checked): Refusal | null {
  for (const look of looks) {
    const refusal = look(check);
    if (refusal !== null) return refusal;
  }
  return null;
}
