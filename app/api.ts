import { z } from 'zod';

/**
 * The one contract between the app and every front: state, events, calls. Fronts hold no truth of their own.
 * Times are ms since the epoch, durations ms, amounts of money nano-AIU (1 credit = 1e9 nano-AIU = $0.01).
 */

export const initiatorSchema = z.enum(['user', 'agent']);
export type Initiator = z.infer<typeof initiatorSchema>;

/** Why an exchange was marked as it was. The codes are those of the decision table in README.md, "Who started it". */
export const reasonCodeSchema = z.enum([
  'prompt',
  'interjection',
  'repeat',
  'subagent',
  'compaction',
  'side-question',
  'auxiliary',
  'scheduled',
  'notification',
  'resume',
  'hook',
  'continuation',
  'tool-results',
  'token-count',
  'unclear',
]);
export type ReasonCode = z.infer<typeof reasonCodeSchema>;

export const clientApiSchema = z.enum(['messages', 'count-tokens', 'chat', 'responses', 'embeddings']);
export type ClientApi = z.infer<typeof clientApiSchema>;

/** The upstream endpoint that was chosen. */
export const pathSchema = z.enum([
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/chat/completions',
  '/responses',
  '/embeddings',
]);
export type Path = z.infer<typeof pathSchema>;

/** One change that was made so that Copilot accepts the request, or one thing a person should know about it. */
export const fitNoteSchema = z.object({
  /** Stable name, kebab-case: `max-tokens-clamped`. */
  code: z.string(),
  count: z.number().int().positive(),
  /** Short, for the log: `max_tokens 128000 → 64000`. Holds no content of the request. */
  text: z.string(),
});
export type FitNote = z.infer<typeof fitNoteSchema>;

export const failureSchema = z.object({
  source: z.enum(['jumpseat', 'copilot', 'github', 'network', 'client']),
  /** Status of the answer that failed; null when there was none. */
  status: z.number().int().nullable(),
  code: z.string(),
  /** What the other side said. */
  message: z.string(),
  /** What the client was told, where that differs. */
  told: z.string().nullable(),
});
export type Failure = z.infer<typeof failureSchema>;

export const tokenDetailSchema = z.object({
  type: z.string(),
  count: z.number(),
  /** nano-AIU for `batchSize` tokens. */
  costPerBatch: z.number(),
  batchSize: z.number(),
});
export type TokenDetail = z.infer<typeof tokenDetailSchema>;

export const chargeSchema = z.object({
  /**
   * `billed` and `free` only where it is known; `unknown` when Copilot accepted but reported nothing; `none` when it was refused,
   * never sent or is not billed by kind; `pending` while it runs.
   */
  kind: z.enum(['billed', 'free', 'unknown', 'none', 'pending']),
  /** As Copilot reported it; null when it did not. */
  nanoAiu: z.number().nullable(),
  /** Premium requests on plans that still count them; our estimate from the catalog's multiplier. */
  premiumRequests: z.number().nullable(),
  /** The stream ended early: the amount is what was seen until then. */
  partial: z.boolean(),
  details: z.array(tokenDetailSchema),
});
export type Charge = z.infer<typeof chargeSchema>;

