import { z } from 'zod';
import { type CallTable, desktop } from '../call.ts';
import { knownFileSchema, linesForSchema, shellSchema } from '../setup.ts';
import { updateStateSchema } from '../update.ts';

/** What the tray front answers itself, because it is about this machine’s desktop. */
export const desktopCalls = {
  /** Opens one of our folders with the system's own program. */
  openFolder: desktop(z.tuple([z.enum(['home', 'logs', 'backups'])]), z.void()),
  /** Opens one of these files with the system's own program. */
  openFile: desktop(z.tuple([knownFileSchema]), z.void()),
  /** Copies the code that is shown and opens GitHub's page for it. The id of its account; null: the one in use. */
  copyCode: desktop(z.tuple([z.string().max(16).nullable()]), z.void()),
  /** Copies the lines for a client; the window never sees the key in them. */
  copyLines: desktop(z.tuple([shellSchema, linesForSchema]), z.void()),
  /** False: not an address that may be opened. */
  openOutside: desktop(z.tuple([z.string().max(2048)]), z.boolean()),
  updateState: desktop(z.tuple([]), updateStateSchema),
  checkForUpdates: desktop(z.tuple([]), updateStateSchema),
  restartToUpdate: desktop(z.tuple([]), z.void()),
} satisfies CallTable;
