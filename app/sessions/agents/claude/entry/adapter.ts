import type {
  InitializeRequest,
  InitializeResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk/unstable';

/**
 * What we reach for inside of claude-agent-acp, which keeps most of it to itself. Nothing else of it is relied on; a
 * contract test runs against each name, and `isAdapter` refuses to start where one is gone.
 */
export interface Adapter {
  readonly sessions: Record<string, AdapterSession | undefined>;
  /** Where its updates go. */
  client: AdapterClient;
  initialize(request: InitializeRequest): Promise<InitializeResponse>;
  createSession(params: SessionParams, options?: CreationOptions): Promise<{ sessionId: string }>;
  teardownSession(sessionId: string): Promise<void>;
  resumeSession(params: { sessionId: string }): Promise<unknown>;
  loadSession(params: { sessionId: string }): Promise<unknown>;
  canUseTool(sessionId: string): CanUseTool;
  requestPermissionFromClient(
    request: RequestPermissionRequest,
    ...more: unknown[]
  ): Promise<RequestPermissionResponse>;
  replaySessionHistory(sessionId: string, messages: unknown[] | undefined, pending: PendingReplay): Promise<void>;
  /** Runs `claude auth status`: a process of 116 MB and a second at every prompt, about a sign-in that we have not. */
  probeCliAuthStatus(): Promise<undefined>;
}

export interface AdapterClient {
  sessionUpdate(notification: SessionNotification): Promise<void>;
}

export interface AdapterSession {
  readonly input: { push(message: PushedMessage): void };
  readonly query: AdapterQuery;
  readonly messageIdToUuid: Map<string, string>;
  /** A refused plan ends its turn. */
  pendingExitPlanModeInterruption?: object | undefined;
}

export interface PushedMessage {
  priority?: 'now' | 'next' | 'later';
}

/** What we ask of the Agent SDK's `Query`. */
export interface AdapterQuery {
  accountInfo(): Promise<{ apiProvider?: string; tokenSource?: string }>;
  rewindFiles(userMessageId: string, options: { dryRun: boolean }): Promise<{ canRewind: boolean }>;
  getContextUsage(options: { detail: 'summary' }): Promise<ContextUsage>;
  stopTask(taskId: string): Promise<void>;
  applyFlagSettings(settings: { permissions: { allow: string[] } }): Promise<void>;
  mcpServerStatus(): Promise<
    { name: string; status: string; scope?: string; error?: string; tools?: { name: string }[] }[]
  >;
  supportedAgents(): Promise<{ name: string; description: string }[]>;
  supportedCommands(): Promise<{ name: string; description: string }[]>;
}

export interface ContextUsage {
  totalTokens: number;
  maxTokens: number;
  percentage: number;
  categories: { name: string; tokens: number }[];
}

export interface SessionParams {
  cwd: string;
  _meta?: {
    jumpseat?: { sessionId?: string; resumeAt?: string; mode?: string };
    claudeCode?: { options?: Record<string, unknown> };
  } | null;
}

/** `reuseSessionId`: the id of a new conversation. The others say that it is none. */
export interface CreationOptions {
  resume?: string | undefined;
  publicSessionId?: string;
  forkSession?: boolean;
  reuseSessionId?: string;
  /** Else that of the transcript, or of the person's settings, or of the folder's. */
  permissionMode?: string;
}

export interface PendingReplay {
  state: {
    cwd: string;
    taskState: Map<string, unknown>;
    forwardSubagentText: boolean;
    messageIdToUuid: Map<string, string>;
    sessionFailureState: unknown;
  };
  stopped: boolean;
}

export type CanUseTool = (
  name: string,
  input: Record<string, unknown>,
  options: ToolQuestion,
) => Promise<PermissionResult>;

export interface ToolQuestion {
  toolUseID: string;
  suggestions?: { type: string; behavior?: string; rules?: { toolName: string; ruleContent?: string }[] }[];
}

export type PermissionResult =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

const methods = [
  'initialize',
  'createSession',
  'teardownSession',
  'resumeSession',
  'loadSession',
  'canUseTool',
  'requestPermissionFromClient',
  'replaySessionHistory',
  'probeCliAuthStatus',
] as const;

/** Whether it still has everything that we reach for. */
export function isAdapter(agent: object): agent is Adapter {
  return missingNames(agent).length === 0;
}

export function missingNames(agent: object): string[] {
  const has = new Map<string, unknown>(Object.entries(agent));
  const missing: string[] = methods.filter((name) => typeof Reflect.get(agent, name) !== 'function');
  if (typeof has.get('sessions') !== 'object') missing.push('sessions');
  const client: unknown = has.get('client');
  if (typeof client !== 'object' || client === null || !('sessionUpdate' in client)) missing.push('client');
  return missing;
}
