import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import type { InForce } from '../../api/session-surroundings.ts';

/**
 * What an agent may do beyond the protocol. Who hosts sessions asks for an extra, never for the agent's name.
 * - `choose-id`: `session/new` takes the id that it is given.
 * - `permission-words`: an answer to a permission request may carry `PermissionWords`.
 * - `steer`: `steering` joins the running turn; the answer may carry `Steered`.
 * - The others are requests of the same name in `extraMethods`.
 */
export type AgentExtra = 'choose-id' | 'permission-words' | 'steer' | keyof typeof extraMethods;

/** Requests to an agent, by the extra that offers them; `ExtraRequests` has their arguments. */
export const extraMethods = {
  fork: '_jumpseat/fork',
  'stop-task': '_jumpseat/stop_task',
  'take-back': '_jumpseat/take_back',
  inventory: '_jumpseat/inventory',
  'side-question': '_jumpseat/side_question',
} as const;

/** `_session/steering` of the ACP adapters; `toSteering` makes its parameters. */
export const steering = '_session/steering';

/** Params and answer of each extra request. */
export interface ExtraRequests {
  /**
   * Copies a session up to a message of the agent's, by its uuid in the transcript (inclusive; null: all of it). Starts
   * nothing; the id is new.
   */
  fork: {
    params: { sessionId: string; cwd: string; messageId: string | null };
    answer: { sessionId: string };
  };
  /** Stops a subagent or a background command; the agent then reports that to the model in its own turn. */
  'stop-task': { params: { sessionId: string; taskId: string }; answer: Record<string, never> };
  /** Takes words for the running turn back. False: the agent has read them. */
  'take-back': { params: { sessionId: string; promptId: string }; answer: { isTaken: boolean } };
  /** What is in force in a running session, except for its plugins, which it reports by itself. Sends no request. */
  inventory: { params: { sessionId: string }; answer: Omit<InForce, 'plugins'> };
  /**
   * Asks something beside the conversation, also while a turn runs: neither its transcript nor its next request has it.
   * The agent runs no tool for it. `earlier`: side questions that it follows. `isNotice`: the agent's own words about
   * why the model gave no answer; null if it says nothing.
   */
  'side-question': {
    params: { sessionId: string; question: string; earlier: readonly { question: string; answer: string }[] };
    answer: { answer: string | null; isNotice: boolean };
  };
}

/** `_meta.jumpseat` of an answer to a permission request, with the extra `permission-words`. */
export interface PermissionWords {
  /** Words with a refusal, passed to the model as the person's. */
  words?: string;
  /** Input with a permission, run in place of the model's. */
  input?: Record<string, unknown>;
  /** True with a refusal that stops the turn. */
  isStop?: true;
}

/** `_meta.jumpseat` of an answer to `steering`. */
export interface Steered {
  /** Id that the fact `prompt` has once the agent reads the words. */
  promptId: string;
}

/** `_meta.jumpseat` of a permission request. */
export interface PermissionFacts {
  /** Rules that would allow similar calls, in the format of settings.json. */
  rules?: string[];
  /** Description of a server's tool, by the server. */
  says?: string;
  hints?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
}

/** `_meta.jumpseat` of a form or an address of a server's. */
export interface FormFacts {
  server: string;
}

/** Words for the running turn: they join it at its next tool result, or follow it as a turn. */
export function toSteering(sessionId: string, prompt: readonly unknown[]): Record<string, unknown> {
  return {
    sessionId,
    prompt,
    _meta: { steering: { idleBehavior: 'promptRequired' }, jumpseat: { priority: 'next' } },
  };
}

/** `data.exit` of an error of an agent that has a process for each session: how the one of this session ended. */
const reportedExitSchema = z.object({
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderr: z.string(),
});
export type ReportedExit = z.infer<typeof reportedExitSchema>;

/** Tells a host that the process of one session ended by itself; params: `sessionId` and `exit`. */
export const sessionEnded = '_jumpseat/session_ended';

/** Null if it is no such exit. */
export function readExit(value: unknown): ReportedExit | null {
  return reportedExitSchema.safeParse(value).data ?? null;
}

/** Null if the error is not about a process that ended. */
export function exitIn(error: unknown): ReportedExit | null {
  if (!(error instanceof RequestError) || typeof error.data !== 'object' || error.data === null) return null;
  return readExit(Reflect.get(error.data, 'exit'));
}
