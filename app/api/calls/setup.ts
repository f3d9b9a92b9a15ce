import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { setupChoicesSchema, setupPlanSchema } from '../setup.ts';

/** What is written into Claude Code’s own settings, and taken out. */
export const setupCalls = {
  /** What setting up Claude Code would change, or undoing it; kept for `applySetup` until one is applied. */
  planSetup: both(z.tuple([setupPlanSchema.shape.action, setupChoicesSchema.optional()]), setupPlanSchema),
  /** Does what the plan of that id says; rejects where the file is no longer what it was made from. */
  applySetup: both(z.tuple([z.string().max(100)]), z.object({ backup: z.string().nullable() })),
} satisfies CallTable;
