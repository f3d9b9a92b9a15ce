import { z } from 'zod';
import { sentenceSchema } from './call.ts';
import { limitKindSchema } from './exchange.ts';
import { turnCostSchema, turnStateSchema } from './sessions.ts';

/** The program that has a session open now. `terminal`: Claude Code itself, with a person in front of it. */
const sessionHolderSchema = z.object({
  pid: z.number().int(),
  program: z.enum(['terminal', 'other']),
  /** Whether a turn runs there, it waits for a person, or neither. Absent if the program doesn’t report it. */
  state: z.enum(['works', 'waits', 'rests']).exactOptional(),
});
export type SessionHolder = z.infer<typeof sessionHolderSchema>;

/** A session that a terminal has open or had, where a person may have to look after it. */
export interface TerminalSession {
  id: string;
  /** The agent's own id of it, which goes on with it in a terminal. */
  agentId: string;
  cwd: string | null;
  title: string | null;
  /** `waits`: for a person, there. `done`: a turn is over there. `ended`, `cut`: its process is gone; in a turn. */
  is: 'waits' | 'done' | 'ended' | 'cut';
  /** Since when, ms since the epoch. */
  at: number;
}

/**
 * A session on this machine, with whichever program it was started, as a list shows it. Times in ms since the epoch.
 */
const listedSessionSchema = z.object({
  id: z.string(),
  /** The agent's own id of it, where it is another; null if it has none yet: a fork in which nothing was sent. */
  agentId: z.string().nullable().exactOptional(),
  /** `claude`, `codex` … */
  agent: z.string(),
  /** True if Jumpseat runs it, or did; false if it was made elsewhere. */
  hosted: z.boolean(),
  cwd: z.string().nullable(),
  branch: z.string().nullable(),
  /** Names by the person, by the agent, and from its beginning; the first one present is its title. */
  title: z.string().nullable(),
  agentTitle: z.string().nullable(),
  firstPrompt: z.string().nullable(),
  lastPrompt: z.string().nullable(),
  createdAt: z.number().nullable(),
  updatedAt: z.number().nullable(),
  /** When a person last sent something to it through Jumpseat. */
  sentAt: z.number().nullable(),
  pinned: z.boolean(),
  /** Bytes of the transcript; null if there is none any more, or not yet. */
  size: z.number().nullable(),
  /** Version of the agent. */
  version: z.string().nullable(),
  /** Why its transcript can't be read; null if it can. */
  problem: sentenceSchema.nullable(),
  /** A program other than this Jumpseat that has it open now: it takes no message here. Null if none is known. */
  openIn: sessionHolderSchema.nullable(),
  /** How its last turn ended; `running`: it has no end. Null if it had none, or that isn't known. */
  outcome: turnStateSchema.nullable(),
  /** Why that failed, as `TurnProblem` has its codes; null if it did not, or that isn't known. */
  problemCode: z.string().nullable(),
  /** Whose limit refused it, if it was a limit. */
  problemLimit: limitKindSchema.nullable(),
  /** True if it waited for an answer when Jumpseat was closed. */
  wasAsking: z.boolean(),
  /** When that ended, and when a person last looked at it; null: not through Jumpseat. */
  endedAt: z.number().nullable(),
  seenAt: z.number().nullable(),
  /** A person dismissed how its last turn failed. */
  isDismissed: z.boolean(),
  /** Its folder no longer exists. */
  isFolderGone: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSessionSchema>;

export const sessionListSchema = z.object({
  /** Pinned ones first, then the one that was last written to. */
  sessions: z.array(listedSessionSchema),
  /** Why not all of them may be there; null if all are. */
  problem: sentenceSchema.nullable(),
});

/** What the requests of one session cost that have ended. */
export const sessionCostSchema = z.object({
  id: z.string(),
  cost: turnCostSchema,
  /** Cost of what other programs sent in a hosted session, such as a terminal. Null if nothing was. */
  elsewhere: turnCostSchema.nullable(),
});
export type SessionCost = z.infer<typeof sessionCostSchema>;

/** How much the edits of a session changed in files, those left out that were undone. */
export const sessionEditSumSchema = z.object({
  id: z.string(),
  files: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
});
export type SessionEditSum = z.infer<typeof sessionEditSumSchema>;

/** The process in which an agent has a session open. */
export const sessionProcessSchema = z.object({
  pid: z.number().int(),
  /** Bytes that it holds of this machine’s memory; null if unknown here. */
  memory: z.number().nullable(),
});

/** What was found of words that are looked for. */
export const foundSessionsSchema = z.object({
  /** Ids of sessions whose title, folder, branch or id has the words. */
  titles: z.array(z.string()),
  /** One place for each conversation that has them, the best first. */
  places: z.array(
    z.object({
      sessionId: z.string(),
      message: z.string(),
      who: z.enum(['user', 'agent']),
      at: z.number().nullable(),
      excerpt: z.string(),
      /** Ranges of the words in the excerpt: from, to. */
      marks: z.array(z.tuple([z.number(), z.number()])),
    }),
  ),
  /** Conversations that were looked into. */
  searched: z.number(),
  /** Whether all that was said is known; else it is still being read. */
  isComplete: z.boolean(),
});
export type FoundSessions = z.infer<typeof foundSessionsSchema>;

/** One turn as the agent's own transcript has it; its updates are those of ACP, as in a live turn. */
const transcriptTurnSchema = z.object({
  id: z.string(),
  prompt: z.array(z.looseObject({ type: z.string() })).nullable(),
  begunBy: z.enum(['prompt', 'notification', 'earlier-conversation']),
  /** The background task whose end began it; null if none did, or it has no name. */
  task: z.string().nullable(),
  updates: z.array(z.looseObject({ sessionUpdate: z.string() })),
  /** `running`, `waiting`: it goes on in a terminal, which works or waits for a person there. */
  state: z.enum(['done', 'cancelled', 'failed', 'running', 'waiting']),
  isOpen: z.boolean(),
  failure: z.string().nullable(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  model: z.string().nullable(),
  usage: z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }).nullable(),
  /** Claude Code's own ids of its prompts on the wire. */
  promptIds: z.array(z.string()),
  /** Cost of its requests that other programs sent through the proxy; null if unknown. */
  cost: turnCostSchema.nullable(),
  lastMessage: z.string().nullable(),
});

export const transcriptPageSchema = z.object({
  /** The oldest first. */
  turns: z.array(transcriptTurnSchema),
  /** The place of the first of them, counted from 0: what to ask for as `before`. 0: there are no older ones. */
  from: z.number().int(),
  /** Lines of the transcript that were broken or cut, and are left out. */
  unreadable: z.number().int(),
  /** Edits that a person undid, also in the session that this one was copied from. */
  undone: z.array(z.object({ toolCallId: z.string(), path: z.string() })),
  /** How questions about tool calls were answered, here and in the session that this one was copied from. */
  answered: z.array(
    z.object({ toolCallId: z.string(), by: z.string(), answer: z.unknown(), rule: z.string().nullable() }),
  ),
});
export type TranscriptPage = z.infer<typeof transcriptPageSchema>;

export const subagentSchema = z.object({
  id: z.string(),
  /** The tool call that started it; null if unknown. */
  toolCallId: z.string().nullable(),
  type: z.string().nullable(),
  description: z.string().nullable(),
});
