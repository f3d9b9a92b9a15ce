import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  InitializeRequest,
  InitializeResponse,
  McpServer,
  PromptRequest,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';

/**
 * What we reach for inside of claude-agent-acp, which keeps most of it to itself. Nothing else of it is relied on; a
 * contract test runs against each name, and `isAdapter` refuses to start where one is gone.
 */
export interface Adapter {
  readonly sessions: Record<string, AdapterSession | undefined>;
  /** All that it says of a session goes through this. */
  readonly client: {
    sessionUpdate(reported: ReportedUpdate): Promise<void>;
    extNotification(method: string, params: Record<string, unknown>): Promise<void>;
  };
  initialize(request: InitializeRequest): Promise<InitializeResponse>;
  createSession(params: SessionParams, options?: CreationOptions): Promise<{ sessionId: string }>;
  prompt(params: PromptRequest): Promise<PromptResponse>;
  cancel(params: { sessionId: string }): Promise<void>;
  teardownSession(sessionId: string): Promise<void>;
  resumeSession(params: { sessionId: string }): Promise<unknown>;
  loadSession(params: { sessionId: string }): Promise<unknown>;
  /** The words go to `input.push` with a uuid of the adapter's. */
  steer(params: { sessionId: string }): Promise<object>;
  canUseTool(sessionId: string): CanUseTool;
  requestPermissionFromClient(
    request: RequestPermissionRequest,
    ...more: unknown[]
  ): Promise<RequestPermissionResponse>;
  /** What answers forms of MCP servers. */
  handleMcpElicitation(...given: unknown[]): ServerForms;
  elicitFromClient(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /** Runs `claude auth status`: a process of 116 MB and a second at every prompt, about a sign-in that we have not. */
  probeCliAuthStatus(): Promise<undefined>;
}

/** A `session/update`, as far as we look at it. */
export interface ReportedUpdate {
  sessionId: string;
  update: { toolCallId?: string; _meta?: { claudeCode?: { toolResponse?: unknown } } | null };
}

export interface AdapterSession {
  readonly input: { push(message: PushedMessage): void };
  readonly query: AdapterQuery;
  readonly messageIdToUuid: Map<string, string>;
  /** A turn ends only once Claude Code has read what it was steered with. */
  readonly turnQueue?: readonly { settled: boolean; steeredEchoes?: Set<string> | undefined }[];
  /** A refused plan ends its turn. */
  pendingExitPlanModeInterruption?: object | undefined;
}

/** A message of the Agent SDK, as far as we look at it. */
export type ClaudeMessage =
  | {
      type: 'stream_event';
      parent_tool_use_id: string | null;
      event: { type: 'message_start'; message: { id: string } } | { type: 'message_stop' };
    }
  | { type: 'assistant'; parent_tool_use_id: string | null; message: { id: string; model: string } };

interface PushedMessage {
  uuid?: string;
  priority?: 'now' | 'next' | 'later';
}

/** What we ask of the Agent SDK's `Query`. */
export interface AdapterQuery {
  /** All that Claude Code says is taken from here, one after the other. */
  next(): Promise<IteratorResult<ClaudeMessage, void>>;
  accountInfo(): Promise<{ apiProvider?: string; tokenSource?: string }>;
  /** Not in the SDK's types; 2.1.273 answers it. */
  getSettings(): Promise<SettingsInForce>;
  /** Merged into the settings of the session. */
  applyFlagSettings(settings: Record<string, unknown>): Promise<void>;
  getContextUsage(options: { detail: 'summary' }): Promise<ContextUsage>;
  stopTask(taskId: string): Promise<void>;
  /** False: it is not in Claude Code's queue any more. Not in the SDK's types: it may go. */
  cancelAsyncMessage?(uuid: string): Promise<boolean>;
  /** Resolves when they are connected, or were found not to answer. */
  setMcpServers(servers: Record<string, SdkServer>): Promise<unknown>;
  mcpServerStatus(): Promise<
    {
      name: string;
      status: string;
      scope?: string;
      source?: string;
      error?: string;
      tools?: McpTool[];
    }[]
  >;
  supportedAgents(): Promise<{ name: string; description: string }[]>;
  supportedCommands(): Promise<{ name: string; description: string; argumentHint?: string; builtin?: boolean }[]>;
  supportedModels(): Promise<{ value: string; resolvedModel?: string; supportedEffortLevels?: string[] }[]>;
  /**
   * What `/btw` does in a terminal: one request with the conversation so far and its tools, of which none is run.
   * `synthetic`: an error, say, in words of Claude Code's own. Not in the SDK's types: it may be missing.
   */
  askSideQuestion?(
    question: string,
    options: { history: { question: string; response: string }[]; signal: AbortSignal },
  ): Promise<{ response?: unknown; synthetic?: unknown } | null>;
  /** Not in the SDK's types, so it may be missing. */
  getHooksListing?(): Promise<{
    hooks: { event: string; matcher: string; source: string; commandText?: string; displayText?: string }[];
  }>;
}

/** `effective` is all of `sources`, of which later ones win. `flagSettings` are ours. */
interface SettingsInForce {
  effective: Record<string, unknown>;
  sources: { source: string; settings: Record<string, unknown> }[];
}

interface McpTool {
  name: string;
  description?: string;
  annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
}

export type SdkServer =
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string> };

