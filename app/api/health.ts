import { z } from 'zod';
import { mendForSchema } from './problem.ts';

export const checkSchema = z.object({
  /** `account.signed-in` */
  id: z.string(),
  group: z.enum(['account', 'copilot', 'server', 'claude-code', 'machine']),
  title: z.string(),
  verdict: z.enum(['passed', 'warning', 'failed', 'skipped']),
  finding: z.string(),
  mend: z.string().nullable(),
  mendFor: mendForSchema.exactOptional(),
  /** For code, which never reads the sentences: what was found. `line`: in a line of a shell's file. */
  found: z.enum(['lessons', 'not-set-up', 'line', 'webfetch-asks-in-vain']).exactOptional(),
});
export type Check = z.infer<typeof checkSchema>;
