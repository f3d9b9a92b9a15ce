import { z } from 'zod';

export const problemSchema = z.object({
  code: z.string(),
  /** What happened and why. */
  text: z.string(),
  mend: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;
