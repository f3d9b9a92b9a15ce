import { z } from 'zod';
import {
  accountStateSchema,
  admissionStateSchema,
  ownAccountSchema,
  quotaSchema,
  reachStateSchema,
  usageWindowSchema,
} from './account.ts';
import { problemSchema, remedyForSchema, sentenceSchema } from './call.ts';
import { goneModelSchema } from './models.ts';
import { recordingStateSchema } from './recording.ts';
import { countedScopeSchema } from './rules.ts';
import { secretsStorageSchema } from './settings.ts';
import { clientNameSchema, clientUseSchema } from './setup.ts';

/** `already-running`: another Jumpseat of the folder serves; `not-answering`: it has the folder, and says nothing. */
const startErrorCodeSchema = z.enum([
  ...['port-taken', 'port-refused', 'already-running', 'not-answering', 'home-unusable', 'disk-full'],
  ...['stopped', 'policy'],
] as const);
type StartErrorCode = z.infer<typeof startErrorCodeSchema>;

/** Where the proxy answers besides 127.0.0.1: the person’s socket, and the one address that they named. */
const placeSchema = z.object({
  kind: z.enum(['socket', 'address']),
  /** The path, or `http://172.17.0.1:4180`. */
  at: z.string(),
  /** Who can reach it, in words. */
  who: z.string(),
  /** Why it isn't open. Null: it is. */
  problem: problemSchema.nullable(),
});
export type Place = z.infer<typeof placeSchema>;

const proxyStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting'), port: z.number().int() }),
  z.object({
    kind: z.literal('on'),
    port: z.number().int(),
    baseUrl: z.string(),
    /** Absent: it answers on 127.0.0.1 alone. */
    places: z.array(placeSchema).exactOptional(),
  }),
  /** Takes no new requests; running answers may still end. */
  z.object({ kind: z.literal('stopping'), port: z.number().int() }),
  z.object({
    kind: z.literal('failed'),
    port: z.number().int(),
    code: startErrorCodeSchema,
    reason: sentenceSchema,
    remedy: sentenceSchema,
  }),
]);
export type ProxyState = z.infer<typeof proxyStateSchema>;

/** The proxy could not start. `message` says what and why, `remedy` what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  readonly remedy: string;
  constructor(code: StartErrorCode, message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

export const checkSchema = z.object({
  /** `account.signed-in` */
  id: z.string(),
  group: z.enum(['account', 'copilot', 'server', 'claude-code', 'machine']),
  title: sentenceSchema,
  verdict: z.enum(['passed', 'warning', 'failed', 'skipped']),
  finding: sentenceSchema,
  remedy: sentenceSchema.nullable(),
  remedyFor: remedyForSchema.exactOptional(),
  /**
   * What was found, for code. `line`: in a line of a shell's file. `shell`: in a shell's variables. `outdated`: Claude
   * Code is connected by values that have changed since.
   */
  found: z
    .enum(['lessons', 'not-set-up', 'shell', 'line', 'outdated', 'webfetch-asks-in-vain', 'usual-days', 'our-days'])
    .exactOptional(),
  /** How long the answer took that the check asked for, in ms. */
  tookMs: z.number().exactOptional(),
  /** The program that has to be set up again, for code. */
  client: z.object({ name: clientNameSchema, title: z.string(), uses: z.array(clientUseSchema) }).exactOptional(),
});
export type Check = z.infer<typeof checkSchema>;

/** The parts of Claude Code's status line that only the running Jumpseat knows, in words; null: not known. */
export const statusLineSchema = z.object({
  /** Why a request would not work now. */
  problem: z.string().nullable(),
  /** Cost of the conversation: `12.40 credits`. */
  credits: z.string().nullable(),
  /** `31.07 today` */
  today: z.string().nullable(),
  /** `2,002 credits left` */
  left: z.string().nullable(),
  /** `5-hour limit 62% used, resets in 2 h 14 min` */
  limits: z.string().nullable(),
});
export type StatusLine = z.infer<typeof statusLineSchema>;

/** A limit that the person has set, in the settings below `limits`. */
const ownLimitSchema = z.object({
  setting: z.enum([
    ...['creditsPerDay', 'premiumRequestsPerDay', 'creditsPerMonth', 'premiumRequestsPerMonth', 'requestsPerMinute'],
  ] as const),
  /**
   * The part of the requests that it is for (`limits.rules`), or the rule whose requests it counts (`models.rules`);
   * null: all of them.
   */
  scope: countedScopeSchema.nullable(),
  /** Since midnight, since the month began, or within the last minute. */
  used: z.number(),
  most: z.number(),
  /** Requests are refused at it. False: it is only said. */
  stops: z.boolean(),
  /** The cycle of GitHub's that it counts, else the calendar's month; null if it counts less than a month. */
  month: z.object({ from: z.number(), until: z.number() }).nullable(),
  /** The highest of the chosen shares (percent) that is used and was said in its period; 0: none. */
  said: z.number(),
});
export type OwnLimit = z.infer<typeof ownLimitSchema>;

