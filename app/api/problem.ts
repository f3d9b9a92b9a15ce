import { z } from 'zod';

/** `terminal`: the mend says what to type. A front that has a button for it shows that in place of the words. */
export const mendForSchema = z.literal('terminal');

export const problemSchema = z.object({
  code: z.string(),
  /** What happened and why. */
  text: z.string(),
  mend: z.string(),
  mendFor: mendForSchema.exactOptional(),
});
export type Problem = z.infer<typeof problemSchema>;
