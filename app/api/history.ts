import { z } from 'zod';

export const totalsRowSchema = z.object({
  /**
   * An hour (`2026-11-20T09`), a day (`2026-11-20`) or a month (`2026-11`) of the time zone that was chosen, a model, a
   * client, the name of an account (empty: there was one), or a purpose, as asked.
   */
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
  /** Our estimate of the answers that reported no charge, in nano-AIU, beside `nanoAiu`; absent: none. */
  estimate: z.number().exactOptional(),
  /** Those of `unknown` that have no estimate either; absent: none. */
  unestimated: z.number().int().exactOptional(),
  premiumRequests: z.number(),
  /** Part of `nanoAiu`. The rest is of neither, such as a search. */
  userNanoAiu: z.number(),
  agentNanoAiu: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type TotalsRow = z.infer<typeof totalsRowSchema>;

/** When a client's last request began, and the model that it ran on. */
export const lastRequestSchema = z.object({ client: z.string(), at: z.number(), model: z.string() });
export type LastRequest = z.infer<typeof lastRequestSchema>;

export const totalsKeySchema = z.enum(['hour', 'day', 'month', 'model', 'client', 'account', 'purpose']);
export type TotalsKey = z.infer<typeof totalsKeySchema>;

/**
 * What requests are for. `side`: titles, side questions, token counts; `repeat`: a prompt that its client sent again;
 * `search`: a search or a page that Jumpseat itself was asked for.
 */
const purposeSchema = z.enum(['main', 'subagent', 'compaction', 'side', 'repeat', 'search']);
export type Purpose = z.infer<typeof purposeSchema>;

/** Our own estimate of what the cache saved. */
export const cacheSavingsSchema = z.object({
  /** Net of what writing to the cache cost more; below zero where that was more. Null if Copilot named no price. */
  nanoAiu: z.number().nullable(),
  /** Tokens read from the cache by models that Copilot named no price for. */
  withoutPrice: z.number(),
});
export type CacheSavings = z.infer<typeof cacheSavingsSchema>;

const conversationSumsSchema = z.object({
  requests: z.number().int(),
  user: z.number().int(),
  agent: z.number().int(),
  billed: z.number().int(),
  free: z.number().int(),
  unknown: z.number().int(),
  failed: z.number().int(),
  /** When the first request began. */
  startedAt: z.number(),
  /** The last byte of the last answer. */
  endedAt: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  nanoAiu: z.number(),
  premiumRequests: z.number(),
  /** Parts of `nanoAiu`: requests sent as `user`, and as `agent`. */
  userNanoAiu: z.number(),
  agentNanoAiu: z.number(),
});
export type ConversationSums = z.infer<typeof conversationSumsSchema>;

/** A session of a client; null: what it sends without one. */
const conversationSchema = conversationSumsSchema.extend({
  session: z.string().nullable(),
  client: z.string(),
  /** Requests that a person caused. */
  prompts: z.number().int(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** With what the sessions of this machine say of it; null: not known. */
export const namedConversationSchema = conversationSchema.extend({
  title: z.string().nullable(),
  /** Where it works. */
  folder: z.string().nullable(),
});
export type NamedConversation = z.infer<typeof namedConversationSchema>;

/** Sums of all conversations in a folder; null: those without one, or of which it isn't known. */
export const folderSumsSchema = conversationSumsSchema.extend({ folder: z.string().nullable() });
export type FolderSums = z.infer<typeof folderSumsSchema>;

/**
 * Why a request read less than half of what the one before it in its conversation had in the cache. `time`: more than
 * five minutes after it. `model`: on another model. `compaction`: behind one. `prefix`: what is sent first must have
 * changed; what of it isn't known.
 */
const cacheMissReasonSchema = z.enum(['time', 'model', 'compaction', 'prefix']);
export type CacheMissReason = z.infer<typeof cacheMissReasonSchema>;

/** Requests of one conversation that missed the cache for one reason. */
export const cacheMissSchema = z.object({
  client: z.string(),
  session: z.string(),
  reason: cacheMissReasonSchema,
  requests: z.number().int(),
  /** Those that could have come from the cache. */
  tokens: z.number(),
  /** What they cost more for it, our own estimate; null if Copilot named no price. */
  nanoAiu: z.number().nullable(),
});
export type CacheMiss = z.infer<typeof cacheMissSchema>;

/** One that worked on a prompt. `side`: titles, side questions, token counts. */
const conversationPartSchema = conversationSumsSchema.extend({
  kind: z.enum(['main', 'subagent', 'compaction', 'side']),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  workflow: z.boolean(),
});
export type ConversationPart = z.infer<typeof conversationPartSchema>;

/** Null for what belongs to no prompt. */
export const conversationPromptSchema = conversationSumsSchema.extend({
  prompt: z.string().nullable(),
  /** A background task's report began it, and no person. */
  isReport: z.boolean(),
  parts: z.array(conversationPartSchema),
});
export type ConversationPrompt = z.infer<typeof conversationPromptSchema>;
