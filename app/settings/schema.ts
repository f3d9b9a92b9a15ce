import { z } from 'zod';
import { githubHostSchema } from './github-host.ts';

/** The version that this program writes. A file without a version counts as the first. */
export const settingsVersion = 1;

export const portSchema = z.number().int().min(1024).max(65_535);

/** A value that goes out in a header: visible ASCII. */
const headerValueSchema = z.string().regex(/^[\x21-\x7e]{1,100}$/);

const fields = {
  version: z.number().int().positive().default(settingsVersion),
  /** Null: the default port of the front. */
  port: portSchema.nullable().default(null),
  /** Where people sign in; null: github.com. What the environment says counts more. */
  githubHost: githubHostSchema.nullable().default(null),
  /** `file` only after a person agreed to it. */
  secretsStorage: z.enum(['keychain', 'file']).default('keychain'),
  /** The model name that a client sends → the id of the model that it runs on. */
  modelOverrides: z.record(z.string(), z.string().min(1)).default({}),
  /** A hint that tells other processes that somebody signed in or out. The token is in the secrets alone. */
  account: z.object({ login: z.string().nullable(), signedInAt: z.number() }).nullable().default(null),
  /** How long requests stay in the history, in days. Null: for ever. */
  historyDays: z.number().int().positive().nullable().default(90),
  /** Recorded bodies: how much of them is held in memory, and for how long. Null: until the program ends. Whether they are recorded is kept nowhere. */
  bodies: z
    .object({
      megabytes: z.number().int().min(1).max(64).default(64),
      minutes: z.number().int().min(1).max(10_080).nullable().default(null),
    })
    .default({ megabytes: 64, minutes: null }),
  /** The proxy as a person left it. */
  proxyOnAtStart: z.boolean().default(true),
  /** On Linux, where nobody tells whether the panel is dark. `light`: a light drawing for a dark panel. */
  trayIcon: z.enum(['automatic', 'light', 'dark']).default('automatic'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** In which the window shows times. */
  timeZone: z.enum(['local', 'utc']).default('local'),
  /** What closing the window does where there is a tray. */
  closing: z.enum(['keep-running', 'quit']).default('keep-running'),
  /** How the lines for Claude Code are copied. Null: for the person's own shell. */
  shell: z.enum(['bash', 'zsh', 'fish', 'powershell', 'cmd', 'json']).nullable().default(null),
  /** Kinds of system notifications. `trouble`: sign-in needed, proxy stopped, no connection. */
  notifications: z
    .object({
      quota: z.boolean().default(true),
      trouble: z.boolean().default(true),
      updates: z.boolean().default(true),
    })
    .default({ quota: true, trouble: true, updates: true }),
  /** Shares of the quota, in percent used, that are told and coloured. */
  quotaThresholds: z
    .object({ warning: z.number().int().min(1).max(99), alarm: z.number().int().min(1).max(99) })
    .refine(({ warning, alarm }) => warning < alarm, 'the second threshold has to be above the first')
    .default({ warning: 80, alarm: 95 }),
  /** When the first run was gone through or skipped. */
  welcomedAt: z.number().nullable().default(null),
  /** Overrides of what we tell Copilot about ourselves. */
  identity: z
    .object({ editorVersion: headerValueSchema.optional(), pluginVersion: headerValueSchema.optional() })
    .default({}),
  /** Marks every request as started by a person. The other way round does not exist. */
  alwaysUser: z.boolean().default(false),
  /** For clients of OpenAI's APIs. */
  openai: z
    .object({
      /** Requests of one client label that run at once. */
      atOnce: z.number().int().min(1).max(100).default(8),
      /** What a request without `stream` means; false as OpenAI has it. */
      streamByDefault: z.boolean().default(false),
      /** Of a Chat Completions conversation the last system message and this many turns go to Copilot. Null: all of it. */
      historyTurns: z.number().int().min(1).max(10_000).nullable().default(null),
    })
    .default({ atOnce: 8, streamByDefault: false, historyTurns: null }),
  /** What a person allows at most, for what a program of theirs might do. Null: no limit of ours. */
  limits: z
    .object({
      requestsPerMinute: z.number().int().positive().nullable().default(null),
      /** Of a local day. */
      creditsPerDay: z.number().positive().nullable().default(null),
      /** Of a local day, for accounts that are billed in premium requests. */
      premiumRequestsPerDay: z.number().positive().nullable().default(null),
      /** Hold a person's new prompts, until they are let through, when more than `burstPerMinute` requests started within a minute. */
      askBeforeBurst: z.boolean().default(false),
      burstPerMinute: z.number().int().positive().default(60),
    })
    .default({
      requestsPerMinute: null,
      creditsPerDay: null,
      premiumRequestsPerDay: null,
      askBeforeBurst: false,
      burstPerMinute: 60,
    }),
  /** What refusals taught before this moment is forgotten; null: nothing is. */
  learnedSince: z.number().nullable().default(null),
  /** When the person was told about the risk to the account; null: not yet. */
  notice: z.object({ riskShownAt: z.number().nullable() }).default({ riskShownAt: null }),
  /**
   * What is said once. `quota`: up to which share used, in percent, in the cycle that ends at `resetsAt`. `world`: how the account was billed when it was
   * looked at last. `goneModels`: in use, and no longer in the catalog.
   */
  told: z
    .object({
      keepsRunning: z.boolean().default(false),
      noTray: z.boolean().default(false),
      withoutWindow: z.boolean().default(false),
      quota: z.object({ resetsAt: z.string().nullable(), used: z.number() }).nullable().default(null),
      world: z
        .object({ login: z.string(), world: z.enum(['credits', 'premium']) })
        .nullable()
        .default(null),
      goneModels: z.array(z.string()).default([]),
    })
    .default({
      keepsRunning: false,
      noTray: false,
      withoutWindow: false,
      quota: null,
      world: null,
      goneModels: [],
    }),
};

/** Unknown keys are kept, so that a newer version finds its own again. */
export const settingsSchema = z.looseObject(fields);

/** What a person chose. Nothing secret is in here, and nothing that turns a user request into an agent request. */
export type Settings = z.infer<z.ZodObject<typeof fields>>;
