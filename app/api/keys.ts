import { z } from 'zod';
import { clientLabelSchema } from './account.ts';

/* Further local keys, each with a name: for a program, a machine or a time. The first local key has none. */

/** With what every one of them begins. */
export const namedKeyPrefix = 'jsk_';

/** Client labels that may come with it; none: any. */
const labels = z.array(clientLabelSchema).max(20);

/** What a person chooses. */
export const keyWishSchema = z.strictObject({
  /** Like a client label; so are these. */
  name: z.string().max(200),
  clients: z.array(z.string().max(200)).max(20),
  /** Days from now after which it is refused; null: never. */
  days: z.number().int().min(1).max(3650).nullable(),
});
export type KeyWish = z.infer<typeof keyWishSchema>;

/** As settings.json has it: enough to know it by, and not the key. */
export const storedKeySchema = z.object({
  name: clientLabelSchema,
  /** SHA-256 of the key, in base64url. */
  hash: z.string().length(43),
  clients: labels.default([]),
  createdAt: z.number(),
  expiresAt: z.number().nullable().default(null),
});
export type StoredKey = z.infer<typeof storedKeySchema>;

/** As fronts show it. */
export const namedKeySchema = storedKeySchema.omit({ hash: true }).extend({
  /** When the last request with it began; null: no request of the history came with it. */
  lastUsedAt: z.number().nullable(),
});
export type NamedKey = z.infer<typeof namedKeySchema>;
