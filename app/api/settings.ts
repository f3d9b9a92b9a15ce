import { z } from 'zod';
import { reachSchema } from './reach.ts';
import { engineNameSchema } from './search.ts';
import { shellSchema } from './setup.ts';

/**
 * What may be set, with its bounds: said here alone. The schema of settings.json adds the defaults
 * (app/settings/schema.ts); the window reads the bounds of its fields from here (setting-bounds.ts).
 */

const mostAtAll = 1_000_000;
/** Ten years. */
const mostDays = 3_650;
const minutesOfWeek = 10_080;

/** `memory`: until the program ends. */
export const secretsStorageSchema = z.enum(['keychain', 'file', 'memory']);
export type SecretsStorage = z.infer<typeof secretsStorageSchema>;

export const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof themeSchema>;

/** In which times are shown. */
export const timeZoneSchema = z.enum(['local', 'utc']);
export type TimeZone = z.infer<typeof timeZoneSchema>;

/** What closing the window does where there is a tray. */
export const closingSchema = z.enum(['keep-running', 'quit']);

/** On Linux, where the system doesn't say whether the panel is dark. `light`: a light drawing for a dark panel. */
export const trayIconSchema = z.enum(['automatic', 'light', 'dark']);

/** The days that requests may stay in the history; null: for ever. */
export const historyDaysSchema = z.number().int().min(1).max(mostDays).nullable();

/** Shares of the quota, in percent used, from which it is said to be low and nearly gone. */
export const quotaThresholdsSchema = z
  .object({ warning: z.number().int().min(1).max(99), alarm: z.number().int().min(1).max(99) })
  .refine(({ warning, alarm }) => warning < alarm, 'the second threshold has to be above the first');
export type QuotaThresholds = z.infer<typeof quotaThresholdsSchema>;

/** What a person allows at most, for what a program of theirs might do. Null: no limit of ours. */
export const limitsSchema = z.object({
  requestsPerMinute: z.number().int().min(1).max(mostAtAll).nullable(),
  /** Of a local day, as the next one. */
  creditsPerDay: z.number().positive().max(mostAtAll).nullable(),
  premiumRequestsPerDay: z.number().positive().max(mostAtAll).nullable(),
  /**
   * New prompts are held, until they are let through, when more than `burstPerMinute` requests started within a minute.
   */
  askBeforeBurst: z.boolean(),
  burstPerMinute: z.number().int().min(1).max(mostAtAll),
});
export type Limits = z.infer<typeof limitsSchema>;

/** What the system may tell while the window is out of sight. */
export const notificationChoicesSchema = z.object({
  quota: z.boolean(),
  /** Sign-in needed, proxy stopped, no connection. */
  trouble: z.boolean(),
  updates: z.boolean(),
  sessionWaits: z.boolean(),
  sessionDone: z.boolean(),
  sessionFailed: z.boolean(),
});
export type NotificationChoices = z.infer<typeof notificationChoicesSchema>;

/** A port that a person may choose. */
export const chosenPortSchema = z.number().int().min(1024).max(65_535);

/** How much of recorded bodies is held in memory, and how long; null: until the program ends. */
export const bodyLimitsSchema = z.object({
  megabytes: z.number().int().min(1).max(64),
  minutes: z.number().int().min(1).max(minutesOfWeek).nullable(),
});
export type BodyLimits = z.infer<typeof bodyLimitsSchema>;

/** For clients of OpenAI's APIs. */
export const openaiSettingsSchema = z.object({
  /** Requests of one client that run at once; more wait. */
  atOnce: z.number().int().min(1).max(100),
  /** What a request without `stream` means. */
  streamByDefault: z.boolean(),
  /** How much of a Chat Completions conversation goes to Copilot; null: all of it. */
  historyTurns: z.number().int().min(1).max(10_000).nullable(),
});
export type OpenaiSettings = z.infer<typeof openaiSettingsSchema>;

/** Who searches the web for clients. */
export const searchSettingsSchema = z.object({
  /** In the order in which they are tried. Empty, or `off` in front: none. */
  engines: z.array(engineNameSchema).max(10),
  /** The id of the model that searches at Copilot; null: the cheapest that can. */
  model: z.string().min(1).max(100).nullable(),
  /** Of a SearXNG of one's own: https, or http on this machine. */
  searxngUrl: z.string().max(300).nullable(),
});
export type SearchSettings = z.infer<typeof searchSettingsSchema>;

/** `system`: what the system opens such files with. */
export const fileOpenerSchema = z.enum(['system', 'code', 'codium', 'cursor', 'windsurf', 'zed', 'sublime']);
export type FileOpener = z.infer<typeof fileOpenerSchema>;

