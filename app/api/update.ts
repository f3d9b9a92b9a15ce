import { z } from 'zod';

/** New versions of the tray app itself. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** Nothing is asked of any host, and why. */
  z.object({ kind: z.literal('off'), reason: z.string() }),
  z.object({ kind: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('loading'), version: z.string(), percent: z.number() }),
  /** It is there and checked; a restart brings it. */
  z.object({ kind: z.literal('ready'), version: z.string() }),
  z.object({ kind: z.literal('failed'), text: z.string(), mend: z.string() }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;