export const attemptSchema = z.object({
  /** ms after the exchange began. */
  at: z.number(),
  /** ms until there was a token, before `at`; 0: it was at hand. Absent: not measured. */
  token: z.number().exactOptional(),
  /** ms from `at` until there was a connection; 0: one was open. Absent: not measured, or there was none. */
  connect: z.number().exactOptional(),
  status: z.number().int().nullable(),
  /** Why there was another attempt after this one, or null for the last. */
  retriedBecause: z.string().nullable(),
  upstreamRequestId: z.string().nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What is known of contents without any word of them. Names are those of tools and of kinds. */
export const shapeSchema = z.object({
  /** As the client sent it; null where it was not read. */
  request: z
    .object({
      bytes: z.number().int(),
      /** How many messages by role, in the order in which the roles come. */
      messages: z.record(z.string(), z.number().int()),
      tools: z.number().int(),
      images: z.number().int(),
      /** `adaptive, effort high`; null: none was asked for. */
      thinking: z.string().nullable(),
    })
    .nullable(),
  /** As Copilot sent it; null where none came. */
  answer: z
    .object({
      bytes: z.number().int(),
      /** Null: it was no stream of events. */
      events: z.number().int().nullable(),
      /** In their order; the first 200. */
      blocks: z.array(z.object({ type: z.string(), name: z.string().nullable() })),
      /** ms between two pieces, after the first one. */
      longestGap: z.number().nullable(),
      /** Signs of life that we wrote into a silence. */
      pings: z.number().int(),
    })
    .nullable(),
  /** Tools that ran before this request, as the client tells; ms. */
  toolsBefore: z.array(z.object({ name: z.string(), took: z.number() })),
});
export type Shape = z.infer<typeof shapeSchema>;

/** One request with its answer. */
export const exchangeSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  api: clientApiSchema,
  /** The label of the local key: `claude-code`. */
  client: z.string(),
  session: z.string().nullable(),
  prompt: z.string().nullable(),
  /** Claude Code's request class, as it sent it. */
  requestClass: z.string().nullable(),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  askedModel: z.string().nullable(),
  servedModel: z.string().nullable(),
  /** Null: never sent to Copilot. */
  path: pathSchema.nullable(),
  streamed: z.boolean(),
  initiator: initiatorSchema.nullable(),
  reason: z.object({ code: reasonCodeSchema, rule: z.string(), sentence: z.string() }).nullable(),
  fits: z.array(fitNoteSchema),
  /** What the client got; null while it runs or when it left before. */
  status: z.number().int().nullable(),
  /** Waits for the person to let it through, because too many requests started within a minute. */
  held: z.boolean(),
  /** `cut`: Copilot's answer ended early. `cancelled`: the client left. */
  outcome: z.enum(['running', 'done', 'failed', 'cut', 'cancelled']),
  stopReason: z.string().nullable(),
  failure: failureSchema.nullable(),
  attempts: z.array(attemptSchema),
  /** ms after `startedAt`; null where it did not come to that. */
  times: z.object({
    /** The client's request was there. Absent: not measured. */
    read: z.number().exactOptional(),
    /** It waited here for its turn. Absent: it did not. */
    held: z.object({ from: z.number(), until: z.number() }).exactOptional(),
    /** Our own work before the request was sent. Null: nothing went to Copilot. */
    sent: z.number().nullable(),
    headers: z.number().nullable(),
    firstEvent: z.number().nullable(),
    lastEvent: z.number().nullable(),
  }),
  tokens: z.object({
    /** Without cached ones. */
    input: z.number().nullable(),
    output: z.number().nullable(),
    cacheRead: z.number().nullable(),
    cacheWrite: z.number().nullable(),
  }),
  charge: chargeSchema,
  upstreamRequestIds: z.array(z.string()),
  /** Absent: it runs, or is from before this was looked at. */
  shape: shapeSchema.exactOptional(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

/**
 * One exchange as a list shows it: flat and small, so that a window can hold a hundred thousand of them. Whatever else there is to know is
 * asked for by its id.
 */
export const exchangeRowSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  api: clientApiSchema,
  client: z.string(),
  session: z.string().nullable(),
  prompt: z.string().nullable(),
  requestClass: z.string().nullable(),
  agentType: z.string().nullable(),
  asked: z.string().nullable(),
  model: z.string().nullable(),
  path: pathSchema.nullable(),
  initiator: initiatorSchema.nullable(),
  reason: z.object({ code: reasonCodeSchema, rule: z.string() }).nullable(),
  status: z.number().int().nullable(),
  held: z.boolean(),
  outcome: exchangeSchema.shape.outcome,
  /** The status of the first of several attempts. */
  firstStatus: z.number().int().nullable(),
  attempts: z.number().int(),
  /** What the other side said when it failed. */
  failure: z.string().nullable(),
  /** Codes of the fits, joined by spaces. */
  changes: z.string(),
  changeCount: z.number().int(),
  /** Fresh and cache-write tokens together. */
  input: z.number().nullable(),
  cached: z.number().nullable(),
  output: z.number().nullable(),
  /** ms after the start. */
  firstToken: z.number().nullable(),
  took: z.number().nullable(),
  charge: chargeSchema.shape.kind,
  nanoAiu: z.number().nullable(),
  premium: z.number().nullable(),
  /** Bytes of the body as the client sent it; null where it was not looked at. */
  size: z.number().int().nullable(),
  /** What was in the body, of `tools images thinking`, joined by spaces. Null where it was not looked at. */
  contents: z.string().nullable(),
});
export type ExchangeRow = z.infer<typeof exchangeRowSchema>;

/** GitHub's own words for refusing a Copilot token. */
export const noticeSchema = z.object({
  id: z.string(),
  title: z.string(),
  message: z.string(),
  url: z.string().nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const deviceCodeSchema = z.object({
  userCode: z.string(),
  verificationUri: z.string(),
  expiresAt: z.number(),
});
export type DeviceCode = z.infer<typeof deviceCodeSchema>;

export const quotaSchema = z.object({
  /** `credits`: billed by use. `premium`: older plans that count premium requests. `unknown`: GitHub has not said. */
  world: z.enum(['credits', 'premium', 'unknown']),
  entitlement: z.number().nullable(),
  remaining: z.number().nullable(),
  percentRemaining: z.number().nullable(),
  unlimited: z.boolean(),
  overagePermitted: z.boolean().nullable(),
  overageUsed: z.number().nullable(),
  /** The only sure sign of being blocked besides a 402. */
  exhausted: z.boolean(),
  resetsAt: z.string().nullable(),
  asOf: z.number(),
});
export type Quota = z.infer<typeof quotaSchema>;

/** One of GitHub's usage windows, from its answer headers. */
export const usageWindowSchema = z.object({
  percentRemaining: z.number(),
  resetsAt: z.string().nullable(),
  asOf: z.number(),
});
export type UsageWindow = z.infer<typeof usageWindowSchema>;

export const accountStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-out') }),
  z.object({ kind: z.literal('signing-in'), code: deviceCodeSchema }),
  z.object({
    kind: z.literal('signed-in'),
    login: z.string().nullable(),
    plan: z.string().nullable(),
    sku: z.string().nullable(),
    /** Copilot's API host as the token answer named it. */
    apiHost: z.string().nullable(),
    /** When the Copilot token was made, and until when it is used. Null: none yet. */
    token: z.object({ mintedAt: z.number(), usableUntil: z.number() }).nullable(),
    /** GitHub gives no Copilot token: its own words. */
    notice: noticeSchema.nullable(),
  }),
]);
export type AccountState = z.infer<typeof accountStateSchema>;

export const startErrorCodeSchema = z.enum([
  'port-taken',
  'port-refused',
  'already-running',
  'home-unusable',
  'stopped',
]);
export type StartErrorCode = z.infer<typeof startErrorCodeSchema>;

export const proxyStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting'), port: z.number().int() }),
  z.object({ kind: z.literal('on'), port: z.number().int(), baseUrl: z.string() }),
  /** Takes no new requests; running answers may still end. */
  z.object({ kind: z.literal('stopping'), port: z.number().int() }),
  z.object({
    kind: z.literal('failed'),
    port: z.number().int(),
    code: startErrorCodeSchema,
    reason: z.string(),
    mend: z.string(),
  }),
]);
export type ProxyState = z.infer<typeof proxyStateSchema>;

