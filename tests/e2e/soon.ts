import { expect } from 'vitest';

/** What will be so before long, also on a machine that does much else. */
export function soon<Seen>(look: () => Seen | Promise<Seen>, what = '') {
  return expect.poll(look, { timeout: 20_000, message: what });
}
