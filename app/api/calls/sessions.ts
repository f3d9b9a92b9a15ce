import { z } from 'zod';
import { both, type CallTable, large, tray } from '../call.ts';
import {
  foundSessionsSchema,
  sessionCostSchema,
  sessionEditSumSchema,
  sessionListSchema,
  sessionProcessSchema,
  subagentSchema,
  transcriptPageSchema,
} from '../session-list.ts';
import {
  askedFilesSchema,
  branchChangesSchema,
  folderFactsSchema,
  namedPathSchema,
  sessionFilesSchema,
  sessionInForceSchema,
  sessionOffersSchema,
} from '../session-surroundings.ts';
import {
  agentNameSchema,
  agentSourceSchema,
  agentStateSchema,
  answerSchema,
  changesSchema,
  choicesSchema,
  eventPageSchema,
  fileNowSchema,
  fileVersionsSchema,
  newestFoundSchema,
  promptBlocksSchema,
  putBackSchema,
  sessionQuestionSchema,
  sessionRuleSchema,
  sessionSchema,
  sessionTurnSchema,
  sideQuestionSchema,
  wayBackSchema,
  wayForwardSchema,
} from '../sessions.ts';

const id = z.string().min(1).max(100);
const ofSession = z.strictObject({ session: id });
/** Id that a window gave itself. */
const windowId = z.string().min(1).max(100);
const ofDraft = z.strictObject({ key: z.string().min(1).max(4_200) });
const ofTurn = ofSession.extend({ turn: id });
/** Null for all of them. */
const paths = z.array(z.string().max(4_096)).max(1_000).nullable();
/** Files outside of the session's folders that a person agreed to have written; others there are left alone. */
const outside = z.array(z.string().max(4_096)).max(1_000).exactOptional();
/** A file that something else changed in other lines is written, too: those changes stay. */
const keepOthers = z.boolean().exactOptional();
const folder = z.string().min(1).max(4_096);

