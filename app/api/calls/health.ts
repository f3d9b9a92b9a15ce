import { z } from 'zod';
import { both, type CallTable, dashboard, tray } from '../call.ts';
import { learnedFactSchema, modelAnswerSchema, modelsReportSchema } from '../models.ts';
import { imaginedRequestSchema, ruleTrialSchema } from '../rules.ts';
import { appStateSchema, checkSchema, statusLineSchema } from '../state.ts';

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

/** The state of the app, and whether a request would work now. */
export const healthCalls = {
  state: both(z.tuple([]), appStateSchema),
  checks: both(z.tuple([]), z.array(checkSchema)),
  /** Null if no check has that name. */
  check: both(z.tuple([z.string().max(60)]), checkSchema.nullable()),
  /** Asks keychain, GitHub and Copilot again: token, account, quota. */
  refresh: both(z.tuple([]), z.void()),
  /**
   * For somebody who looks: asks Copilot once, where the connection is lost and `retryAt` is past; where another
   * Jumpseat had the folder, looks whether it still has.
   */
  lookAgain: both(z.tuple([]), z.void()),
  /** For a command in another process: words about a conversation, by its client’s id; asks nobody. */
  statusLine: dashboard(z.tuple([z.string().max(200).nullable()]), statusLineSchema),
  /** Who could reach an address of this machine, in words. Rejects where the proxy can't listen on it. */
  whoReaches: both(z.tuple([z.string().max(45)]), z.string()),
  /** Takes back that Jumpseat quits once its work is done (`quitWaits` of the state). */
  dontQuit: both(z.tuple([]), z.void()),
} satisfies CallTable;

/** The models of the account, the names that lead to them, and what refusals taught about them. */
export const modelCalls = {
  models: both(z.tuple([z.strictObject({ refresh: z.boolean().exactOptional() }).optional()]), modelsReportSchema),
  /** Model that a name resolves to, or why it resolves to none. */
  explainModel: both(z.tuple([z.string().min(1).max(256)]), modelAnswerSchema),
  /** Tries the person’s rules on an imagined request. Nothing is sent. */
  tryRules: both(z.tuple([imaginedRequestSchema]), ruleTrialSchema),
  /**
   * Runs a name that clients send on the model of this id from now on; null takes the override away. Rejects when the
   * name or the model can’t be used. `linesChanged`: lines for Claude Code were copied, and name other models
   * now.
   */
  setOverride: both(
    z.tuple([z.string().max(200), z.string().max(200).nullable()]),
    z.object({ linesChanged: z.boolean() }),
  ),
  /** What refusals have taught and is remembered now, the oldest first. */
  learned: both(z.tuple([]), z.array(learnedFactSchema)),
  /**
   * Takes one lesson back, by its id; null: all of them, in every process of this folder that runs or will. Answers how
   * many held here.
   */
  forgetLessons: both(z.tuple([z.string().max(20).nullable()]), z.number().int()),
} satisfies CallTable;
