import { z } from 'zod';
import { problemSchema, sentenceSchema } from './call.ts';
import { limitKindSchema } from './exchange.ts';

export const agentNameSchema = z.enum(['claude', 'codex']);

/**
 * What a session does now. `provisional`: nothing was sent yet, and nothing of it is on disk. `in-line`: others run
 * first. `waiting`: for a person's answer. `unloaded`: it has no process; the next message starts one.
 */
const sessionStateSchema = z.enum([
  'provisional',
  'unloaded',
  'starting',
  'in-line',
  'running',
  'waiting',
  'stopping',
  'idle',
]);
export type SessionState = z.infer<typeof sessionStateSchema>;

/** `interrupted`: it was under way when Jumpseat or the agent ended. */
export const turnStateSchema = z.enum(['running', 'done', 'cancelled', 'failed', 'interrupted']);
export type TurnState = z.infer<typeof turnStateSchema>;

/** What is known of a turn's failure, for fronts with words of their own. What is absent is not known. */
const turnFactsSchema = z.object({
  /** HTTP status of the answer that ended it. */
  status: z.number().int().nullable().exactOptional(),
  /** Which of Copilot's limits was reached. */
  limit: limitKindSchema.exactOptional(),
  /** When that limit ends, ms. */
  limitEndsAt: z.number().exactOptional(),
  /** Why there was no connection: a code of Node's, `ENOTFOUND`. */
  network: z.string().exactOptional(),
  /** Requests in a row that got no connection. */
  tries: z.number().int().exactOptional(),
  /** `cut`: of the answer, until then. `context-full`: of the conversation. */
  tokens: z.number().exactOptional(),
  /** `context-full`: how many the model takes. `token-limit`: how many one answer may have. */
  most: z.number().exactOptional(),
  model: z.string().exactOptional(),
  /** `limit`: that of the person, in credits. */
  credits: z.number().exactOptional(),
  /** `agent-ended`: the number of the signal that ended it, or its exit code. */
  signal: z.number().int().exactOptional(),
  exitCode: z.number().int().exactOptional(),
  /** How often the agent ended in turns of this session within the last five minutes, with this one. */
  ends: z.number().int().exactOptional(),
});
export type TurnFacts = z.infer<typeof turnFactsSchema>;

/**
 * Why a turn failed. `code`: `refused` by Copilot, `not-sent` since Jumpseat refused, `held-back` by Jumpseat until a
 * person lets it go on, `no-connection` to Copilot, `cut`: Copilot's answer
 * ended early, `token-limit`: it had as many tokens as one answer may have, `context-full`: the conversation is too
 * long for the model, `declined` by the model, `stopped-early` by the agent's own bounds, `limit` of the person's own,
 * `agent-ended`, `not-started`, `failed` for anything else.
 */
export const turnProblemSchema = problemSchema.extend({
  /** It may quote the agent, Copilot and the model: what is no sentence of ours stays as it is. */
  text: sentenceSchema,
  facts: turnFactsSchema.exactOptional(),
  /** The row of the log that says more; null if none belongs to it. */
  requestId: z.string().nullable(),
  /** The last lines that the agent printed to stderr; null if it said nothing. */
  stderr: z.string().nullable(),
});
export type TurnProblem = z.infer<typeof turnProblemSchema>;

/** Blocks of ACP, as they are. */
export const promptBlocksSchema = z.array(z.looseObject({ type: z.string() })).max(200);

