import { vi } from 'vitest';

/** Waits until a check passes: for what another process, a socket or a file brings about, however busy the machine is. */
export function soon<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 20_000 });
}
