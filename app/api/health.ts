import { z } from 'zod';

export const checkSchema = z.object({
  /** `account.signed-in` */
  id: z.string(),
  group: z.enum(['account', 'copilot', 'server', 'claude-code', 'machine']),
  title: z.string(),
  verdict: z.enum(['passed', 'warning', 'failed', 'skipped']),
  finding: z.string(),
  mend: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;
