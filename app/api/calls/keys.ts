import { z } from 'zod';
import { both, type CallTable, dashboard } from '../call.ts';
import { keyWishSchema, namedKeySchema } from '../keys.ts';

/** Calls about further local keys. */
export const keyCalls = {
  /** In the order in which they were created. */
  namedKeys: both(z.tuple([]), z.array(namedKeySchema)),
  /** The new key, which can’t be read again. Rejects where the name is taken. */
  createKey: dashboard(z.tuple([keyWishSchema]), z.string()),
  /** Revokes a key: it is refused from now on, and its running answers end. Rejects if no key has that name. */
  revokeKey: both(z.tuple([z.string().max(64)]), z.void()),
} satisfies CallTable;
