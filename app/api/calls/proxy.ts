import { z } from 'zod';
import { type CallTable, tray } from '../call.ts';

/** The switch of the local server. */
export const proxyCalls = {
  /**
   * What a person’s switch does: starts or stops the proxy and remembers the choice for the next start. Rejects as
   * `startProxy` does.
   */
  setProxy: tray(z.tuple([z.boolean()]), z.void()),
  /** Starts the proxy on a port that is free and keeps that port in the settings. */
  moveToFreePort: tray(z.tuple([]), z.void()),
} satisfies CallTable;
