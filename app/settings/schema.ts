import { z } from 'zod';
import { accountNameSchema, clientLabelSchema, credentialKindSchema, waySchema } from '../api/account.ts';
import { reachSchema } from '../api/reach.ts';
import {
  bodyLimitsSchema,
  chosenPortSchema,
  closingSchema,
  githubClientIdSchema,
  historyDaysSchema,
  limitsSchema,
  notificationChoicesSchema,
  openaiSettingsSchema,
  quotaThresholdsSchema,
  type SearchSettings,
  type SessionSettings,
  searchSettingsSchema,
  secretsStorageSchema,
  sessionSettingsSchema,
  themeSchema,
  timeZoneSchema,
  trayIconSchema,
} from '../api/settings.ts';
import { shellSchema } from '../api/setup.ts';
import { furtherSlots } from '../ports.ts';
import { githubHostSchema } from './github-host.ts';

/** The version that this program writes. A file without a version counts as the first. */
export const settingsVersion = 1;

/** A value that goes out in a header: visible ASCII. */
const headerValueSchema = z.string().regex(/^[\x21-\x7e]{1,100}$/);

/** The keys of a group as the file may hold them: one that it leaves out has its default. */
function withDefaults<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  defaults: Readonly<Record<keyof Shape, unknown>>,
) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z._default(schema, defaults[name])]);
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodDefault<Shape[Name]> };
}

const bodies = { megabytes: 64, minutes: null };
const notifications = {
  quota: true,
  trouble: true,
  updates: true,
  sessionWaits: true,
  sessionDone: true,
  sessionFailed: true,
};
const openai = { atOnce: 8, streamByDefault: false, historyTurns: null };
const sessions: SessionSettings = {
  search: true,
  atOnce: 4,
  unloadAfterMinutes: 15,
  creditsPerTurn: null,
  webFetchPreflight: false,
  enterWhileRunning: 'queue',
  mode: 'default',
  model: 'opus',
  effort: 'high',
  keepVersionsDays: 30,
  madeElsewhere: true,
  openFilesWith: 'system',
  titlesOutside: false,
};
const search: SearchSettings = { engines: ['copilot', 'github'], model: null, searxngUrl: null };
const limits = {
  requestsPerMinute: null,
  creditsPerDay: null,
  premiumRequestsPerDay: null,
  askBeforeBurst: false,
  burstPerMinute: 60,
};

/** One of several accounts side by side. Its tokens are in the secrets, under the number of its slot. */
const ownAccountSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{1,16}$/),
  slot: z.union([z.literal(1), ...furtherSlots.map((slot) => z.literal(slot))]),
  /** Null: its login. */
  name: accountNameSchema.nullable().default(null),
  /** Of clients whose requests go out with it, whichever account is in use. */
  labels: z.array(clientLabelSchema).default([]),
  /** As `account` and the way in are for the first one, which has none here. */
  signIn: z
    .object({
      login: z.string().nullable(),
      signedInAt: z.number().nullable(),
      credential: credentialKindSchema.nullable(),
    })
    .nullable()
    .default(null),
});

const fields = {
  version: z.number().int().positive().default(settingsVersion),
  /** Null: the default port of the front. */
  port: chosenPortSchema.nullable().default(null),
  /** Where people sign in; null: github.com. What the environment says counts more. */
  githubHost: githubHostSchema.nullable().default(null),
  /** How Copilot is reached. Changed by a person alone; where it can't be known, nothing is sent. */
  reach: reachSchema.default('directly'),
  /** As whom requests go to Copilot. Changed by a sign-in or by hand, never by itself. */
  admission: waySchema.default('vscode'),
  /** Of the last sign-in on the way `copilot-sdk`; null: there is none. */
  sdkCredential: credentialKindSchema.exclude(['vscode']).nullable().default(null),
  /** The person's own OAuth app, for a sign-in on the way `copilot-sdk`; null: they have none. */
  githubClientId: githubClientIdSchema.nullable().default(null),
  /** `file` only after a person agreed to it. */
  secretsStorage: secretsStorageSchema.exclude(['memory']).default('keychain'),
  /** The model name that a client sends → the id of the model that it runs on. */
  modelOverrides: z.record(z.string(), z.string().min(1)).default({}),
  /** A hint that tells other processes of a sign-in or sign-out. The token is in the secrets alone. */
  account: z.object({ login: z.string().nullable(), signedInAt: z.number() }).nullable().default(null),
  /** The person's own accounts; empty: one. */
  accounts: z
    .array(ownAccountSchema)
    .max(furtherSlots.length + 1)
    .default([]),
  /** The id of the one in use; null: the first. */
  accountInUse: z.string().nullable().default(null),
  /**
   * The damaged file that said as whom requests go out, where the second copy couldn't: nothing is sent until a person
   * signs in or chooses an account. Null: it is known.
   */
  lostAccounts: z.string().nullable().default(null),
  /** How long requests stay in the history, in days. Null: for ever. */
  historyDays: historyDaysSchema.default(90),
  /**
   * Recorded bodies: how much of them is held in memory, and for how long. Null: until the program ends. Whether they
   * are recorded is kept nowhere.
   */
  bodies: z.object(withDefaults(bodyLimitsSchema, bodies)).default(bodies),
  /** The proxy as a person left it. */
  proxyOnAtStart: z.boolean().default(true),
  trayIcon: trayIconSchema.default('automatic'),
  theme: themeSchema.default('system'),
  /** In which the window shows times. */
  timeZone: timeZoneSchema.default('local'),
  closing: closingSchema.default('keep-running'),
  /** Whether lines for Claude Code were ever copied from a window or the tray. */
  linesCopied: z.boolean().default(false),
  /** How the lines for Claude Code are copied. Null: for the person's own shell. */
  shell: shellSchema.nullable().default(null),
  notifications: z.object(withDefaults(notificationChoicesSchema, notifications)).default(notifications),
  quotaThresholds: quotaThresholdsSchema.default({ warning: 80, alarm: 95 }),
  /** When the first run was gone through or skipped. */
  welcomedAt: z.number().nullable().default(null),
  /** Overrides of what we tell Copilot about ourselves. */
  identity: z
    .object({ editorVersion: headerValueSchema.optional(), pluginVersion: headerValueSchema.optional() })
    .default({}),
  /** Marks every request as started by a person. The other way round does not exist. */
  alwaysUser: z.boolean().default(false),
  /** For clients of OpenAI's APIs. */
  openai: z.object(withDefaults(openaiSettingsSchema, openai)).default(openai),
  limits: z.object(withDefaults(limitsSchema, limits)).default(limits),
  /** Keys of engines lie with the token. */
  search: z.object(withDefaults(searchSettingsSchema, search)).default(search),
  sessions: z.object(withDefaults(sessionSettingsSchema, sessions)).default(sessions),
  /** Where Claude Code of sessions comes from: `own`, `fetched` or a file's whole path. Null: not chosen. */
  claudeProgram: z.string().min(1).max(4_096).nullable().default(null),
  /** What refusals taught before this moment is forgotten; null: nothing is. */
  learnedSince: z.number().nullable().default(null),
  /** When the person was told about the risk to the account; null: not yet. */
  notice: z.object({ riskShownAt: z.number().nullable() }).default({ riskShownAt: null }),
  /**
   * What is said once. `quota`: up to which share used, in percent, in the cycle that ends at `resetsAt`. `world`: how
   * the account was billed when it was looked at last. `goneModels`: in use, and no longer in the catalog.
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
export type AccountRecord = Settings['accounts'][number];