/** Sessions that Jumpseat leads. */
export const sessionSettingsSchema = z.object({
  /** What was said in sessions can be searched; the index of it lies in transcripts.db. */
  search: z.boolean(),
  /** So many turns run at once; more wait in line. */
  atOnce: z.number().int().min(1).max(16),
  /** One without work is unloaded after so many minutes; null: never. */
  unloadAfterMinutes: z.number().int().min(1).max(minutesOfWeek).nullable(),
  /** A turn that costs more is stopped, in credits; null: no limit. */
  creditsPerTurn: z.number().positive().max(mostAtAll).nullable(),
  /** Claude Code may ask Anthropic about the domain of a page before it reads it. */
  webFetchPreflight: z.boolean(),
  /** What Enter does with a message while a turn runs; Ctrl+Enter does the other. */
  enterWhileRunning: z.enum(['queue', 'steer']),
  /** Of new sessions of Claude Code. The mode in which nothing is asked can't be the default. */
  mode: z.enum(['default', 'acceptEdits', 'plan', 'auto']),
  /** One of Claude Code's names or a model's id; null: Claude Code's own choice, as where the account lacks it. */
  model: z.string().min(1).max(200).nullable(),
  /** As far as the model has it; null: the model decides. */
  effort: z.string().min(1).max(50).nullable(),
  /** How long both versions of a file that an agent edited are kept, in days; null: for ever. */
  keepVersionsDays: z.number().int().min(1).max(mostDays).nullable(),
  /** The list has those that Claude Code keeps and Jumpseat never led. */
  madeElsewhere: z.boolean(),
  /** What opens a file of a session; one of them is run where it is found in its usual place. */
  openFilesWith: fileOpenerSchema,
  /** Tray and notifications name sessions by their titles; else by their folders alone. */
  titlesOutside: z.boolean(),
});
export type SessionSettings = z.infer<typeof sessionSettingsSchema>;

/** Of an OAuth app or GitHub App: `Ov23li…`, `Iv1.…`. */
export const githubClientIdSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);

const changeable = {
  theme: themeSchema,
  timeZone: timeZoneSchema,
  closing: closingSchema,
  trayIcon: trayIconSchema,
  proxyOnAtStart: z.boolean(),
  port: chosenPortSchema,
  historyDays: historyDaysSchema,
  bodies: bodyLimitsSchema,
  /** How the lines for Claude Code are copied. Null: for the person's own shell. */
  shell: shellSchema.nullable(),
  notifications: notificationChoicesSchema,
  quotaThresholds: quotaThresholdsSchema,
  limits: limitsSchema,
  openai: openaiSettingsSchema,
  search: searchSettingsSchema,
  sessions: sessionSettingsSchema,
  reach: reachSchema,
  /** Of the person's own OAuth app. */
  githubClientId: githubClientIdSchema.nullable(),
  /**
   * As it was typed; which hosts there are is checked where it is kept (app/settings/github-host.ts). Another one signs
   * out: what one host gave is never shown to another.
   */
  githubHost: z.string().max(200),
};

/** What a person may set in the window, as it is now. */
export const preferencesSchema = z.object({
  ...changeable,
  port: z.number().int(),
  /** Another one than the settings' is in force: set from outside by JUMPSEAT_PORT or --port. */
  portFixed: z.boolean(),
  /** Perhaps with a port, where it was given from outside. */
  githubHost: z.string(),
  /** The variable that decides it; null: the settings do. */
  githubFixedBy: z.string().nullable(),
  ownShell: shellSchema,
  /** When the first run was gone through or skipped. */
  welcomedAt: z.number().nullable(),
  /** Secrets can be moved to another store; else it was chosen from outside. */
  storageIsFree: z.boolean(),
  /** What only the tray app has; null in a terminal's dashboard. */
  desktop: z
    .object({
      /** Null: the surroundings decide that themselves. */
      openAtLogin: z.boolean().nullable(),
      platform: z.string(),
      /** `Electron 45.4.1` */
      runtime: z.string(),
    })
    .nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

type Partly<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> };

/** The same keys, each of which may be left out. */
function partly<Shape extends z.ZodRawShape>(shape: Shape): Partly<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.exactOptional(schema)]);
  return Object.fromEntries(entries) as Partly<Shape>;
}

/** Any part of it, within the groups too: what is left out stays, so that two changes at once don't undo each other. */
export const preferencesChangeSchema = z.strictObject({
  ...partly(changeable),
  bodies: z.strictObject(partly(bodyLimitsSchema.shape)).exactOptional(),
  notifications: z.strictObject(partly(notificationChoicesSchema.shape)).exactOptional(),
  limits: z.strictObject(partly(limitsSchema.shape)).exactOptional(),
  openai: z.strictObject(partly(openaiSettingsSchema.shape)).exactOptional(),
  search: z.strictObject(partly(searchSettingsSchema.shape)).exactOptional(),
  sessions: z.strictObject(partly(sessionSettingsSchema.shape)).exactOptional(),
  /** The first run is over. */
  welcomed: z.literal(true).exactOptional(),
  /** The tray app alone. */
  openAtLogin: z.boolean().exactOptional(),
});
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>;
