import type { SessionNotification } from '@agentclientprotocol/sdk/unstable';

/**
 * What an agent may do beyond the protocol. Who hosts sessions asks for an extra, never for the agent's name.
 * - `choose-id`: `session/new` takes the id that it is given.
 * - `permission-words`: an answer to a permission request may carry `PermissionWords`.
 * - `steer`: `steering` joins the running turn.
 * - The others are requests of the same name in `extraMethods`.
 */
export type AgentExtra = 'choose-id' | 'permission-words' | 'steer' | keyof typeof extraMethods;

/** Requests to an agent, by the extra that offers them; what goes along is in `ExtraRequests`. */
export const extraMethods = {
  'rewind-files': '_jumpseat/rewind_files',
  replay: '_jumpseat/replay',
  fork: '_jumpseat/fork',
  context: '_jumpseat/context',
  'stop-task': '_jumpseat/stop_task',
  'session-rules': '_jumpseat/session_rules',
  inventory: '_jumpseat/inventory',
} as const;

/** `_session/steering` of the ACP adapters; `toSteering` makes its parameters. */
export const steering = '_session/steering';

/** Params and answer of each extra request. */
export interface ExtraRequests {
  /** Takes the agent's own edits since a prompt back, on disk. Needs the running session. */
  'rewind-files': {
    params: { sessionId: string; userMessageId: string; dryRun: boolean };
    answer: {
      canRewind: boolean;
      error?: string;
      /** Absolute paths; with `dryRun` alone. */
      filesChanged?: string[];
      insertions?: number;
      deletions?: number;
    };
  };
  /**
   * A session's history as the updates that tell it, without a process of its own. `messages` are the lines of its
   * transcript in their order, so that what a compaction left out is told too; absent: what the agent itself reads.
   */
  replay: {
    params: { sessionId: string; cwd: string; messages?: unknown[] };
    answer: { updates: SessionNotification[] };
  };
  /** Copies a session up to a message of the agent's (inclusive; null: all of it). Starts nothing; the id is new. */
  fork: {
    params: { sessionId: string; cwd: string; messageId: string | null };
    answer: { sessionId: string };
  };
  /** How full the conversation is. Asks nothing of the network. */
  context: {
    params: { sessionId: string };
    answer: {
      totalTokens: number;
      maxTokens: number;
      percentage: number;
      categories: { name: string; tokens: number }[];
    };
  };
  /** Stops a background task; the agent tells the model, which is a turn by itself. */
  'stop-task': { params: { sessionId: string; taskId: string }; answer: Record<string, never> };
  /**
   * What is allowed without a question while the session runs: the whole list, in the agent's own form, as
   * `RequestedRules` names them. Nothing is written to any settings; a list without a rule takes it back.
   */
  'session-rules': { params: { sessionId: string; allow: string[] }; answer: Record<string, never> };
  /** What is in force in a running session. */
  inventory: {
    params: { sessionId: string };
    answer: {
      mcpServers: { name: string; status: string; scope: string | null; error: string | null; tools: string[] }[];
      agents: { name: string; description: string }[];
      commands: { name: string; description: string }[];
    };
  };
}

/** `_meta.jumpseat` of an answer to a permission request, with the extra `permission-words`. */
export interface PermissionWords {
  /** With a refusal: what the person said about it, told to the model as their words. */
  words?: string;
  /** With a permission: what is run instead of the model's input. */
  input?: Record<string, unknown>;
}

/** `_meta.jumpseat` of a permission request: the rules that would allow the like, for `session-rules`. */
export interface RequestedRules {
  rules: string[];
}

/** Words for the running turn: they join it at its next tool result, or follow it as a turn. */
export function toSteering(sessionId: string, prompt: readonly unknown[]): Record<string, unknown> {
  return {
    sessionId,
    prompt,
    _meta: { steering: { idleBehavior: 'promptRequired' }, jumpseat: { priority: 'next' } },
  };
}
