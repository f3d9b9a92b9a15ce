import { z } from 'zod';
import { signInResultSchema } from './account.ts';
import type { AppEvent } from './app.ts';
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
import type { Problem } from './problem.ts';
import { bodyViewSchema, recordedBodySchema, recordedSchema } from './recording.ts';
import { preferencesChangeSchema, preferencesSchema, secretsStorageSchema } from './settings.ts';
import { knownFileSchema, linesForSchema, setUpPlanSchema, shellSchema } from './setup.ts';
import { appStateSchema } from './state.ts';
import { type UpdateState, updateStateSchema } from './update.ts';

/** What the window is told without asking. */
export type WindowEvent = AppEvent | { event: 'update'; update: UpdateState };

/**
 * What the window may ask, each with its arguments and its answer. The ways to carry a call are made from this table: a front that
 * leaves one out does not compile. Arguments come from a page and are checked; what a result holds beyond its schema does not leave.
 */
export const calls = {
  state: { arguments: z.tuple([]), result: appStateSchema },
  /** The newest, newest last. */
  exchanges: {
    arguments: z.tuple([
      z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100).exactOptional() }),
    ]),
    result: z.array(exchangeSchema),
  },
  rows: {
    arguments: z.tuple([z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100) })]),
    result: z.array(exchangeRowSchema),
  },
  exchange: { arguments: z.tuple([z.string().max(100)]), result: exchangeSchema.nullable() },
  recorded: { arguments: z.tuple([z.string().max(100)]), result: recordedSchema },
  recordedIds: { arguments: z.tuple([]), result: z.array(z.string()) },
  searchBodies: { arguments: z.tuple([z.string().min(1).max(500)]), result: z.array(z.string()) },
  recordedBody: {
    arguments: z.tuple([z.string().max(100), bodyViewSchema, z.strictObject({ whole: z.boolean() })]),
    result: recordedBodySchema.nullable(),
  },
  record: { arguments: z.tuple([z.boolean()]), result: z.void() },
  forgetBodies: { arguments: z.tuple([]), result: z.void() },
  models: {
    arguments: z.tuple([z.strictObject({ refresh: z.boolean().exactOptional() })]),
    result: modelsReportSchema,
  },
  totals: {
    arguments: z.tuple([totalsKeySchema, z.number().min(0)]),
    result: z.array(totalsRowSchema),
  },
  cacheSavings: { arguments: z.tuple([z.number().min(0)]), result: cacheSavingsSchema },
  conversations: {
    arguments: z.tuple([
      z.strictObject({
        since: z.number().min(0),
        limit: z.number().int().min(1).max(200),
        offset: z.number().int().min(0).max(1_000_000),
      }),
    ]),
    result: z.array(conversationSchema),
  },
  conversation: {
    arguments: z.tuple([
      z.strictObject({
        since: z.number().min(0),
        client: z.string().max(200),
        session: z.string().max(200).nullable(),
      }),
    ]),
    result: z.array(conversationPromptSchema),
  },
  /** A name, and the id of the model that it runs on; null: as without an override. */
  setOverride: {
    arguments: z.tuple([z.string().max(200), z.string().max(200).nullable()]),
    result: z.object({ linesChanged: z.boolean() }),
  },
  /** One held prompt by its id; null: all. */
  letThrough: { arguments: z.tuple([z.string().max(100).nullable()]), result: z.number().int() },
  learned: { arguments: z.tuple([]), result: z.array(learnedFactSchema) },
  /** One of them by its id; null: all. */
  forgetLessons: { arguments: z.tuple([z.string().max(20).nullable()]), result: z.number().int() },
  checks: { arguments: z.tuple([]), result: z.array(checkSchema) },
  check: { arguments: z.tuple([z.string().max(60)]), result: checkSchema.nullable() },
  preferences: { arguments: z.tuple([]), result: preferencesSchema },
  changePreferences: { arguments: z.tuple([preferencesChangeSchema]), result: preferencesSchema },
  planSetUp: { arguments: z.tuple([setUpPlanSchema.shape.action]), result: setUpPlanSchema },
  applySetUp: { arguments: z.tuple([z.string().max(100)]), result: z.object({ backup: z.string().nullable() }) },
  replaceKey: { arguments: z.tuple([]), result: z.void() },
  deleteHistory: { arguments: z.tuple([]), result: z.number().int() },
  moveSecrets: { arguments: z.tuple([secretsStorageSchema]), result: z.void() },
  /** Opens one of our folders with the system's own program. */
  openFolder: { arguments: z.tuple([z.enum(['home', 'logs', 'backups'])]), result: z.void() },
  /** Opens one of these files with the system's own program. */
  openFile: { arguments: z.tuple([knownFileSchema]), result: z.void() },
  /** The lines for a client with their key, for a page that has to copy them itself. Never asked for by the tray app's window. */
  lines: { arguments: z.tuple([shellSchema, linesForSchema]), result: z.string() },
  /** The same for people to look at: where the key stands are dots. */
  shownLines: { arguments: z.tuple([shellSchema, linesForSchema]), result: z.string() },
  setProxy: { arguments: z.tuple([z.boolean()]), result: z.void() },
  useFreePort: { arguments: z.tuple([]), result: z.void() },
  /** Answers at the end of the flow; its code is in the state. */
  signIn: { arguments: z.tuple([]), result: signInResultSchema },
  cancelSignIn: { arguments: z.tuple([]), result: z.void() },
  /** Copies the code that is shown and opens GitHub's page for it. */
  copyCode: { arguments: z.tuple([]), result: z.void() },
  signOut: { arguments: z.tuple([]), result: z.void() },
  refresh: { arguments: z.tuple([]), result: z.void() },
  /** Copies the lines for a client; the window never sees the key in them. */
  copyLines: { arguments: z.tuple([shellSchema, linesForSchema]), result: z.void() },
  /** False: not an address that may be opened. */
  openOutside: { arguments: z.tuple([z.string().max(2048)]), result: z.boolean() },
  updateState: { arguments: z.tuple([]), result: updateStateSchema },
  checkForUpdates: { arguments: z.tuple([]), result: updateStateSchema },
  restartToUpdate: { arguments: z.tuple([]), result: z.void() },
} as const satisfies Record<string, { arguments: z.ZodType<unknown[]>; result: z.ZodType }>;

export type CallName = keyof typeof calls;
export type CallArguments<Name extends CallName> = z.output<(typeof calls)[Name]['arguments']>;
export type CallResult<Name extends CallName> = z.output<(typeof calls)[Name]['result']>;

/** How an answer crosses: a failure is a value with its mend, never a stack. */
export type CallAnswer<Name extends CallName> = { ok: true; value: CallResult<Name> } | { ok: false; problem: Problem };
