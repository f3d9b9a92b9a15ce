import { z } from 'zod';
import type { FitNote } from '../formats/translation/note.ts';
import { contextParts } from './names.ts';
import { ruleScopeSchema } from './rules.ts';

export type { FitNote };

const initiatorSchema = z.enum(['user', 'agent']);
export type Initiator = z.infer<typeof initiatorSchema>;

/** Why an exchange was marked as it was. The codes are those of the decision table in docs/who-started-it.md. */
const reasonCodeSchema = z.enum([
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

/** `web`: no API of a model's, but a search or a page that Jumpseat itself was asked for. */
const clientApiSchema = z.enum(['messages', 'count-tokens', 'chat', 'responses', 'embeddings', 'web']);
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

const fitNoteSchema = z.object({
  code: z.string(),
  count: z.number().int().positive(),
  text: z.string(),
}) satisfies z.ZodType<FitNote>;

/** What a failure was, for code to decide by; its words are for people. */
const errorKindSchema = z.enum([
  'signed-out',
  'tokens-refused',
  'no-access',
  'no-connection',
  /** It was sent, and no answer came in time. */
  'no-answer',
  'authorize',
  'no-credits',
  'limit',
  'overloaded',
  'model',
  'too-long',
  'lost-reasoning',
  'too-slow',
  'too-large',
  'identity',
  /** Copilot's, which only its own words explain. */
  'refused',
  'broken-answer',
  /** Ours: Copilot was not asked. */
  'not-sent',
]);
export type ErrorKind = z.infer<typeof errorKindSchema>;

/**
 * Whose limit a refusal is about. `credits`: nothing is left to pay with. `weekly`, `session`, `account`: the person's.
 * `model`, `client`, `agents`, `provider`, `blocked`: of the model, of this kind of client, of agents, of who serves
 * the model, of this client for now. `overloaded` is no limit of an account. `unnamed`: Copilot did not say.
 */
export const limitKindSchema = z.enum([
  'credits',
  'weekly',
  'session',
  'account',
  'model',
  'client',
  'agents',
  'provider',
  'blocked',
  'overloaded',
  'unnamed',
]);
export type LimitKind = z.infer<typeof limitKindSchema>;

const failureSchema = z.object({
  source: z.enum(['jumpseat', 'copilot', 'github', 'network', 'client', 'vscode']),
  /** Status of the answer that failed; null when there was none. */
  status: z.number().int().nullable(),
  code: z.string(),
  /** What the other side said. */
  message: z.string(),
  /** Message to the client, if it differs. */
  clientMessage: z.string().nullable(),
  /** This and what follows are not in the log: absent where a row was read from it. */
  kind: errorKindSchema.exactOptional(),
  /** Absent: it was about no limit. */
  limit: limitKindSchema.exactOptional(),
  /** When that limit ends, ms. Absent: Copilot said nothing of it. */
  limitEndsAt: z.number().exactOptional(),
  /**
   * Tokens of the prompt, and how many the model takes. Absent: it was not too long, or the refusal does not say by how
   * much.
   */
  tooLong: z.object({ tokens: z.number(), most: z.number() }).exactOptional(),
});
export type Failure = z.infer<typeof failureSchema>;

const tokenDetailSchema = z.object({
  type: z.string(),
  count: z.number(),
  /** nano-AIU for `batchSize` tokens. */
  costPerBatch: z.number(),
  batchSize: z.number(),
});
export type TokenDetail = z.infer<typeof tokenDetailSchema>;

const chargeSchema = z.object({
  /**
   * `billed` and `free` only where it is known; `unknown` when Copilot accepted but reported nothing; `none` when it
   * was refused, never sent or is not billed by kind; `pending` while it runs.
   */
  kind: z.enum(['billed', 'free', 'unknown', 'none', 'pending']),
  /** Copilot's own figure; null if it reported none. */
  nanoAiu: z.number().nullable(),
  /** Premium requests on plans that still count them; our estimate from the catalog's multiplier. */
  premiumRequests: z.number().nullable(),
  /**
   * Our estimate by the model's prices of an answer that came without a charge, in nano-AIU. It is in no sum of
   * charges. Absent: there is a charge, or nothing to estimate from.
   */
  estimate: z.number().exactOptional(),
  /** The stream ended early: the amount is what was seen until then. */
  partial: z.boolean(),
  details: z.array(tokenDetailSchema),
});
export type Charge = z.infer<typeof chargeSchema>;

const attemptSchema = z.object({
  /** ms after the exchange began. */
  at: z.number(),
  /** ms until there was a token, before `at`; 0: there was one already. Absent: not measured. */
  token: z.number().exactOptional(),
  /** ms from `at` until there was a connection; 0: one was open. Absent: not measured, or there was none. */
  connect: z.number().exactOptional(),
  /** The program that it named to Copilot: `vscode/1.139.1 (vscode-chat)`. Absent: from before this was kept. */
  sentAs: z.string().exactOptional(),
  status: z.number().int().nullable(),
  /** Why there was another attempt after this one, or null for the last. */
  retriedBecause: z.string().nullable(),
  upstreamRequestId: z.string().nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

const contextPartSchema = z.enum(contextParts);
export type ContextPart = z.infer<typeof contextPartSchema>;

/** What is known of contents without any word of them. Names are those of tools and of kinds. */
const shapeSchema = z.object({
  /** Headers that the client sent; null if they were not read. */
  request: z
    .object({
      bytes: z.number().int(),
      /** How many messages by role, in the order in which the roles come. */
      messages: z.record(z.string(), z.number().int()),
      tools: z.number().int(),
      images: z.number().int(),
      /** `adaptive, effort high`; null if none was asked for. */
      thinking: z.string().nullable(),
      /** Absent: nothing is in it, or it is from before this was looked at. */
      context: z
        .object({
          /** Tokens by the length of texts, which no tokenizer counted: three digits and zeros. */
          parts: z.partialRecord(contextPartSchema, z.number().int()),
          /** Tokens that the client leaves for the answer; null if it did not say. */
          room: z.number().int().nullable(),
        })
        .exactOptional(),
    })
    .nullable(),
  /** Headers that Copilot sent; null if none came. */
  answer: z
    .object({
      bytes: z.number().int(),
      /** Null if it was no stream of events. */
      events: z.number().int().nullable(),
      /** Blocks in order; the first 200. */
      blocks: z.array(z.object({ type: z.string(), name: z.string().nullable() })),
      /** ms between two pieces, after the first one. */
      longestGap: z.number().nullable(),
      /** Pings that we wrote while no event came. */
      pings: z.number().int(),
    })
    .nullable(),
  /** Tools that ran before this request, as the client reports; ms. */
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
  /** The name of the local key that it came with. Absent: the first one, or a hosted session's. */
  key: z.string().exactOptional(),
  /** The name of the account that it went out with. Absent: there was one, or none was looked for yet. */
  account: z.string().exactOptional(),
  /** Scope of the person's rule that the request followed; absent if it followed none. */
  rule: ruleScopeSchema.exactOptional(),
  session: z.string().nullable(),
  prompt: z.string().nullable(),
  /** Claude Code's request class, as it sent it. */
  requestClass: z.string().nullable(),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  askedModel: z.string().nullable(),
  servedModel: z.string().nullable(),
  /** Null if it was never sent to Copilot. */
  path: pathSchema.nullable(),
  streamed: z.boolean(),
  initiator: initiatorSchema.nullable(),
  reason: z.object({ code: reasonCodeSchema, rule: z.string(), sentence: z.string() }).nullable(),
  fits: z.array(fitNoteSchema),
  /** What the client got; null while it runs or when it left before. */
  status: z.number().int().nullable(),
  /** Waits for the person to let it through, because too many requests started within a minute. */
  held: z.boolean(),
  /**
   * `cut`: Copilot's answer ended early. `cancelled`: the client left. `declined`: refused as its client expects, which
   * then goes on without; no failure.
   */
  outcome: z.enum(['running', 'done', 'failed', 'cut', 'cancelled', 'declined']),
  stopReason: z.string().nullable(),
  failure: failureSchema.nullable(),
  attempts: z.array(attemptSchema),
  /** ms after `startedAt`; null if it did not come to that. */
  times: z.object({
    /** The client's request was there. Absent: not measured. */
    read: z.number().exactOptional(),
    /** Time that it waited here for its turn. Absent if it did not. */
    held: z.object({ from: z.number(), until: z.number() }).exactOptional(),
    /** Our own work before the request was sent. Null if nothing went to Copilot. */
    sent: z.number().nullable(),
    headers: z.number().nullable(),
    firstEvent: z.number().nullable(),
    lastEvent: z.number().nullable(),
  }),
  tokens: z.object({
    /** Input tokens without cached ones. */
    input: z.number().nullable(),
    /** Our estimate so far while the answer runs. */
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
 * One exchange as a list shows it: flat and small, so that a window can hold a hundred thousand of them. Whatever else
 * there is to know is asked for by its id.
 */
export const exchangeRowSchema = exchangeSchema
  .pick({
    id: true,
    startedAt: true,
    api: true,
    client: true,
    key: true,
    account: true,
    session: true,
    prompt: true,
    requestClass: true,
    agentType: true,
    path: true,
    initiator: true,
    status: true,
    held: true,
    outcome: true,
  })
  .extend({
    asked: z.string().nullable(),
    model: z.string().nullable(),
    reason: z.object({ code: reasonCodeSchema, rule: z.string() }).nullable(),
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
    /** Bytes of the body as the client sent it; null if it was not looked at. */
    size: z.number().int().nullable(),
    /** Contents of the body: some of `tools images thinking`, joined by spaces. Null if it was not read. */
    contents: z.string().nullable(),
  });
export type ExchangeRow = z.infer<typeof exchangeRowSchema>;