/** Sessions on this machine as their agents keep them. Nothing is started, and no transcript is written to. */
export const sessionListCalls = {
  sessionList: both(z.tuple([]), sessionListSchema),
  /**
   * Cost of each session, hosted here or not, also of requests that the log no longer has. Sessions without a request
   * through Jumpseat are left out. Rejects when the history can’t be read.
   */
  sessionCosts: both(z.tuple([]), z.array(sessionCostSchema)),
  /** Sums of the edits of these sessions; zeros where there were none. */
  editSums: both(z.tuple([z.array(id).max(200)]), z.array(sessionEditSumSchema)),
  /** Titles at once; what was said as far as it has been read. */
  findSessions: both(z.tuple([z.string().max(200)]), foundSessionsSchema),
  /**
   * The last turns of a session, or of a subagent of it, that stand before a place. Null: there is no such transcript.
   * Rejects where it can't be read.
   */
  transcript: both(
    z.tuple([
      z.strictObject({
        id,
        agentId: z.string().max(100).nullable().default(null),
        before: z.number().int().min(0).nullable().default(null),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    ]),
    transcriptPageSchema.nullable(),
  ),
  /** Process of the agent, also in a terminal. Null if none is known. */
  sessionProcess: both(z.tuple([id]), sessionProcessSchema.nullable()),
  /** The subagents that a session had. */
  subagents: both(z.tuple([id]), z.array(subagentSchema)),
} satisfies CallTable;

/** Calls about hosted sessions. `sessionList` has those on disk, also of other programs. */
export const sessionCalls = {
  /** Sessions that this process holds: running, waiting, idle or provisional. */
  heldSessions: both(z.tuple([]), z.array(sessionSchema)),
  /** One session by its id, also if it was made elsewhere. Starts nothing. */
  session: both(z.tuple([id]), sessionSchema),
  /** Provisional until its first message. The same id again is the same session. */
  newSession: both(
    z.tuple([
      z.strictObject({
        cwd: folder,
        agent: agentNameSchema.default('claude'),
        id: z.uuid().exactOptional(),
        title: z.string().max(200).nullable().default(null),
        choices: choicesSchema.default({}),
      }),
    ]),
    sessionSchema,
  ),
  /** Behind others that wait. The same message id again is the same message. Answers when it is on disk. */
  sendMessage: large(
    both(
      z.tuple([ofSession.extend({ prompt: promptBlocksSchema, id: z.uuid().exactOptional() })]),
      z.object({ turnId: z.string() }),
    ),
  ),
  /** An image of a turn's prompt that its record has only by its size; null if it is no longer stored. */
  promptImage: both(
    z.tuple([z.strictObject({ turn: id, block: z.number().int().min(0).max(1_000) })]),
    z.object({ mimeType: z.string(), data: z.string() }).nullable(),
  ),
  /** Into the running turn at its next step; as a message of its own where none runs. */
  steerSession: large(
    both(
      z.tuple([ofSession.extend({ prompt: promptBlocksSchema, id: z.uuid().exactOptional() })]),
      z.object({ turnId: z.string() }),
    ),
  ),
  /** Answers what was steered, which the running turn has no more. Null if the agent has read it. */
  takeBackSteering: both(z.tuple([ofSession.extend({ message: id })]), promptBlocksSchema.nullable()),
  /** A message that waits, into the running turn at its next step. False: it is not in the queue any more. */
  steerQueued: both(z.tuple([ofSession.extend({ message: id })]), z.boolean()),
  /** Blocks of which something was left out (`_meta.jumpseat.leftOut`) stay as they are. */
  changeQueued: large(both(z.tuple([ofSession.extend({ message: id, prompt: promptBlocksSchema })]), z.boolean())),
  removeQueued: both(z.tuple([ofSession.extend({ message: id })]), z.boolean()),
  orderQueue: both(z.tuple([ofSession.extend({ messages: z.array(id).max(1_000) })]), z.void()),
  /** Sends what waits after a stop, a failure or a restart. */
  sendQueued: both(z.tuple([id]), z.void()),
  /** Goes on once, by “Go on where you stopped.”, when the limit is over that its last turn ended at. */
  continueLater: both(z.tuple([id]), z.void()),
  /** Takes `continueLater` back. */
  dontContinue: both(z.tuple([id]), z.void()),
  stopSession: both(z.tuple([id]), z.void()),
  /** Ends one subagent, or one background task; the turn goes on. */
  stopTask: both(z.tuple([ofSession.extend({ task: id })]), z.void()),
  /** Has the agent sum the conversation up, as a turn of its own behind those that wait. */
  compactSession: both(z.tuple([id]), z.object({ turnId: z.string() })),
  unloadSession: both(z.tuple([id]), z.void()),
  /** Where its folder is now. Not while a turn runs. */
  moveSession: both(z.tuple([ofSession.extend({ folder })]), z.void()),
  chooseForSession: both(z.tuple([ofSession.extend({ choices: choicesSchema })]), z.void()),
  /** Lasts until the session or Jumpseat ends. Not in a browser. */
  neverAsk: tray(z.tuple([id]), z.void()),
  /** After a cursor, of one session or of all; what a front missed while it was away. */
  sessionEvents: both(
    z.tuple([
      z.strictObject({
        session: id.nullable(),
        after: z.number().int().min(0),
        limit: z.number().int().min(1).max(2_000).default(500),
      }),
    ]),
    eventPageSchema,
  ),
  /**
   * The last events of a session before a number, in their order; null for up to now. Here `more` says that there are
   * older ones, `gap` that some older ones are kept no longer; `last` is the cursor to go on from with `sessionEvents`.
   */
  sessionPast: both(
    z.tuple([
      ofSession.extend({
        before: z.number().int().min(1).nullable().default(null),
        limit: z.number().int().min(1).max(2_000).default(500),
      }),
    ]),
    eventPageSchema,
  ),
  /** The last ones before a number, with what they cost; the newest last. */
  sessionTurns: both(
    z.tuple([
      ofSession.extend({
        before: z.number().int().min(1).nullable().default(null),
        limit: z.number().int().min(1).max(500).default(50),
      }),
    ]),
    z.array(sessionTurnSchema),
  ),
  /** Questions of one session, or of all, that wait for an answer. */
  sessionQuestions: both(z.tuple([id.nullable()]), z.array(sessionQuestionSchema)),
  /** False: too late, the agent had gone on. */
  answerQuestion: both(z.tuple([ofSession.extend({ question: id, answer: answerSchema })]), z.boolean()),
  sessionRules: both(z.tuple([id]), z.array(sessionRuleSchema)),
  takeBackRule: both(z.tuple([ofSession.extend({ rule: id })]), z.boolean()),
  /** Changes of one turn, or of the whole session. */
  sessionChanges: both(z.tuple([ofSession.extend({ turn: id.nullable() })]), changesSchema),
  /** The same files as they are on disk now; those without kept versions are left out. */
  filesNow: both(z.tuple([ofSession.extend({ turn: id.nullable() })]), z.array(fileNowSchema)),
  /** Versions of one changed file. Null if they were deleted or never stored. */
  fileVersions: both(
    z.tuple([ofSession.extend({ turn: id.nullable(), path: z.string().max(4_096) })]),
    fileVersionsSchema.nullable(),
  ),
  /** Writes one that is gone as its edits left it; never over a file. */
  bringBack: both(
    z.tuple([ofSession.extend({ turn: id.nullable(), path: z.string().max(4_096), outside })]),
    putBackSchema,
  ),
  /** A person looked at these; `accepted` false: takes that back. Changes nothing on disk. */
  acceptChanges: both(
    z.tuple([ofSession.extend({ turn: id.nullable(), paths, accepted: z.boolean().exactOptional() })]),
    z.void(),
  ),
  undoChanges: both(
    z.tuple([ofSession.extend({ turn: id.nullable(), paths, outside, keepOthers })]),
    z.array(putBackSchema),
  ),
  /** One place of a file's `patch`, named by its `@@` line. A file that something else wrote since is left alone. */
  undoHunk: both(
    z.tuple([
      ofSession.extend({ turn: id.nullable(), path: z.string().max(4_096), hunk: z.string().max(200), outside }),
    ]),
    putBackSchema,
  ),
  redoChanges: both(
    z.tuple([ofSession.extend({ turn: id.nullable(), paths, outside, keepOthers })]),
    z.array(putBackSchema),
  ),
  /** `turn` null: after the last one that has an answer. Rejects with `no-answer` where there is none. */
  forkSession: both(z.tuple([ofSession.extend({ turn: id.nullable(), id: z.uuid().exactOptional() })]), sessionSchema),
  goBack: both(z.tuple([ofTurn.extend({ withFiles: z.boolean(), outside })]), wayBackSchema),
  /** Possible until the next message. Edits that were undone with it are made again; the copy stays. */
  undoGoBack: both(z.tuple([id]), wayForwardSchema),
  /** Null for the agent's own name. */
  renameSession: both(z.tuple([ofSession.extend({ title: z.string().max(200).nullable() })]), z.void()),
  pinSession: both(z.tuple([ofSession.extend({ pinned: z.boolean() })]), z.void()),
  /**
   * The conversation goes to the trash of this machine, with the versions kept for undo; what runs is stopped first.
   * Files that the agent changed stay, and its rows in the log. Also one that was made elsewhere.
   */
  deleteSession: both(z.tuple([id]), z.void()),
  /** What ended until now was seen. */
  sawSession: both(z.tuple([id]), z.void()),
  /** How its last turn failed was looked at, and is done with. Another turn that fails is a failure of its own. */
  dismissFailure: both(z.tuple([id]), z.void()),
  /**
   * What a person was writing in a window: to a session, or to a new one in a folder. A window that has none gets the
   * latest of those that are gone, and keeps it. `living`: the others that it knows to be open. Null if nothing.
   */
  draft: both(
    z.tuple([ofDraft.extend({ window: windowId.nullable(), living: z.array(windowId).max(500) })]),
    z.unknown(),
  ),
  keepDraft: large(both(z.tuple([ofDraft.extend({ window: windowId, draft: z.unknown() })]), z.void())),
  trustedFolders: both(z.tuple([]), z.array(z.string())),
  /** Settings, hooks and servers of this folder and of those below it count from the next start on. */
  trustFolder: both(z.tuple([folder]), z.void()),
  distrustFolder: both(z.tuple([folder]), z.boolean()),
  /** What can lead sessions here, and what is missing. */
  agents: both(z.tuple([]), z.array(agentStateSchema)),
  /** Choices for new sessions of an agent. */
  agentOffers: both(z.tuple([agentNameSchema]), sessionOffersSchema.pick({ models: true, modes: true })),
  /** All versions of files that are kept for undo, of every session; the files stay. How many went. */
  deleteVersions: both(z.tuple([]), z.number().int()),
  /**
   * Runs sessions with the program from there, from the next start of its process on. What is missing for it is fetched
   * first: see `agent` of the events. Rejects where it can't be used; then what was chosen before is in force.
   */
  chooseAgent: both(z.tuple([agentNameSchema, agentSourceSchema.exclude(['file'])]), z.void()),
  /** Ends what `chooseAgent` or `fetchAgent` fetches. Nothing of it is kept. */
  stopFetching: both(z.tuple([agentNameSchema]), z.void()),
  /**
   * Asks the npm registry for the newest version of an agent's program, because a person asked: nothing else does.
   * `sources` names it from then on. Rejects where there is a newer one that can't be told to be npm's.
   */
  findNewerAgent: both(z.tuple([agentNameSchema]), newestFoundSchema),
  /**
   * Fetches the newer copy that `sources` names; a version that Jumpseat was not built for is tried first. Processes
   * that run keep their version. Rejects where it came to nothing; then the one before it is used.
   */
  updateAgent: both(z.tuple([agentNameSchema]), z.void()),
  /** Takes away what Jumpseat fetched as an agent's program. Rejects where it is in use and the system insists. */
  removeAgentCopy: both(z.tuple([agentNameSchema]), z.void()),
  /** Fetches what an agent needs, because a person asked for it. Resolves when it is there. */
  fetchAgent: both(z.tuple([agentNameSchema]), z.void()),
} satisfies CallTable;

/** A session's choices, what is in force in it, and its folder. Starts nothing. */
export const sessionSurroundingCalls = {
  /** For the menus of commands, models and permission modes; also of a session that has no process. */
  sessionOffers: both(z.tuple([id]), sessionOffersSchema),
  sessionInForce: both(z.tuple([id]), sessionInForceSchema),
  /** Files of the session's folder, for `@`. Bounded. */
  sessionFiles: both(z.tuple([id]), sessionFilesSchema),
  /** Files and folders at the paths that a message names: absolute, or relative to the session's folder. */
  namedPaths: both(
    z.tuple([ofSession.extend({ paths: z.array(z.string().min(1).max(4_096)).max(200) })]),
    z.array(namedPathSchema),
  ),
  /**
   * The files that an open question names, and no others: those it would change or read, a plan's, and what a command
   * writes over. Null if they are as they were at `version`, or the question is no longer open.
   */
  askedFiles: both(
    z.tuple([ofSession.extend({ question: id, version: z.string().max(200_000).nullable() })]),
    askedFilesSchema.nullable(),
  ),
  /**
   * Differences of the session's folder against the default branch. Null without a repository or a default branch.
   * `not-trusted`: the folder's repository might name programs that git runs for that.
   */
  branchChanges: both(z.tuple([id]), z.union([branchChangesSchema, z.literal('not-trusted')]).nullable()),
  /** A person looked at these versions of files; `accepted` false: takes that back. Changes nothing on disk. */
  acceptBranchFiles: both(
    z.tuple([
      ofSession.extend({
        files: z.array(z.strictObject({ path: z.string().max(4_096), version: z.string().max(100) })).max(1_000),
        accepted: z.boolean().exactOptional(),
      }),
    ]),
    z.void(),
  ),
  /** A folder that a session is to begin in. Rejects where it is none. */
  folder: both(z.tuple([folder]), folderFactsSchema),
} satisfies CallTable;

/** Questions beside a session's conversation. They are no part of it, and no session of their own. */
export const sideQuestionCalls = {
  /** Those of a session that were not closed, the oldest first. */
  sideQuestions: both(z.tuple([id]), z.array(sideQuestionSchema)),
  /**
   * Also while a turn runs. Sends a request of the person's with the conversation so far and the side questions before
   * it, and starts the session's process where none runs. Answers when it is on disk; the same id again is the same
   * question. One of a session at a time.
   */
  askSideQuestion: both(
    z.tuple([ofSession.extend({ question: z.string().min(1).max(20_000), id: z.uuid().exactOptional() })]),
    sideQuestionSchema,
  ),
  /** Ends the one that is under way. */
  stopSideQuestion: both(z.tuple([id]), z.void()),
  /** Erases questions and answers; null: all of the session. Stops one that is under way. Their costs stay. */
  closeSideQuestions: both(z.tuple([ofSession.extend({ questions: z.array(id).max(1_000).nullable() })]), z.void()),
} satisfies CallTable;

/** `all`: below Claude Code's own folder, for every one. `folder`: below the session's. */
const scopeSchema = z.enum(['all', 'folder']);

/** A command's name, as it is typed behind `/`. */
const nameSchema = z.string().regex(/^[A-Za-z][\w-]{0,63}$/);
const mostText = 64_000;

/** A file with a prompt, which Claude Code has as the command `/name`. */
const templateFileSchema = z.object({
  scope: scopeSchema,
  name: z.string(),
  path: z.string(),
  /** The whole file, front matter included. */
  raw: z.string(),
  /** Another one after each change. */
  version: z.string(),
});
export type TemplateFile = z.infer<typeof templateFileSchema>;

const templateFilesSchema = z.object({
  files: z.array(templateFileSchema),
  /** Whether the person trusts the session's folder: others may have written its files. */
  isTrusted: z.boolean(),
});

const placed = ofSession.extend({ scope: scopeSchema, name: nameSchema });

/** Prompts that a person keeps, in Claude Code's own files of commands. Read anew each time. */
export const templateCalls = {
  /** Those of the session's folder, and those for all. */
  templates: both(z.tuple([id]), templateFilesSchema),
  /** `replaces`: the version that it takes the place of; null: no file is there. Rejects where that isn't so. */
  writeTemplate: both(
    z.tuple([placed.extend({ raw: z.string().max(mostText), replaces: z.string().max(100).nullable() })]),
    templateFileSchema,
  ),
  /** Rejects where the file is another version by now. */
  deleteTemplate: both(z.tuple([placed.extend({ version: z.string().max(100) })]), z.void()),
} satisfies CallTable;
