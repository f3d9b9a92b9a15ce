import { z } from 'zod';
import { both, type CallTable, dashboard } from '../call.ts';
import { linesForSchema, shellSchema } from '../setup.ts';

/** What a person pastes for a client. */
export const lineCalls = {
  /**
   * The lines to paste for a client, with the local key in them, for a page that has to copy them itself. Rejects where
   * they name models and none are known.
   */
  lines: dashboard(z.tuple([shellSchema, linesForSchema]), z.string()),
  /** The same for people to look at: where the key stands are dots. */
  shownLines: both(z.tuple([shellSchema, linesForSchema]), z.string()),
} satisfies CallTable;
