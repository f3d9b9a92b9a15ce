import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { preferencesChangeSchema, preferencesSchema } from '../settings.ts';

/** What a person chose in the window. */
export const preferenceCalls = {
  preferences: both(z.tuple([]), preferencesSchema),
  /**
   * Keeps what a person chose, puts it in force and answers what holds then. Rejects with an error that says what was
   * not taken and why; then nothing was changed.
   */
  changePreferences: both(z.tuple([preferencesChangeSchema]), preferencesSchema),
} satisfies CallTable;
