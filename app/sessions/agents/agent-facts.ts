import type { RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { InForce } from '../../api/session-surroundings.ts';
import type { BackgroundTask, SessionRule } from '../../api/sessions.ts';
import type { AgentExit } from './agent.ts';

/**
 * What an agent tells about a session beyond the protocol's updates, in words that fit any agent. Who hosts sessions
 * acts on these, and knows no agent's own messages.
 * - `prompt`: its own id of a prompt that it has taken up.
 * - `prompt-dropped`: it does not go on with a prompt. One that it had not taken up is lost with it.
 * - `message`: a message of the model is whole. Parts of one that never gets whole were cut, and are void.
 * - `mode`: the permission mode in force, also where the protocol's updates say nothing of a change.
 * - `begun`: a turn begins, with this mode, these plugins and these servers in force.
 * - `working`: it began or ended to work, also without a prompt.
 * - `retry`: a request failed, and is sent again after a while.
 * - `tasks`: all that runs in the background now.
 * - `ended`: the process that it has for this session alone ended by itself.
 */
export type AgentFact =
  | { kind: 'prompt' | 'prompt-dropped'; sessionId: string; promptId: string }
  | {
      kind: 'message';
      sessionId: string;
      /** Id that the updates use. */
      messageId: string;
      /** Id in its transcript, which `resume` and `fork` require. */
      transcriptId: string;
      /** The row of our log; null if none is named. */
      requestId: string | null;
      /** True for a subagent's facts. */
      isSubagent: boolean;
    }
  | { kind: 'mode'; sessionId: string; mode: string }
  | {
      kind: 'begun';
      sessionId: string;
      mode: string;
      plugins: InForce['plugins'];
      /** Plugins that were not loaded, or not all of them, by their folder or id. */
      pluginErrors: { plugin: string; path: string | null; message: string }[];
      /** By the words of `InForce`. */
      servers: { name: string; state: string }[];
    }
  | {
      kind: 'retry';
      sessionId: string;
      delayMs: number;
      /** HTTP status of the answer; null if there was none. */
      status: number | null;
    }
  | { kind: 'tasks'; sessionId: string; tasks: BackgroundTask[] }
  | { kind: 'working'; sessionId: string; isWorking: boolean }
  | { kind: 'ended'; sessionId: string; exit: AgentExit };

/** A tool call's change to one file, as the agent reports it: whole texts, null if there was no file. */
export interface ReportedEdit {
  toolCallId: string;
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * What an option of a permission question would allow from then on, as a rule of the session. `none`: no rule allows
 * just that. Null if the option allows nothing from then on, or the agent does it for the session alone.
 */
export type LastingRule = Omit<SessionRule, 'id'> | 'none' | null;

/** How an agent's own messages are read. Pure functions. */
export interface FactReader {
  /** Reads a notification outside the protocol; null if it is not relevant to a host. */
  factOf(method: string, params: unknown): AgentFact | null;
  /** Null if the update reports no completed edit. */
  editOf(update: SessionUpdate): ReportedEdit | null;
  /** True if a tool call can change files without reporting which. */
  changesFilesUnreported(update: SessionUpdate): boolean;
  /** The id of a call that a person or a rule denied, so that it changed nothing; null for any other update. */
  deniedCall(update: SessionUpdate): string | null;
  /** Its mode in which edits are not asked about; null if it has none. */
  readonly acceptEdits: string | null;
  /** The mode in which the agent goes on once a person chose this option of a question; null if it stays as it is. */
  modeAfter(optionId: string): string | null;
  /** False: an option of a permission question that would lead a session where no answer may. */
  mayOffer(optionId: string): boolean;
  /** Such an option is never given to the agent: it would write it into settings. The host keeps the rule itself. */
  lastingRule(request: RequestPermissionRequest, optionId: string): LastingRule;
}

/** For an agent that sends nothing beyond the protocol. */
export const plainFacts: FactReader = {
  factOf: () => null,
  editOf: () => null,
  changesFilesUnreported: (update) => update.sessionUpdate === 'tool_call' && update.kind === 'execute',
  deniedCall: () => null,
  acceptEdits: null,
  modeAfter: () => null,
  mayOffer: () => true,
  lastingRule: () => null,
};