export const problemSchema = z.object({
  code: z.string(),
  /** What happened and why. */
  text: z.string(),
  mend: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;

/** A limit of this account that Copilot refused a request for. It is over at `until`. */
export const limitSchema = z.object({ kind: z.enum(['session', 'weekly', 'account']), until: z.number() });
export type Limit = z.infer<typeof limitSchema>;

/** The last two tries or more found no network or no answer. */
export const offlineSchema = z.object({
  host: z.string().nullable(),
  since: z.number(),
  /** When it is tried again by itself; null while a try is under way. */
  retryAt: z.number().nullable(),
});
export type Offline = z.infer<typeof offlineSchema>;

/** What tray, banner and `/readyz` say first. In this order: the first that holds is the state. */
export const statusSchema = z.enum([
  'fatal',
  'port',
  'signing-in',
  'signed-out',
  'no-access',
  'starting',
  'stopping',
  'off',
  'exhausted',
  'limited',
  'offline',
  'low',
  'no-keychain',
  'busy',
  'on',
]);
export type Status = z.infer<typeof statusSchema>;

/** `memory`: until the program ends. */
export const secretsStorageSchema = z.enum(['keychain', 'file', 'memory']);
export type SecretsStorage = z.infer<typeof secretsStorageSchema>;

/** Whether bodies are recorded, and how much of them is held in memory. */
export const recordingStateSchema = z.object({
  on: z.boolean(),
  exchanges: z.number().int(),
  bytes: z.number().int(),
});
export type RecordingState = z.infer<typeof recordingStateSchema>;

/** Null in place of a value: it is secret, and was never kept. */
export const recordedHeaderSchema = z.object({ name: z.string(), value: z.string().nullable() });
export type RecordedHeader = z.infer<typeof recordedHeaderSchema>;

export const recordedHeadersSchema = z.object({
  client: z.array(recordedHeaderSchema),
  /** Null: nothing was sent. */
  sent: z.array(recordedHeaderSchema).nullable(),
  answered: z.array(recordedHeaderSchema).nullable(),
});
export type RecordedHeaders = z.infer<typeof recordedHeadersSchema>;

/** A way to look at what was said. `told`: what we answered ourselves. */
export const bodyViewSchema = z.enum(['received', 'sent', 'difference', 'assembled', 'events', 'told']);
export type BodyView = z.infer<typeof bodyViewSchema>;

/** What is held of one exchange in memory. Nothing of it is in the history, an event or a log. */
export const recordedSchema = z.object({
  /** Null: they are of an earlier run, or too many came after them. */
  headers: recordedHeadersSchema.nullable(),
  /** `none`: bodies were not recorded then. The others are bodies that were recorded and let go of. */
  bodies: z.enum(['there', 'none', 'room', 'age', 'deleted']),
  /** What can be looked at. */
  views: z.array(bodyViewSchema),
});
export type Recorded = z.infer<typeof recordedSchema>;

/** `bytes`: of the whole text. `cut`: only its beginning is here. */
export const recordedBodySchema = z.object({ text: z.string(), bytes: z.number().int(), cut: z.boolean() });
export type RecordedBody = z.infer<typeof recordedBodySchema>;

/** A model that requests ran on in the last 30 days, or that an override names, and that is no longer in the catalog. */
export const goneModelSchema = z.object({
  model: z.string(),
  /** What clients ask for to get it. */
  asked: z.string(),
  /** What that name runs on now; null: nothing, it is answered with 404. */
  runsOn: z.string().nullable(),
});
export type GoneModel = z.infer<typeof goneModelSchema>;

export const appStateSchema = z.object({
  version: z.string(),
  status: statusSchema,
  account: accountStateSchema,
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
    /** Of these, prompts that wait until the person lets them through (`letThrough`), because more requests than `above` started within a minute. */
    held: z.object({ prompts: z.number().int(), above: z.number().int() }),
    /** Copilot answered 402 and has accepted nothing since. */
    creditsRefused: z.boolean(),
    limit: limitSchema.nullable(),
    offline: offlineSchema.nullable(),
  }),
  goneModels: z.array(goneModelSchema),
  recording: recordingStateSchema,
  /** What should be known of our own files: settings that can't be used, a history that was damaged. */
  warnings: z.array(problemSchema),
});
export type AppState = z.infer<typeof appStateSchema>;

