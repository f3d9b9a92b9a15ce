import type {
  QueuedMessage,
  SessionEvent,
  SessionQuestion,
  TurnCost,
  TurnProblem,
  TurnState,
} from '../../../app/api/sessions.ts';
import type { ToolKind } from '../../../app/words/agents.ts';
import type { AskedFor } from '../../../app/words/session-questions.ts';

/**
 * One conversation as the window shows it: a fold of the host's events, or of a transcript's turns, which is the same.
 * Every object is replaced where it changes and kept where it doesn't, so that views can compare by identity.
 */
export interface Conversation {
  sessionId: string;
  /** The oldest first. */
  turns: readonly Turn[];
  /** There are older turns, which have not been read. */
  hasOlder: boolean;
  /** The list of tasks as the agent last said it; null if it has none. */
  tasks: readonly Task[] | null;
  /** Waiting questions, oldest first. */
  questions: readonly SessionQuestion[];
  /** Words for the running turn that the agent has not read yet. */
  steering: readonly QueuedMessage[];
  /** The cursor after the last event that is in it. */
  last: number;
  /** Events about steps in turns that have not been read: applied once they are. */
  unplaced: readonly SessionEvent[];
}

export interface Task {
  text: string;
  state: 'pending' | 'running' | 'done';
}

export interface Turn {
  id: string;
  /** Counts from 1 within the session; null for a transcript's turn that Jumpseat did not lead. */
  number: number | null;
  /** What was said; null if the agent began it by itself. */
  prompt: readonly PromptBlock[] | null;
  /** The background task whose end began it; null if none did, or its name is not known. */
  task: string | null;
  /** `notification`: a background task ended. */
  begunBy: 'prompt' | 'notification' | 'earlier-conversation';
  initiator: 'user' | 'agent' | null;
  state: TurnState;
  /** ms since the epoch; null if unknown. */
  startedAt: number | null;
  firstWordAt: number | null;
  endedAt: number | null;
  problem: TurnProblem | null;
  /** What it asked for when it was stopped or cut off; null if nothing. */
  askedAtEnd: AskedFor | null;
  /** Null if it did not run through Jumpseat. */
  cost: TurnCost | null;
  /** Ids of its prompts on the wire, if a transcript has them; empty if unknown. */
  promptIds: readonly string[];
  requestIds: readonly string[];
  /** Models that answered in it; empty if unknown. */
  models: readonly string[];
  canFork: boolean;
  /** The list of tasks as the agent last said it in this turn; null if it did not. */
  tasks: readonly Task[] | null;
  blocks: readonly Block[];
}

/** A block of ACP. */
export type PromptBlock = { type: string } & Readonly<Record<string, unknown>>;

/** What happened in a turn, in its order. `id` is the same for as long as the block is there. */
export type Block = TextBlock | ThinkingBlock | Step | SteeredBlock | CompactionBlock | NoteBlock;

/** Markdown. `isOpen`: more of it may come. */
export interface TextBlock {
  kind: 'text';
  id: string;
  /** The agent's message that it is a part of; null if unknown. */
  message: string | null;
  text: string;
  isOpen: boolean;
}

export interface ThinkingBlock {
  kind: 'thinking';
  id: string;
  message: string | null;
  text: string;
  isOpen: boolean;
  startedAt: number | null;
  endedAt: number | null;
}

/** What the person said into the running turn. */
export interface SteeredBlock {
  kind: 'steered';
  id: string;
  prompt: readonly PromptBlock[];
  at: number | null;
}

export interface CompactionBlock {
  kind: 'compaction';
  id: string;
  isOpen: boolean;
  at: number | null;
  /** Tokens; null if unknown. */
  before: number | null;
  after: number | null;
  summary: string | null;
}

/** A `note` of the host, or an update that no kind of block is made for. */
export interface NoteBlock {
  kind: 'note';
  id: string;
  code: string;
  at: number | null;
  detail: unknown;
}

export type StepKind = ToolKind;

/** `denied`: by the person or a rule. `cut`: the turn ended first. `background`: it goes on after the turn. */
export type StepState = 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'cut' | 'background';

/**
 * A tool call. One of kind `tasks` stands at the end of a turn that has ended, and holds what its list of tasks was
 * then: while a turn runs, the list is the conversation's.
 */
export interface Step {
  kind: 'step';
  /** Id of the tool call; for a subagent, its own id until its agent names the call. */
  id: string;
  stepKind: StepKind;
  state: StepState;
  /** The agent's name of the tool: `Bash`, `mcp__sentry__search`. */
  tool: string;
  title: string;
  /** Input from the agent; null until it is reported. */
  input: Readonly<Record<string, unknown>> | null;
  /** What the agent asked for, where a person had something else run; null if nothing was changed. */
  inputAsked: Readonly<Record<string, unknown>> | null;
  /** What came back: differences first, then what was printed or said, as one text, then images. */
  content: readonly StepContent[];
  /** What came back where it is no text; else null. */
  rawOutput: unknown;
  /**
   * What the agent noted beside the result (`toolResponse` of Claude Code), without what stands in `content` or in
   * `input`: whole files, outputs.
   */
  response: Readonly<Record<string, unknown>> | null;
  /** Exit code of a command; null if there is none or it is unknown. */
  exitCode: number | null;
  /** Only for kind `tasks`. */
  tasks: readonly Task[] | null;
  locations: readonly { path: string; line: number | null }[];
  /** Later by what was waited for a person, so that what is left until its end is its own. */
  startedAt: number | null;
  endedAt: number | null;
  /** How a question about it was answered; null if none was asked. */
  answered: Answered | null;
  /** What a subagent did, where the step is one. */
  lane: Lane | null;
  /** Files of which a person took its edits back. */
  undone: readonly string[];
  /** Lines that a command changed; null if it changed none, or that isn't known. */
  changed: { added: number; removed: number } | null;
  /** Texts of it that were too long to keep. */
  cuts: readonly { at: string; length: number; kept: number }[];
}

export type StepContent =
  | { type: 'text'; text: string }
  /** `bytes`: it was too large to keep, and has no data. */
  | { type: 'image'; mimeType: string; data: string; bytes?: number }
  | { type: 'diff'; path: string; oldText: string | null; newText: string }
  | { type: 'other'; block: unknown };

export interface Answered {
  by: 'person' | 'rule' | 'withdrawn' | 'stopped';
  /** `allow`, `deny` or a form's action. */
  answer: unknown;
  rule: unknown;
}

/** A subagent's own steps and words. */
export interface Lane {
  /** Id of the subagent; null if its agent names none. */
  id: string | null;
  type: string | null;
  task: string | null;
  isBackground: boolean;
  /** Empty until it is read, where the session was not followed live. */
  blocks: readonly Block[];
  /** How many steps it took, its own subagents' not counted. */
  steps: number;
  /** What its requests cost so far; null if unknown. */
  nanoAiu: number | null;
}
