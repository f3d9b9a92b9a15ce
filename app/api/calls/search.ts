import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { engineNameSchema, searchOutcomeSchema } from '../search.ts';

/** Searching the web. */
export const searchCalls = {
  /**
   * Searches as it is done for clients, with this engine alone or in the order of the settings. It is the person’s own
   * request, and may cost.
   */
  search: both(
    z.tuple([
      z.string().min(1).max(4000),
      z.strictObject({ engine: engineNameSchema.nullable().exactOptional() }).optional(),
    ]),
    searchOutcomeSchema,
  ),
} satisfies CallTable;
