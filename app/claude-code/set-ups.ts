import { randomBytes } from 'node:crypto';
import type { SetUpPlan } from '../api/setup.ts';
import { draftSetup } from './draft-setup.ts';
import { SetupError } from './settings-file.ts';
import { applySetup, applyUndo, planUndo, type SetupPlace, type SetupPlan } from './setup.ts';

/** Windows may ask at the same time. */
const mostPlans = 8;

export interface SetUpsParts {
  place(): SetupPlace;
  env: Readonly<Record<string, string | undefined>>;
  variables(): Promise<Record<string, string>>;
  /** Whether a key that is written into a file works tomorrow. */
  keyIsKept(): boolean;
}

/** The last plans that were shown, for the one who agrees to one of them. */
export class SetUps {
  readonly #parts: SetUpsParts;
  readonly #plans = new Map<string, SetupPlan>();

  constructor(parts: SetUpsParts) {
    this.#parts = parts;
  }

  async plan(action: SetUpPlan['action']): Promise<SetUpPlan> {
    const { place, env, variables, keyIsKept } = this.#parts;
    const { plan, notes } =
      action === 'undo'
        ? { plan: await planUndo(place()), notes: [] }
        : await draftSetup({ variables: await variables(), place: place(), env, keyIsKept: keyIsKept() });
    const id = randomBytes(12).toString('base64url');
    this.#plans.set(id, plan);
    for (const oldest of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(oldest);
    const { shown, changes, changesFile, keepsBackup, removesFile, lost } = plan;
    return { id, action, shown, changes, changesFile, keepsBackup, removesFile, lost, notes };
  }

  async apply(id: string): Promise<{ backup: string | null }> {
    const plan = this.#plans.get(id);
    if (plan === undefined) {
      throw new SetupError(
        'changed',
        'Other changes were shown meanwhile. Nothing was written.',
        'Look at them again.',
      );
    }
    // After this one none of the others is true any more.
    this.#plans.clear();
    if (plan.action === 'setup') return applySetup(this.#parts.place(), plan);
    await applyUndo(this.#parts.place(), plan);
    return { backup: null };
  }
}
