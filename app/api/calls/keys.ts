import { z } from 'zod';
import { both, type CallTable, dashboard } from '../call.ts';
import { keyWishSchema, namedKeySchema } from '../keys.ts';

/** Calls about further local keys. */
export const keyCalls = {
  /** In the order in which they were created. */
  namedKeys: both(z.tuple([]), z.array(namedKeySchema)),
  /** The new key, which can’t be read again. Rejects where the name is taken. */
  createKey: dashboard(z.tuple([keyWishSchema]), z.string()),
  /** Refuses it from now on and ends the answers that run with it. Rejects where there is none of that name. */
  revokeKey: both(z.tuple([z.string().max(64)]), z.void()),
} satisfies CallTable;