export interface ContextUsage {
  totalTokens: number;
  maxTokens: number;
  /** An older one says no kind. `deferred`: schemas of tools that aren't sent. */
  categories: { name: string; tokens: number; kind?: string }[];
  model?: string;
  memoryFiles?: { path: string; type: string; tokens: number }[];
  agents?: { agentType: string; source: string; path?: string; pluginId?: string }[];
  skills?: { skillFrontmatter: { name: string; source: string; path?: string; pluginName?: string }[] };
}

export interface SessionParams {
  cwd: string;
  mcpServers?: McpServer[];
  _meta?: {
    jumpseat?: { sessionId?: string; resumeAt?: string; mode?: string; offersNothingFrom?: string[] };
    claudeCode?: { options?: Record<string, unknown> };
  } | null;
}

/** `reuseSessionId`: the id of a new conversation. The others say that it is none. */
export interface CreationOptions {
  resume?: string | undefined;
  publicSessionId?: string;
  forkSession?: boolean;
  reuseSessionId?: string;
  /** Permission mode. Default: that of the transcript, then of the person's or the folder's settings. */
  permissionMode?: string;
}

type CanUseTool = (name: string, input: Record<string, unknown>, options: ToolQuestion) => Promise<PermissionResult>;

type ServerForms = (request: { serverName: string }, options: { signal: AbortSignal }) => Promise<unknown>;

export interface ToolQuestion {
  toolUseID: string;
  /** Id of the subagent that asks. */
  agentID?: string;
  suggestions?: { type: string; behavior?: string; rules?: { toolName: string; ruleContent?: string }[] }[];
}

export type PermissionResult =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

const methods = [
  'initialize',
  'createSession',
  'prompt',
  'cancel',
  'teardownSession',
  'resumeSession',
  'loadSession',
  'steer',
  'canUseTool',
  'requestPermissionFromClient',
  'handleMcpElicitation',
  'elicitFromClient',
  'probeCliAuthStatus',
] as const;

/** Whether it still has everything that we reach for. */
export function isAdapter(agent: object): agent is Adapter {
  return missingNames(agent).length === 0;
}

export function missingNames(agent: object): string[] {
  const missing: string[] = methods.filter((name) => typeof Reflect.get(agent, name) !== 'function');
  if (typeof Reflect.get(agent, 'sessions') !== 'object') missing.push('sessions');
  const client = Object(Reflect.get(agent, 'client'));
  for (const name of ['sessionUpdate', 'extNotification']) {
    if (typeof Reflect.get(client, name) !== 'function') missing.push(`client.${name}`);
  }
  return missing;
}
