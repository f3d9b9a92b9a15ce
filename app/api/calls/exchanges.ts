import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { exchangeRowSchema, exchangeSchema } from '../exchange.ts';
import {
  cacheMissSchema,
  cacheSavingsSchema,
  conversationPromptSchema,
  folderSumsSchema,
  lastRequestSchema,
  namedConversationSchema,
  totalsKeySchema,
  totalsRowSchema,
} from '../history.ts';
import { bodyViewSchema, recordedBodySchema, recordedSchema } from '../recording.ts';

/** What is read of single exchanges, and what is done to those that wait. */
export const exchangeCalls = {
  /**
   * The newest that have ended, and those that run; newest last. `before`: older than the one of that id. `byArrival`:
   * the last that came, also where the clock was set back meanwhile.
   */
  exchanges: both(
    z.tuple([
      z.strictObject({
        limit: z.number().int().min(1).max(1000),
        before: z.string().max(100).exactOptional(),
        byArrival: z.boolean().exactOptional(),
      }),
    ]),
    z.array(exchangeSchema),
  ),
  /** Ended exchanges older than the one of that id, as a list shows them, newest last. */
  rows: both(
    z.tuple([z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100) })]),
    z.array(exchangeRowSchema),
  ),
  /** Null if it is neither running nor in the history. */
  exchange: both(z.tuple([z.string().max(100)]), exchangeSchema.nullable()),
  /** A session's last request with Copilot's token count; null if it has none. */
  lastExchange: both(z.tuple([z.string().max(200)]), exchangeSchema.nullable()),
  /** Lets a prompt through that is held, by its id; null for all that a burst of requests holds. Answers how many. */
  letThrough: both(z.tuple([z.string().max(100).nullable()]), z.number().int()),
  /** Until midnight: whether GitHub may bill more than what is included. What waits for that goes or is refused. */
  decideOverage: both(z.tuple([z.boolean()]), z.void()),
} satisfies CallTable;

/** Bodies and headers of exchanges, while they are held in memory. */
export const recordingCalls = {
  /** What is held of it in memory beside its row. */
  recorded: both(z.tuple([z.string().max(100)]), recordedSchema),
  /** Ids of requests whose bodies are held, oldest first. */
  recordedIds: both(z.tuple([]), z.array(z.string())),
  /** Ids of requests whose bodies contain these words, ignoring case. */
  searchBodies: both(z.tuple([z.string().min(1).max(500)]), z.array(z.string())),
  /**
   * What was said, without secrets; the beginning of it where that is much and `whole` was not asked for. Null if it is
   * not there.
   */
  recordedBody: both(
    z.tuple([z.string().max(100), bodyViewSchema, z.strictObject({ whole: z.boolean() })]),
    recordedBodySchema.nullable(),
  ),
  /** Bodies of requests that begin from now on are held in memory, or no longer. Off after every start. */
  record: both(z.tuple([z.boolean()]), z.void()),
  /** Lets go of all recorded bodies. */
  forgetBodies: both(z.tuple([]), z.void()),
} satisfies CallTable;

/** Sums over the history, and its end. */
export const historyCalls = {
  /**
   * Times oldest first; models and clients with the most requests first. Rejects when the history can’t be read, as the
   * next six do.
   */
  totals: both(z.tuple([totalsKeySchema, z.number().min(0)]), z.array(totalsRowSchema)),
  cacheSavings: both(z.tuple([z.number().min(0)]), cacheSavingsSchema),
  cacheMisses: both(z.tuple([z.number().min(0)]), z.array(cacheMissSchema)),
  /** The folder that used most first. */
  folders: both(z.tuple([z.number().min(0)]), z.array(folderSumsSchema)),
  /** The last request of each client that named a model. */
  lastRequests: both(z.tuple([]), z.array(lastRequestSchema)),
  /** The folder of each session by its ids: what its requests name, and the key of one that runs here. */
  sessionFolders: both(z.tuple([]), z.record(z.string(), z.string())),
  /** Conversations, most recently used first. */
  conversations: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        limit: z.number().int().min(1).max(200),
        offset: z.number().int().min(0).max(1_000_000),
      }),
    ]),
    z.array(namedConversationSchema),
  ),
  /** The prompts of one, the newest first. */
  conversation: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        client: z.string().max(200),
        session: z.string().max(200).nullable(),
      }),
    ]),
    z.array(conversationPromptSchema),
  ),
  /** Forgets every request that has ended. Answers how many. */
  deleteHistory: both(z.tuple([]), z.number().int()),
} satisfies CallTable;
