import { z } from 'zod';
import {
  accountStateSchema,
  admissionStateSchema,
  ownAccountSchema,
  quotaSchema,
  usageWindowSchema,
} from './account.ts';
import { goneModelSchema } from './models.ts';
import { problemSchema } from './problem.ts';
import { proxyStateSchema } from './proxy.ts';
import { reachStateSchema } from './reach.ts';
import { recordingStateSchema } from './recording.ts';
import { secretsStorageSchema } from './settings.ts';

/** A limit of this account that Copilot refused a request for. It is over at `until`. */
export const limitSchema = z.object({ kind: z.enum(['session', 'weekly', 'account']), until: z.number() });
export type Limit = z.infer<typeof limitSchema>;

/** The last two tries or more found no network or no answer. */
export const offlineSchema = z.object({
  host: z.string().nullable(),
  since: z.number(),
  /** It is tried again from then on, once, as soon as somebody looks or waits for it. */
  retryAt: z.number(),
});
export type Offline = z.infer<typeof offlineSchema>;

/** What tray, banner and `/readyz` say first. In this order: the first that holds is the state. */
export const statusSchema = z.enum([
  'fatal',
  'port',
  'signing-in',
  'account-unknown',
  'signed-out',
  'no-access',
  'starting',
  'stopping',
  'off',
  'no-window',
  'auto-only',
  'exhausted',
  'limited',
  'offline',
  'waiting',
  'low',
  'no-keychain',
  'busy',
  'on',
]);
export type Status = z.infer<typeof statusSchema>;

export const appStateSchema = z.object({
  version: z.string(),
  /** GitHub and Copilot are simulated on this machine: nothing leaves it. */
  isDemo: z.boolean(),
  status: statusSchema,
  /** The one in use. */
  account: accountStateSchema,
  admission: admissionStateSchema,
  /** Where requests go through VS Code, nothing of the account above lets them in. */
  reach: reachStateSchema,
  /** All accounts side by side, the first one first. */
  accounts: z.array(ownAccountSchema),
  proxy: proxyStateSchema,
  /** `problem`: nothing can be kept there now, `secrets-locked` or `secrets-unavailable`. */
  secrets: z.object({ storage: secretsStorageSchema, problem: problemSchema.nullable() }),
  quota: quotaSchema.nullable(),
  usageWindows: z.object({ session: usageWindowSchema.nullable(), weekly: usageWindowSchema.nullable() }),
  health: z.object({
    /** Whether an exchange would work now, else the first thing in the way. */
    ready: z.boolean(),
    problem: problemSchema.nullable(),
    lastSuccessAt: z.number().nullable(),
    lastFailure: z.object({ at: z.number(), text: z.string() }).nullable(),
    running: z.number().int(),
    /**
     * Of these, prompts that wait until the person lets them through (`letThrough`), because more requests than `above`
     * started within a minute.
     */
    held: z.object({ prompts: z.number().int(), above: z.number().int() }),
    /** The plan has no model to choose, and GitHub is not asked to choose one (Auto) on this way in. */
    autoOnly: z.boolean(),
    /** Copilot answered 402 and has accepted nothing since. */
    creditsRefused: z.boolean(),
    limit: limitSchema.nullable(),
    offline: offlineSchema.nullable(),
  }),
  sessions: z.object({
    /** How many wait for a person's answer. */
    waiting: z.number().int(),
    /** What the status would be if none did: what else it says to a person goes by this one. */
    otherwise: statusSchema,
  }),
  goneModels: z.array(goneModelSchema),
  recording: recordingStateSchema,
  /** What should be known of our own files: settings that can't be used, a history that was damaged. */
  warnings: z.array(problemSchema),
});
export type AppState = z.infer<typeof appStateSchema>;
