import { z } from 'zod';
import { clientLabelSchema } from './account.ts';

/* Further local keys, each with a name: for a program, a machine or a time. The first local key has none. */

/** Each further key begins with it. */
export const namedKeyPrefix = 'jsk_';

/** Labels of the clients that may use the key. An empty list: every client may. */
const labels = z.array(clientLabelSchema).max(20);

/** A key to be created. */
export const keyWishSchema = z.strictObject({
  /** Has the form of a client label, as `clients` do. */
  name: z.string().max(200),
  clients: z.array(z.string().max(200)).max(20),
  /** The key is refused after so many days; null: never. */
  days: z.number().int().min(1).max(3650).nullable(),
});
export type KeyWish = z.infer<typeof keyWishSchema>;

/** A key in settings.json: its hash, never the key itself. */
export const storedKeySchema = z.object({
  name: clientLabelSchema,
  /** SHA-256 of the key, in base64url. */
  hash: z.string().length(43),
  clients: labels.default([]),
  createdAt: z.number(),
  expiresAt: z.number().nullable().default(null),
});
export type StoredKey = z.infer<typeof storedKeySchema>;

/** A key as windows and commands show it. */
export const namedKeySchema = storedKeySchema.omit({ hash: true }).extend({
  /** When the last request with it began; null: no request of the history came with it. */
  lastUsedAt: z.number().nullable(),
});
export type NamedKey = z.infer<typeof namedKeySchema>;
