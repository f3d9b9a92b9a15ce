import { clientLabelSchema } from '../api/account.ts';

/** The client's name in the log where a setup leads it to us. */
export const setupLabel = 'claude-code';

/** `claude-code`, or a name of the person's own. Anything else would not survive a header and a log. */
export function isClientLabel(label: string): boolean {
  return clientLabelSchema.safeParse(label).success;
}
