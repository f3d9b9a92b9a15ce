import { z } from 'zod';
import { signInResultSchema } from './account.ts';
import { both, type Call, type CallTable, dashboard, desktop, tray } from './call.ts';
import { exchangeRowSchema, exchangeSchema } from './exchange.ts';
import { checkSchema } from './health.ts';
import {
  cacheSavingsSchema,
  conversationPromptSchema,
  conversationSchema,
  totalsKeySchema,
  totalsRowSchema,
} from './history.ts';
import { learnedFactSchema, modelsReportSchema } from './models.ts';
import { bodyViewSchema, recordedBodySchema, recordedSchema } from './recording.ts';
import { preferencesChangeSchema, preferencesSchema, secretsStorageSchema } from './settings.ts';
import { knownFileSchema, linesForSchema, setupPlanSchema, shellSchema } from './setup.ts';
import { appStateSchema } from './state.ts';
import { updateStateSchema } from './update.ts';

/**
 * What the window may ask: the one table of calls. The dashboard's routes, the IPC handlers, the preload's channels and
 * both bridges are made from it, and `App` has a method of the same name for each that it answers. Arguments come from
 * a page and are checked; what a result holds beyond its schema does not leave.
 */
export const calls = {
  state: both(z.tuple([]), appStateSchema),
  /** The newest that have ended, and those that run; newest last. `before`: older than the one of that id. */
  exchanges: both(
    z.tuple([
      z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100).exactOptional() }),
    ]),
    z.array(exchangeSchema),
  ),
  /** Ended exchanges older than the one of that id, as a list shows them, newest last. */
  rows: both(
    z.tuple([z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100) })]),
    z.array(exchangeRowSchema),
  ),
  /** Null: neither running nor in the history. */
  exchange: both(z.tuple([z.string().max(100)]), exchangeSchema.nullable()),
  /** What is held of it in memory beside its row. */
  recorded: both(z.tuple([z.string().max(100)]), recordedSchema),
  /** Of the requests whose bodies are held, the oldest first. */
  recordedIds: both(z.tuple([]), z.array(z.string())),
  /** Those in which these words were said, whatever their case. */
  searchBodies: both(z.tuple([z.string().min(1).max(500)]), z.array(z.string())),
  /**
   * What was said, without secrets; the beginning of it where that is much and `whole` was not asked for. Null: it is
   * not there.
   */
  recordedBody: both(
    z.tuple([z.string().max(100), bodyViewSchema, z.strictObject({ whole: z.boolean() })]),
    recordedBodySchema.nullable(),
  ),
  /** Bodies of requests that begin from now on are held in memory, or no longer. Off after every start. */
  record: both(z.tuple([z.boolean()]), z.void()),
  /** Lets go of all recorded bodies. */
  forgetBodies: both(z.tuple([]), z.void()),
  models: both(z.tuple([z.strictObject({ refresh: z.boolean().exactOptional() }).optional()]), modelsReportSchema),
  /**
   * Times oldest first; models and clients with the most requests first. Rejects when the history can’t be read, as the
   * next three do.
   */
  totals: both(z.tuple([totalsKeySchema, z.number().min(0)]), z.array(totalsRowSchema)),
  cacheSavings: both(z.tuple([z.number().min(0)]), cacheSavingsSchema),
  /** The last taken up first. */
  conversations: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        limit: z.number().int().min(1).max(200),
        offset: z.number().int().min(0).max(1_000_000),
      }),
    ]),
    z.array(conversationSchema),
  ),
  /** The prompts of one, the newest first. */
  conversation: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        client: z.string().max(200),
        session: z.string().max(200).nullable(),
      }),
    ]),
    z.array(conversationPromptSchema),
  ),
  /**
   * Runs a name that clients send on the model of this id from now on; null takes the override away. Rejects when the
   * name or the model can’t be used. `linesChanged`: the lines for Claude Code name other models than before.
   */
  setOverride: both(
    z.tuple([z.string().max(200), z.string().max(200).nullable()]),
    z.object({ linesChanged: z.boolean() }),
  ),
  /** Lets a prompt through that a burst of requests holds, by its id; null: all of them. Answers how many. */
  letThrough: both(z.tuple([z.string().max(100).nullable()]), z.number().int()),
  /** What refusals have taught and is remembered now, the oldest first. */
  learned: both(z.tuple([]), z.array(learnedFactSchema)),
  /**
   * Takes one lesson back, by its id; null: all of them, in every process of this folder that runs or will. Answers how
   * many held here.
   */
  forgetLessons: both(z.tuple([z.string().max(20).nullable()]), z.number().int()),
  checks: both(z.tuple([]), z.array(checkSchema)),
  /** Null where there is none of that name. */
  check: both(z.tuple([z.string().max(60)]), checkSchema.nullable()),
  preferences: both(z.tuple([]), preferencesSchema),
  /**
   * Keeps what a person chose, puts it in force and answers what holds then. Rejects with an error that says what was
   * not taken and why; then nothing was changed.
   */
  changePreferences: both(z.tuple([preferencesChangeSchema]), preferencesSchema),
  /** What setting up Claude Code would change, or undoing it; kept for `applySetup` until one is applied. */
  planSetup: both(z.tuple([setupPlanSchema.shape.action]), setupPlanSchema),
  /** Does what the plan of that id says; rejects where the file is no longer what it was made from. */
  applySetup: both(z.tuple([z.string().max(100)]), z.object({ backup: z.string().nullable() })),
  /** A new local key; a proxy that is on takes it at once, and running answers are ended. */
  replaceKey: tray(z.tuple([]), z.void()),
  /** Forgets every request that has ended. Answers how many. */
  deleteHistory: both(z.tuple([]), z.number().int()),
  /**
   * Moves token and key to another store and empties the old one. The choice is kept, but for `memory`; asking for
   * `file` is the consent to it. Rejects where the other store can’t take them; then nothing was moved.
   */
  moveSecrets: both(z.tuple([secretsStorageSchema]), z.void()),
  /** Opens one of our folders with the system's own program. */
  openFolder: desktop(z.tuple([z.enum(['home', 'logs', 'backups'])]), z.void()),
  /** Opens one of these files with the system's own program. */
  openFile: desktop(z.tuple([knownFileSchema]), z.void()),
  /**
   * The lines to paste for a client, with the local key in them, for a page that has to copy them itself. Rejects where
   * they name models and none are known.
   */
  lines: dashboard(z.tuple([shellSchema, linesForSchema]), z.string()),
  /** The same for people to look at: where the key stands are dots. */
  shownLines: both(z.tuple([shellSchema, linesForSchema]), z.string()),
  /**
   * What a person’s switch does: starts or stops the proxy and remembers the wish for the next start. Rejects as
   * `startProxy` does.
   */
  setProxy: tray(z.tuple([z.boolean()]), z.void()),
  /** Starts the proxy on a port that is free and keeps that port in the settings. */
  moveToFreePort: tray(z.tuple([]), z.void()),
  /** Runs one device flow to its end; its code is in the state. */
  signIn: both(z.tuple([]), signInResultSchema),
  /** Ends a sign-in that waits for the person, whoever began it; it results in `cancelled`. */
  cancelSignIn: both(z.tuple([]), z.void()),
  /** Copies the code that is shown and opens GitHub's page for it. */
  copyCode: desktop(z.tuple([]), z.void()),
  signOut: both(z.tuple([]), z.void()),
  /** Asks keychain, GitHub and Copilot again: token, account, quota. */
  refresh: both(z.tuple([]), z.void()),
  /** Copies the lines for a client; the window never sees the key in them. */
  copyLines: desktop(z.tuple([shellSchema, linesForSchema]), z.void()),
  /** False: not an address that may be opened. */
  openOutside: desktop(z.tuple([z.string().max(2048)]), z.boolean()),
  updateState: desktop(z.tuple([]), updateStateSchema),
  checkForUpdates: desktop(z.tuple([]), updateStateSchema),
  restartToUpdate: desktop(z.tuple([]), z.void()),
} satisfies CallTable;

export type CallName = keyof typeof calls;
export type CallArguments<Name extends CallName> = z.output<(typeof calls)[Name]['given']>;
export type CallResult<Name extends CallName> = z.output<(typeof calls)[Name]['result']>;
/** The calls that are answered by `App`, or by the tray front itself. */
export type CallsBy<Who extends Call['by']> = {
  [Name in CallName]: (typeof calls)[Name]['by'] extends Who ? Name : never;
}[CallName];