export const modelRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.string(),
  family: z.string(),
  type: z.string(),
  /** Enabled by policy, in the picker, takes tools. */
  offered: z.boolean(),
  policy: z.enum(['enabled', 'disabled', 'unneeded']),
  preview: z.boolean(),
  endpoints: z.array(z.string()),
  path: pathSchema.nullable(),
  limits: z.object({
    prompt: z.number().nullable(),
    output: z.number().nullable(),
    context: z.number().nullable(),
    images: z.number().nullable(),
  }),
  efforts: z.array(z.string()),
  /** Credits per million tokens, or the multiplier of older plans. */
  price: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('credits'),
      input: z.number().nullable(),
      cacheRead: z.number().nullable(),
      cacheWrite: z.number().nullable(),
      output: z.number().nullable(),
    }),
    z.object({ kind: z.literal('multiplier'), multiplier: z.number() }),
    z.object({ kind: z.literal('unknown') }),
  ]),
  warnings: z.array(z.string()),
});
export type ModelRow = z.infer<typeof modelRowSchema>;

export const becauseSchema = z.enum(['exact', 'same', 'newest', 'lower', 'override', 'disabled', 'missing']);
export type Because = z.infer<typeof becauseSchema>;

/** What a name that a client may send runs on, and why. */
export const nameRowSchema = z.object({
  asked: z.string(),
  model: z.string().nullable(),
  because: becauseSchema,
  text: z.string(),
  /** The model that is meant: `model`, or the one that is switched off. */
  meant: z.string().nullable(),
  /** The override that decides: its name as the person wrote it (`claude-3-*`), and what the name would run on without it. */
  override: z
    .object({
      name: z.string(),
      without: z.object({ model: z.string().nullable(), because: becauseSchema }),
    })
    .nullable(),
});
export type NameRow = z.infer<typeof nameRowSchema>;

export const modelsReportSchema = z.object({
  readAt: z.number(),
  names: z.array(nameRowSchema),
  models: z.array(modelRowSchema),
  warnings: z.array(z.string()),
});
export type ModelsReport = z.infer<typeof modelsReportSchema>;

