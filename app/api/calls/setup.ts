import { z } from 'zod';
import { clientLabelSchema } from '../account.ts';
import { both, type CallTable, dashboard, sentenceSchema } from '../call.ts';
import { preferencesChangeSchema, preferencesSchema } from '../settings.ts';
import {
  clientNameSchema,
  clientPlanSchema,
  clientSchema,
  clientUseSchema,
  clientVersionSchema,
  linesForSchema,
  setupChoicesSchema,
  setupPlanSchema,
  shellSchema,
} from '../setup.ts';

/** What is written into Claude Code’s own settings, and taken out. */
export const setupCalls = {
  /**
   * What setting up Claude Code would change, or undoing it; kept for `applySetup` until one is applied. Choices that
   * are named to undo are undone alone.
   */
  planSetup: both(z.tuple([setupPlanSchema.shape.action, setupChoicesSchema.optional()]), setupPlanSchema),
  /** Does what the plan of that id says; rejects where the file is no longer what it was made from. */
  applySetup: both(z.tuple([z.string().max(100)]), z.object({ backup: z.string().nullable() })),
} satisfies CallTable;

/** Calls that set up other programs, and undo it. */
export const clientCalls = {
  clients: both(z.tuple([]), z.array(clientSchema)),
  /**
   * Those whose command is on the PATH, Claude Code among them, with their versions: most are started with `--version`,
   * for 5 s at most.
   */
  clientVersions: both(z.tuple([]), z.array(clientVersionSchema)),
  /**
   * Previews setting up a program, or undoing it; kept for `applyClient` until one is applied. No use: the program's
   * first one is set up, or all of them are undone.
   */
  planClient: both(
    z.tuple([clientNameSchema, clientUseSchema.nullable(), clientPlanSchema.shape.action]),
    clientPlanSchema,
  ),
  /** Does what the plan of that id says; rejects where a file is no longer what it was made from. */
  applyClient: both(z.tuple([z.string().max(100)]), z.object({ backups: z.array(z.string()) })),
} satisfies CallTable;

/** What a person pastes for a client. */
export const lineCalls = {
  /**
   * The lines to paste for a client, with the local key in them, for a page that has to copy them itself. Rejects where
   * they name models and none are known.
   */
  lines: dashboard(z.tuple([shellSchema, linesForSchema]), z.string()),
  /** The same to show: dots in place of the key. */
  shownLines: both(z.tuple([shellSchema, linesForSchema]), z.string()),
  /**
   * For a command in another process: the lines under a label of its own, with the local key in them, and sentences
   * that find no place in them. `isKeyKept`: the key works after the end of this process as well.
   */
  printedLines: dashboard(
    z.tuple([shellSchema, linesForSchema, clientLabelSchema.nullable()]),
    z.object({ text: z.string(), notes: z.array(sentenceSchema), isKeyKept: z.boolean() }),
  ),
} satisfies CallTable;

/** What a person chose in the window. */
export const preferenceCalls = {
  preferences: both(z.tuple([]), preferencesSchema),
  /**
   * Keeps what a person chose, puts it in force and answers what holds then. Rejects with an error that says what was
   * not taken and why; then nothing was changed.
   */
  changePreferences: both(z.tuple([preferencesChangeSchema]), preferencesSchema),
} satisfies CallTable;