const queuedMessageSchema = z.object({
  /** The id of the turn that it will be. */
  id: z.string(),
  /** Long images and texts are replaced by a description: `_meta.jumpseat.leftOut` says which block it was. */
  prompt: promptBlocksSchema,
  queuedAt: z.number(),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** A setting of a session: what was asked for, and what the agent says is in force. Null for the agent's own choice. */
const wantedSchema = z.object({ wanted: z.string().nullable(), applied: z.string().nullable() });
export type Wanted = z.infer<typeof wantedSchema>;

/** A person's permission for as long as a session lasts. */
export const sessionRuleSchema = z.object({
  id: z.string(),
  /** `Bash`, `Edit`, `mcp__sentry__search`. */
  tool: z.string(),
  /** The beginning of the command that is allowed, or all of it where `isExact`; null: whatever is done with it. */
  input: z.string().nullable(),
  isExact: z.boolean(),
});
export type SessionRule = z.infer<typeof sessionRuleSchema>;

/** Sums over the rows of the log that belong to a turn or a session. */
export const turnCostSchema = z.object({
  nanoAiu: z.number(),
  premiumRequests: z.number(),
  /** Our estimate of the answers that reported nothing, in nano-AIU, beside the sum; absent: none. */
  estimate: z.number().exactOptional(),
  /** Rows that reported nothing, or not all, and have no estimate either: the sum is more; absent: none. */
  unestimated: z.number().int().exactOptional(),
  /** A row reported nothing: the sum is at least that. */
  isPartlyUnknown: z.boolean(),
  /** Rows that still run. */
  running: z.number().int(),
  user: z.number().int(),
  agent: z.number().int(),
  /** Rows that failed at no charge, which are in neither of both; absent: none. */
  refused: z.number().int().exactOptional(),
  input: z.number(),
  cached: z.number(),
  output: z.number(),
  /** What each subagent cost of it, in nano-AIU, by its id. Absent: there was none, or it is of a whole session. */
  agents: z.record(z.string(), z.number()).exactOptional(),
});
export type TurnCost = z.infer<typeof turnCostSchema>;

/** What an agent goes on with beside its turns, until it ends or `stopTask` ends it. */
const backgroundTaskSchema = z.object({
  id: z.string(),
  kind: z.enum(['command', 'subagent', 'other']),
  title: z.string(),
});
export type BackgroundTask = z.infer<typeof backgroundTaskSchema>;

/** What a session's process can't change while it runs. */
export const restartReasonSchema = z.enum(['model', 'effort', 'permissions', 'folders', 'plugins', 'servers']);
export type RestartReason = z.infer<typeof restartReasonSchema>;

/** One session as a list shows it. Times in ms since the epoch. */
export const sessionSchema = z.object({
  id: z.string(),
  /** The agent's own id of it, where it is another; null if it has none yet: a fork in which nothing was sent. */
  agentId: z.string().nullable().exactOptional(),
  agent: agentNameSchema,
  cwd: z.string(),
  directories: z.array(z.string()),
  title: z.string().nullable(),
  state: sessionStateSchema,
  /** Why its process starts anew for the turn under way; absent: it does not. */
  restartsFor: z.array(restartReasonSchema).exactOptional(),
  /** The turn under way; null if none is. */
  turnId: z.string().nullable(),
  /**
   * A request of it failed, with this status (null if no answer came), and is sent again at this time; absent: the turn
   * waits for nothing.
   */
  retry: z.object({ at: z.number(), status: z.number().int().nullable() }).exactOptional(),
  /** How its last turn ended; null if it had none here. */
  outcome: turnStateSchema.nullable(),
  problem: turnProblemSchema.nullable(),
  /** How many questions wait for an answer. */
  questions: z.number().int(),
  /** How many side questions were not closed, and what all of them cost; absent: none was asked. */
  sideQuestions: z.object({ open: z.number().int(), cost: turnCostSchema }).exactOptional(),
  /** What runs in the background. */
  tasks: z.array(backgroundTaskSchema),
  queue: z.array(queuedMessageSchema),
  /** The first message of a session whose process starts: it is on disk once that has. Absent otherwise. */
  beginsWith: queuedMessageSchema.exactOptional(),
  /** Nothing of the queue is sent by itself: the last turn was stopped or failed. */
  isQueuePaused: z.boolean(),
  /** When it goes on by itself after a limit, ms: a person said so. Absent: it does not. */
  continuesAt: z.number().exactOptional(),
  model: wantedSchema,
  effort: wantedSchema,
  mode: wantedSchema,
  /** Use of the context window; null until the agent reports it. */
  context: z.object({ used: z.number(), size: z.number() }).nullable(),
  /** Cost of all turns, including those cut off by going back. */
  cost: turnCostSchema,
  pinned: z.boolean(),
  createdAt: z.number(),
  sentAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  seenAt: z.number().nullable(),
  /** A person dismissed how its last turn failed. */
  isDismissed: z.boolean(),
  /** The session that it was forked from. */
  parent: z.string().nullable(),
  /** A person went back; what followed goes with the next message. */
  isBack: z.boolean(),
  /** Number of turns that it cut off, which `undoGoBack` brings back; 0 from the next message on. */
  cutTurns: z.number().int(),
});
export type Session = z.infer<typeof sessionSchema>;

export const eventKinds = [
  'turn-started',
  'turn-ended',
  'update',
  'void',
  'question',
  'answered',
  'steered',
  'steering-read',
  'edit',
  'cost',
  'applied',
  'note',
] as const;

/** `event` of the kind `turn-ended`. */
export const endedTurnSchema = z.looseObject({
  state: turnStateSchema,
  stopReason: z.string().nullable(),
  problem: turnProblemSchema.nullable(),
  usage: z.unknown().optional(),
});

/**
 * One event of a session. `seq` counts up over all sessions: the cursor to go on from. What is in `event` depends on
 * `kind`; docs/sessions.md has them all. An update of an agent is passed on as it came, in `event.update`.
 */
export const sessionEventSchema = z.object({
  seq: z.number().int(),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  at: z.number(),
  kind: z.enum(eventKinds),
  event: z.union([endedTurnSchema, z.unknown()]),
  /** Texts that were too long to keep: where, how long they were, how much is left. Null if it is whole. */
  cuts: z.array(z.object({ at: z.string(), length: z.number(), kept: z.number() })).nullable(),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/**
 * `made`: as the agent left it. `accepted`: a person looked at it. `undone`: taken back. `untracked`: the agent ran
 * something that may have changed files, of which no versions are kept.
 */
const editStateSchema = z.enum(['made', 'accepted', 'undone', 'untracked']);

/** What a turn, or the whole session, did to one file. */
const changedFileSchema = z.object({
  path: z.string(),
  state: editStateSchema,
  /** Ids of its edits, the first one first. */
  edits: z.array(z.string()),
  /** Single places of them that a person took back. `redoChanges` makes them again where no whole edit is undone. */
  undoneHunks: z.number().int(),
  /** True if a command changed it, or something else did while a command ran. */
  byCommand: z.boolean(),
  /** The change as a patch; null if the versions are kept no longer, or were never. */
  patch: z.string().nullable(),
  added: z.number().int(),
  removed: z.number().int(),
  isNew: z.boolean(),
  isDeleted: z.boolean(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

export const changesSchema = z.object({
  files: z.array(changedFileSchema),
  /** How many commands ran. */
  commands: z.number().int(),
  /** Of those, how many may have changed files that are not listed. */
  untracked: z.number().int(),
});
export type Changes = z.infer<typeof changesSchema>;

/** A file that the agent edited, as it is on disk now beside how the edits left it. */
export const fileNowSchema = z.object({
  path: z.string(),
  /**
   * `as-before`: something else undid the edits. `changed`: something else wrote it. `changed-between`: something else
   * wrote the same lines between them. `unreadable`: see `problem`.
   */
  now: z.enum(['as-left', 'as-before', 'changed', 'changed-between', 'gone', 'unreadable']),
  /** True if it is in none of the session's folders: it is written only where a person agreed to that. */
  isOutside: z.boolean(),
  /** Why it is never written: a link, no text, too large. Null if it can be read. */
  problem: problemSchema.nullable(),
  /** When it was last written, ms since the epoch; null if unknown, or if that was an undo here. */
  modifiedAt: z.number().nullable(),
});
export type FileNow = z.infer<typeof fileNowSchema>;

/**
 * Patches of a file: `since` for changes by others, `back` for the undo or redo. `merged` is the text with both; null
 * if they conflict.
 */
const threeWaySchema = z.object({ since: z.string(), back: z.string(), merged: z.string().nullable() });
export type ThreeWay = z.infer<typeof threeWaySchema>;

/** A file's whole text before and after its edits; null if there was no such file. */
export const fileVersionsSchema = z.object({
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Where something else wrote it since the last of them; null if nothing did, or it can't be read. */
  threeWay: threeWaySchema.nullable(),
});
export type FileVersions = z.infer<typeof fileVersionsSchema>;

/** What became of one file that was to be put back. */
export const putBackSchema = z.object({
  path: z.string(),
  isDone: z.boolean(),
  /**
   * Why not; null: it is done. `changed-since`: something else wrote it after the edit, `changed-between`: between two
   * of them. `outside`: it is in none of the session's folders, and was not among those that a person agreed to.
   */
  problem: problemSchema.nullable(),
  /** Where something else changed it. */
  threeWay: threeWaySchema.nullable(),
});
export type PutBack = z.infer<typeof putBackSchema>;

const choice = z.string().min(1).max(200).nullable();
/** What a session is to run with; null for the agent's own choice. What is left out stays. */
export const choicesSchema = z.strictObject({
  model: choice.exactOptional(),
  effort: choice.exactOptional(),
  /** Any mode but the one that asks nothing, which is refused. */
  mode: choice.exactOptional(),
  directories: z.array(z.string().min(1).max(4_096)).max(50).exactOptional(),
  /** Ids of plugins, as `sessionInForce` has them, that are off in this session. Counts from the next message on. */
  pluginsOff: z.array(z.string().min(1).max(200)).max(100).exactOptional(),
});

const ruleWordsSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  input: z.string().min(1).max(10_000).nullable(),
  isExact: z.boolean(),
});

/** What a person says to a question: `form` to a form, one of the others to a permission question. */
export const answerSchema = z.discriminatedUnion('answer', [
  z.strictObject({
    answer: z.literal('allow'),
    /** One of the agent's own options: how a plan is approved. */
    optionId: z.string().max(200).exactOptional(),
    /** Input to run in place of the agent's. */
    input: z.record(z.string(), z.unknown()).exactOptional(),
    /** The like is not asked again in this session. */
    rule: ruleWordsSchema.exactOptional(),
    /** Edits are accepted from here on. */
    acceptEdits: z.boolean().exactOptional(),
  }),
  z.strictObject({ answer: z.literal('deny'), words: z.string().max(20_000).exactOptional() }),
  z.strictObject({
    answer: z.literal('form'),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).exactOptional(),
  }),
]);

export const sessionQuestionSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  kind: z.enum(['permission', 'form']),
  /** The subagent that asks; null for the session itself. */
  child: z.string().nullable(),
  /** The agent's question, in ACP's words. */
  request: z.unknown(),
  askedAt: z.number(),
});
export type SessionQuestion = z.infer<typeof sessionQuestionSchema>;

export const eventPageSchema = z.object({
  events: z.array(sessionEventSchema),
  /** The cursor to go on from. */
  last: z.number().int(),
  more: z.boolean(),
  /** Events after the cursor were dropped: read everything again. */
  gap: z.boolean(),
});

export const sessionTurnSchema = z.object({
  id: z.string(),
  /** Counts from 1 within the session. */
  number: z.number().int(),
  state: turnStateSchema,
  /** Null if the agent began it by itself. */
  prompt: promptBlocksSchema.nullable(),
  initiator: z.enum(['user', 'agent']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  stopReason: z.string().nullable(),
  problem: turnProblemSchema.nullable(),
  /** Rows of the log. */
  requestIds: z.array(z.string()),
  /** The agent's own names of its prompts, as the rows of the log have them. */
  promptIds: z.array(z.string()),
  /** A fork can begin after it. */
  canFork: z.boolean(),
  cost: turnCostSchema,
});
export type SessionTurn = z.infer<typeof sessionTurnSchema>;

export const wayBackSchema = z.object({
  /** The message that was cut off. */
  prompt: promptBlocksSchema,
  files: z.array(putBackSchema),
  /** The session as it was before. */
  copy: z.string(),
});

/** `own`: installed by the person. `fetched`: by Jumpseat, on request. `file`: one that the person chose. */
export const agentSourceSchema = z.enum(['own', 'fetched', 'file']);
export type AgentSource = z.infer<typeof agentSourceSchema>;

/** A program that is there. */
const foundProgramSchema = z.object({
  path: z.string(),
  /** Null if it named none. */
  version: z.string().nullable(),
  /** Why it can't lead sessions; null if it can. */
  problem: z.enum(['too-old', 'silent']).nullable(),
});
export type FoundProgram = z.infer<typeof foundProgramSchema>;

/** Where an agent's program may come from. */
const agentSourcesSchema = z.object({
  /** The person’s choice; null for their own program if it is new enough, otherwise the copy. */
  chosen: agentSourceSchema.nullable(),
  /** The first one on the PATH; null if there is none. */
  own: foundProgramSchema.nullable(),
  /** Null if none was chosen, or it is gone. */
  file: foundProgramSchema.nullable(),
  /** What Jumpseat fetches, and how much of it (with its adapter) is missing; null: there is none for this system. */
  copy: z
    .object({
      /** Version of the installed package; if there is none, of the one that would be fetched. */
      version: z.string(),
      isHere: z.boolean(),
      bytes: z.number(),
      /** What could take its place, as far as that is known without asking anybody; null if nothing. */
      newer: z.object({ version: z.string(), bytes: z.number() }).nullable(),
    })
    .nullable(),
  /** Size of its adapter, fetched with any of them, in bytes; 0 if it is here. */
  leaderBytes: z.number(),
  /** True if an earlier Jumpseat ran it with another version of the adapter. */
  wasLed: z.boolean(),
  oldest: z.string(),
});
export type AgentSources = z.infer<typeof agentSourcesSchema>;

/** What a registry has: the newest version that could be used, which may be the one in use. */
export const newestFoundSchema = z.object({ version: z.string(), isNewer: z.boolean() });
export type NewestFound = z.infer<typeof newestFoundSchema>;

/** What came of bringing back what was cut off. */
export const wayForwardSchema = z.object({
  /** The first message that is back; it was put into the field when the session went back. */
  prompt: promptBlocksSchema,
  files: z.array(putBackSchema),
});

export const agentStateSchema = z.object({
  name: agentNameSchema,
  title: z.string(),
  isAvailable: z.boolean(),
  version: z.string().nullable(),
  from: agentSourceSchema.nullable(),
  /** Path of its program; null if unknown. */
  path: z.string().nullable(),
  /** What is missing, and what to do about it; null if nothing. */
  problem: problemSchema.nullable(),
  /** What `fetchAgent` would take from the registry; null if nothing that would help. */
  fetchable: z.object({ bytes: z.number() }).nullable(),
  /** Null if there is no choice. */
  sources: agentSourcesSchema.nullable(),
  /** What is being fetched now, in bytes, and for which source; null if nothing is. */
  fetching: z
    .object({ from: agentSourceSchema.nullable(), received: z.number(), total: z.number().nullable() })
    .nullable(),
  /** Why the last fetch came to nothing. `fetch-altered`: not the bytes that were chosen. Null if it did not. */
  failure: problemSchema.nullable(),
});
export type AgentState = z.infer<typeof agentStateSchema>;

/**
 * A question that is asked beside a session's conversation and is no part of it. `interrupted`: it was under way when
 * Jumpseat ended. Times in ms since the epoch.
 */
export const sideQuestionSchema = z.object({
  id: z.string(),
  question: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed', 'interrupted']),
  /** Markdown; null until it has come, or if none came. */
  answer: z.string().nullable(),
  /** Null unless it failed. */
  problem: turnProblemSchema.nullable(),
  askedAt: z.number(),
  endedAt: z.number().nullable(),
  cost: turnCostSchema,
});
export type SideQuestion = z.infer<typeof sideQuestionSchema>;