/** New versions of the tray app itself. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** Nothing is asked of any host, and why. */
  z.object({ kind: z.literal('off'), reason: sentenceSchema }),
  z.object({ kind: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('loading'), version: z.string(), percent: z.number() }),
  /** Downloaded and checked; a restart installs it. */
  z.object({ kind: z.literal('ready'), version: z.string() }),
  z.object({ kind: z.literal('failed'), text: sentenceSchema, remedy: sentenceSchema }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

/** A limit of this account that Copilot refused a request for. It is over at `until`. */
const limitSchema = z.object({ kind: z.enum(['session', 'weekly', 'account']), until: z.number() });
export type Limit = z.infer<typeof limitSchema>;

/** The last two tries or more found no network or no answer. */
const offlineSchema = z.object({
  host: z.string().nullable(),
  /** Why the last try failed: a code of Node's or ours, `ERR_PAC`; null if unknown. */
  code: z.string().nullable(),
  since: z.number(),
  /** Time from which it is tried again, once, as soon as somebody looks or waits for it. */
  retryAt: z.number(),
});
export type Offline = z.infer<typeof offlineSchema>;

/** The last requests failed one after the other, or Copilot said to wait. The next one is sent all the same. */
const failingSchema = z.object({
  /** Failures in a row, up to the last one. */
  count: z.number().int(),
  /** `504 from Copilot` */
  why: sentenceSchema,
  /** Copilot limits requests until then; null if it named no time. */
  until: z.number().nullable(),
});
export type Failing = z.infer<typeof failingSchema>;

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
  /**
   * `problem`: nothing can be kept there now, `secrets-locked` or `secrets-unavailable`. `needsFile`: there is no
   * keychain, so that a sign-in in a terminal has to agree to a file.
   */
  secrets: z.object({ storage: secretsStorageSchema, problem: problemSchema.nullable(), needsFile: z.boolean() }),
  quota: quotaSchema.nullable(),
  ownLimits: z.array(ownLimitSchema),
  usageWindows: z.object({ session: usageWindowSchema.nullable(), weekly: usageWindowSchema.nullable() }),
  health: z.object({
    /** Whether an exchange would work now, else the first thing in the way. */
    ready: z.boolean(),
    problem: problemSchema.nullable(),
    lastSuccessAt: z.number().nullable(),
    lastFailure: z.object({ at: z.number(), text: sentenceSchema }).nullable(),
    running: z.number().int(),
    /**
     * Of these, prompts that wait until the person lets them through (`letThrough`): because `overage` asks, or more
     * requests than `above` started within a minute.
     */
    held: z.object({ prompts: z.number().int(), above: z.number().int() }),
    /** The plan has no model to choose, and GitHub is not asked to choose one (Auto) on this way in. */
    autoOnly: z.boolean(),
    /** Copilot answered 402 and has accepted nothing since. */
    creditsRefused: z.boolean(),
    /**
     * What is included is used up, and GitHub would bill more: what the person answered for today (`decideOverage`), or
     * that the next prompt asks. Null where it isn’t so, or they don’t want to be asked.
     */
    overage: z.enum(['asks', 'allowed', 'refused']).nullable(),
    limit: limitSchema.nullable(),
    offline: offlineSchema.nullable(),
    /** Null after a request that worked, and after the time that was named. */
    failing: failingSchema.nullable(),
    /** Why requests of Claude Code are refused here, though others would work: its settings have another key. */
    claudeCode: problemSchema.nullable(),
  }),
  sessions: z.object({
    /** How many wait for a person's answer. */
    waiting: z.number().int(),
    /** What the status would be if none did: what else it says to a person goes by this one. */
    otherwise: statusSchema,
  }),
  /** Why a quit waits: `quits when 1 session is done`; null if no quit waits. */
  quitWaits: z.string().nullable(),
  goneModels: z.array(goneModelSchema),
  recording: recordingStateSchema,
  /** What should be known of our own files: settings that can't be used, a history that was damaged. */
  warnings: z.array(problemSchema),
});
export type AppState = z.infer<typeof appStateSchema>;