export const checkSchema = z.object({
  /** `account.signed-in` */
  id: z.string(),
  group: z.enum(['account', 'copilot', 'server', 'claude-code', 'machine']),
  title: z.string(),
  verdict: z.enum(['passed', 'warning', 'failed', 'skipped']),
  finding: z.string(),
  mend: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

/** What a refusal of Copilot's has taught about a model: why a field that was sent does not arrive. */
export const learnedFactSchema = z.object({
  /** For `forgetLessons`. */
  id: z.string(),
  model: z.string(),
  path: z.string(),
  /** Follows the name of the model: `takes no context_management`. */
  text: z.string(),
  learnedAt: z.number(),
  /** Then it is forgotten, and Copilot is asked again. */
  until: z.number(),
});
export type LearnedFact = z.infer<typeof learnedFactSchema>;

export const totalsRowSchema = z.object({
  /** An hour (`2026-11-20T09`), a day (`2026-11-20`) or a month (`2026-11`) of the time zone that was chosen, a model or a client, as asked. */
  key: z.string(),
  requests: z.number().int(),
  user: z.number().int(),
  agent: z.number().int(),
  billed: z.number().int(),
  free: z.number().int(),
  unknown: z.number().int(),
  failed: z.number().int(),
  /** Made while the account was billed by use, with an amount that Copilot reported. */
  reported: z.number().int(),
  /** Made while the account counted premium requests; their amount is our estimate. */
  estimated: z.number().int(),
  nanoAiu: z.number(),
  premiumRequests: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type TotalsRow = z.infer<typeof totalsRowSchema>;

export const totalsKeySchema = z.enum(['hour', 'day', 'month', 'model', 'client']);
export type TotalsKey = z.infer<typeof totalsKeySchema>;

/** Our own estimate of what the cache saved. */
export const cacheSavingsSchema = z.object({
  /** Net of what writing to the cache cost more; below zero where that was more. Null: Copilot named no price. */
  nanoAiu: z.number().nullable(),
  /** Tokens read from the cache by models that Copilot named no price for. */
  withoutPrice: z.number(),
});
export type CacheSavings = z.infer<typeof cacheSavingsSchema>;

export const conversationSumsSchema = z.object({
  requests: z.number().int(),
  user: z.number().int(),
  agent: z.number().int(),
  billed: z.number().int(),
  unknown: z.number().int(),
  /** Of the first request. */
  startedAt: z.number(),
  /** The last byte of the last answer. */
  endedAt: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  nanoAiu: z.number(),
  premiumRequests: z.number(),
});
export type ConversationSums = z.infer<typeof conversationSumsSchema>;

/** A session of a client; null: what it sends without one. */
export const conversationSchema = conversationSumsSchema.extend({
  session: z.string().nullable(),
  client: z.string(),
  prompts: z.number().int(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** One that worked on a prompt. `side`: titles, side questions, token counts. */
export const conversationPartSchema = conversationSumsSchema.extend({
  kind: z.enum(['main', 'subagent', 'compaction', 'side']),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  workflow: z.boolean(),
});
export type ConversationPart = z.infer<typeof conversationPartSchema>;

/** Null: what belongs to no prompt. */
export const conversationPromptSchema = conversationSumsSchema.extend({
  prompt: z.string().nullable(),
  parts: z.array(conversationPartSchema),
});
export type ConversationPrompt = z.infer<typeof conversationPromptSchema>;

/** How the lines for Claude Code can be written; `json` is the form of its settings.json. */
export const shellSchema = z.enum(['bash', 'zsh', 'fish', 'powershell', 'cmd', 'json']);
export type Shell = z.infer<typeof shellSchema>;

/**
 * What a person can copy for a client. `openai`: the variables that programs for OpenAI's APIs read; `codex`: its key, for a shell; `codex-config`: the
 * part of its config.toml, which holds no key; `vscode`: the models for its list.
 */
export const linesForSchema = z.enum(['claude-code', 'openai', 'codex', 'codex-config', 'vscode']);
export type LinesFor = z.infer<typeof linesForSchema>;

export const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof themeSchema>;

/** In which times are shown. */
export const timeZoneSchema = z.enum(['local', 'utc']);
export type TimeZone = z.infer<typeof timeZoneSchema>;

/** The days that requests may stay in the history; null: for ever. */
export const historyDaysSchema = z.number().int().min(1).max(3650).nullable();

/** Shares of the quota, in percent used, from which it is said to be low and nearly gone. */
export const quotaThresholdsSchema = z
  .object({ warning: z.number().int().min(1).max(99), alarm: z.number().int().min(1).max(99) })
  .refine(({ warning, alarm }) => warning < alarm, 'The second threshold has to be above the first');
export type QuotaThresholds = z.infer<typeof quotaThresholdsSchema>;

const mostAtAll = 1_000_000;

/** What a person allows at most, for what a program of theirs might do. Null: no limit of ours. */
export const limitsSchema = z.object({
  requestsPerMinute: z.number().int().min(1).max(mostAtAll).nullable(),
  /** Of a local day, as the next one. */
  creditsPerDay: z.number().positive().max(mostAtAll).nullable(),
  premiumRequestsPerDay: z.number().positive().max(mostAtAll).nullable(),
  /** New prompts are held, until they are let through, when more than `burstPerMinute` requests started within a minute. */
  askBeforeBurst: z.boolean(),
  burstPerMinute: z.number().int().min(1).max(mostAtAll),
});
export type Limits = z.infer<typeof limitsSchema>;

/** What the system may tell while the window is out of sight. */
export const notificationWishesSchema = z.object({
  quota: z.boolean(),
  /** Sign-in needed, proxy stopped, no connection. */
  trouble: z.boolean(),
  updates: z.boolean(),
});
export type NotificationWishes = z.infer<typeof notificationWishesSchema>;

/** A port that a person may choose. */
export const chosenPortSchema = z
  .number({ error: 'Choose a number from 1024 to 65535.' })
  .int('Choose a number from 1024 to 65535.')
  .min(1024, 'Choose a number from 1024 to 65535.')
  .max(65_535, 'Choose a number from 1024 to 65535.');

/** How much of recorded bodies is held in memory, and how long; null: until the program ends. */
export const bodyLimitsSchema = z.object({
  megabytes: z.number().int().min(1).max(64),
  minutes: z.number().int().min(1).max(10_080).nullable(),
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

const wishes = {
  theme: themeSchema,
  timeZone: timeZoneSchema,
  /** What closing the window does. */
  closing: z.enum(['keep-running', 'quit']),
  trayIcon: z.enum(['automatic', 'light', 'dark']),
  proxyOnAtStart: z.boolean(),
  port: chosenPortSchema,
  historyDays: historyDaysSchema,
  bodies: bodyLimitsSchema,
  /** How the lines for Claude Code are copied. Null: for the person's own shell. */
  shell: shellSchema.nullable(),
  notifications: notificationWishesSchema,
  quotaThresholds: quotaThresholdsSchema,
  limits: limitsSchema,
  openai: openaiSettingsSchema,
  /** Another one signs out: what one host gave is never shown to another. */
  githubHost: z.string().max(200),
};

/** What a person may set in the window, as it is now. */
export const preferencesSchema = z.object({
  ...wishes,
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

const { bodies, notifications, limits, openai } = {
  bodies: bodyLimitsSchema.shape,
  notifications: notificationWishesSchema.shape,
  limits: limitsSchema.shape,
  openai: openaiSettingsSchema.shape,
};

/** Any part of it, within the groups too: what is left out stays, so that two changes at once don't undo each other. */
export const preferencesChangeSchema = z.strictObject({
  theme: wishes.theme.exactOptional(),
  timeZone: wishes.timeZone.exactOptional(),
  closing: wishes.closing.exactOptional(),
  trayIcon: wishes.trayIcon.exactOptional(),
  proxyOnAtStart: wishes.proxyOnAtStart.exactOptional(),
  port: wishes.port.exactOptional(),
  historyDays: wishes.historyDays.exactOptional(),
  bodies: z
    .strictObject({ megabytes: bodies.megabytes.exactOptional(), minutes: bodies.minutes.exactOptional() })
    .exactOptional(),
  shell: wishes.shell.exactOptional(),
  notifications: z
    .strictObject({
      quota: notifications.quota.exactOptional(),
      trouble: notifications.trouble.exactOptional(),
      updates: notifications.updates.exactOptional(),
    })
    .exactOptional(),
  quotaThresholds: wishes.quotaThresholds.exactOptional(),
  limits: z
    .strictObject({
      requestsPerMinute: limits.requestsPerMinute.exactOptional(),
      creditsPerDay: limits.creditsPerDay.exactOptional(),
      premiumRequestsPerDay: limits.premiumRequestsPerDay.exactOptional(),
      askBeforeBurst: limits.askBeforeBurst.exactOptional(),
      burstPerMinute: limits.burstPerMinute.exactOptional(),
    })
    .exactOptional(),
  openai: z
    .strictObject({
      atOnce: openai.atOnce.exactOptional(),
      streamByDefault: openai.streamByDefault.exactOptional(),
      historyTurns: openai.historyTurns.exactOptional(),
    })
    .exactOptional(),
  githubHost: wishes.githubHost.exactOptional(),
  /** The first run is over. */
  welcomed: z.literal(true).exactOptional(),
  /** The tray app alone. */
  openAtLogin: z.boolean().exactOptional(),
});
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>;

/** What setting up Claude Code, or undoing that, would change in its settings.json. Secrets are dots. */
export const setUpPlanSchema = z.object({
  /** For `applySetUp`. */
  id: z.string(),
  action: z.enum(['setup', 'undo']),
  /** `~/.claude/settings.json` */
  shown: z.string(),
  changes: z.array(
    z.object({
      name: z.string(),
      /** `same`: holds the value already. `left`: was ours, holds another value now, is left alone. */
      kind: z.enum(['add', 'replace', 'same', 'remove', 'restore', 'left']),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  changesFile: z.boolean(),
  keepsBackup: z.boolean(),
  removesFile: z.boolean(),
  /** Names whose earlier values cannot be put back. */
  lost: z.array(z.string()),
  /** Sentences about what stands in the way of what is written. */
  notes: z.array(z.string()),
});
export type SetUpPlan = z.infer<typeof setUpPlanSchema>;

/** Our settings, Claude Code's, and the shell file that a finding names. */
export const knownFileSchema = z.enum(['settings', 'claude-code', 'shell-variable']);
export type KnownFile = z.infer<typeof knownFileSchema>;

export type AppEvent =
  | { event: 'state'; state: AppState }
  | { event: 'exchange'; exchange: Exchange }
  /** How far the running answers are, ten times a second at most. Tokens are our estimate until an answer is complete. */
  | { event: 'progress'; running: { id: string; output: number }[] }
  | { event: 'preferences'; preferences: Preferences }
  /** Every request that had ended is gone. */
  | { event: 'history-deleted' };

export const signInResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-in'), login: z.string().nullable() }),
  z.object({ kind: z.literal('denied') }),
  z.object({ kind: z.literal('expired') }),
  z.object({ kind: z.literal('cancelled') }),
  /**
   * The token could not be kept, so that GitHub was not asked. `AppState.secrets` says why: a keychain that is locked may be unlocked;
   * where there is none, secrets move to another store (`moveSecrets`) before it is tried again.
   */
  z.object({ kind: z.literal('no-storage'), text: z.string(), mend: z.string() }),
  z.object({ kind: z.literal('failed'), text: z.string(), mend: z.string() }),
]);
export type SignInResult = z.infer<typeof signInResultSchema>;

/** What fronts may ask for. */
export interface App {
  state(): AppState;
  /** Called on every change of state and for every exchange that starts, moves on or ends. Returns the way to stop listening. */
  listen(listener: (event: AppEvent) => void): () => void;

  /** Starts the proxy. Rejects with `Problem`-like errors (`StartError`) when the port or the folder is taken. */
  startProxy(options?: { port?: number }): Promise<{ baseUrl: string; dashboardUrl: string }>;
  /**
   * Lets running answers finish for `graceMs` (10 000 unless told), then ends them. Asked again while it waits, the shorter wait holds.
   */
  stopProxy(options?: { graceMs?: number }): Promise<void>;
  /** What a person's switch does: starts or stops the proxy and remembers the wish for the next start. Rejects as `startProxy` does. */
  switchProxy(on: boolean, options?: { graceMs?: number }): Promise<void>;
  /** Starts the proxy on a port that is free and keeps that port in the settings. */
  moveToFreePort(): Promise<void>;
  /** The local key without a label; made at the first call. */
  localKey(): Promise<string>;

  /** Runs one device flow to its end. `shown` gets the code as soon as there is one. */
  signIn(shown: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult>;
  /** Ends a sign-in that waits for the person, whoever began it; it results in `cancelled`. */
  cancelSignIn(): void;
  signOut(): Promise<void>;
  /** Asks keychain, GitHub and Copilot again: token, account, quota. */
  refresh(): Promise<void>;

  models(options?: { refresh?: boolean }): Promise<ModelsReport>;
  /** Newest last. */
  exchanges(options: { limit: number; before?: string }): Promise<Exchange[]>;
  /** Ended exchanges older than the one of that id, as a list shows them, newest last. */
  rows(options: { limit: number; before: string }): Promise<ExchangeRow[]>;
  /** Null: neither running nor in the history. */
  exchange(id: string): Promise<Exchange | null>;
  /** What is held of it in memory beside its row. */
  recorded(id: string): Recorded;
  /** Of the requests whose bodies are held, the oldest first. */
  recordedIds(): string[];
  /** Those in which these words were said, whatever their case. */
  searchBodies(words: string): Promise<string[]>;
  /** What was said, without secrets; the beginning of it where that is much and `whole` was not asked for. Null: it is not there. */
  recordedBody(id: string, view: BodyView, options: { whole: boolean }): Promise<RecordedBody | null>;
  /** Bodies of requests that begin from now on are held in memory, or no longer. Off after every start. */
  record(on: boolean): void;
  /** Lets go of all recorded bodies. */
  forgetBodies(): void;
  /** Times oldest first; models and clients with the most requests first. Rejects when the history can't be read, as the next three do. */
  totals(by: TotalsKey, since: number): Promise<TotalsRow[]>;
  cacheSavings(since: number): Promise<CacheSavings>;
  /** The last taken up first. */
  conversations(which: { since: number; limit: number; offset: number }): Promise<Conversation[]>;
  /** The prompts of one, the newest first. */
  conversation(which: { since: number; client: string; session: string | null }): Promise<ConversationPrompt[]>;
  /**
   * Runs a name that clients send on this model from now on; null takes the override away. Rejects when the name or the model can't be used.
   * `linesChanged`: the lines for Claude Code name other models than before.
   */
  setOverride(name: string, model: string | null): Promise<{ linesChanged: boolean }>;
  /** Lets a prompt through that a burst of requests holds; without an id all of them. Returns how many. */
  letThrough(id?: string): Promise<number>;
  /** What refusals have taught and is remembered now, the oldest first. */
  learned(): Promise<LearnedFact[]>;
  /** Takes one lesson back, or all of them, in every process of this folder that runs or will. Returns how many held here. */
  forgetLessons(id?: string): Promise<number>;
  checks(): Promise<Check[]>;
  /** One check alone; null where there is none of that name. */
  check(id: string): Promise<Check | null>;
  preferences(): Preferences;
  /**
   * Keeps what a person chose and puts it in force. Rejects with an error that says what was not taken and why; then nothing was changed.
   * `restart`: a proxy that is on takes another port at once; else at its next start.
   */
  changePreferences(change: PreferencesChange, options?: { restart: boolean }): Promise<void>;
  /** What setting up Claude Code would change, or undoing it; kept for `applySetUp` until one is applied. */
  planSetUp(action: SetUpPlan['action']): Promise<SetUpPlan>;
  /** Does what the plan of that id says; rejects where the file is no longer what it was made from. */
  applySetUp(id: string): Promise<{ backup: string | null }>;
  /** A new local key; a proxy that is on takes it at once, and running answers are ended. */
  replaceKey(): Promise<void>;
  /** Forgets every request that has ended. Returns how many. */
  deleteHistory(): Promise<number>;
  /**
   * Moves token and key to another store and empties the old one. The choice is kept, but for `memory`; asking for `file` is the consent to
   * it. Rejects where the other store can't take them; then nothing was moved.
   */
  moveSecrets(to: SecretsStorage): Promise<void>;
  /** Where a file lies that a person may want to look into; null: there is none to show. */
  fileOf(which: KnownFile): Promise<string | null>;
  /** Tries the store and takes up what it holds; null where it works. */
  trySecrets(): Promise<Problem | null>;
  /** The lines to paste, without the values of secrets unless `key` is asked for by the person. */
  envVariables(client: string): Promise<Record<string, string>>;
  /**
   * The lines to paste for a client, with the local key in them and `client` as its name in the log. Rejects where they name models and none are known.
   */
  lines(shell: Shell, what: LinesFor, client?: string): Promise<string>;

  /** Stops everything; the app cannot be used afterwards. */
  close(): Promise<void>;
}

/** The proxy could not start. `message` says what and why, `mend` what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  readonly mend: string;
  constructor(code: StartErrorCode, message: string, mend: string) {
    super(message);
    this.code = code;
    this.mend = mend;
  }
}

/** New versions of the tray app itself. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** Nothing is asked of any host, and why. */
  z.object({ kind: z.literal('off'), reason: z.string() }),
  z.object({ kind: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('loading'), version: z.string(), percent: z.number() }),
  /** It is there and checked; a restart brings it. */
  z.object({ kind: z.literal('ready'), version: z.string() }),
  z.object({ kind: z.literal('failed'), text: z.string(), mend: z.string() }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

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
