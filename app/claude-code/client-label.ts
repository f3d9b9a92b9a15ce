import { clientLabelSchema } from '../api/account.ts';

/** `claude-code`, or a name of the person's own. Anything else would not survive a header and a log. */
export function isClientLabel(label: string): boolean {
  return clientLabelSchema.safeParse(label).success;
}
