import type {
  AgentCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  InitializeResponse,
  McpServer,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk/unstable';
import type { Problem } from '../../api/call.ts';
import type { OfferedMode, OfferedModel } from '../../api/session-surroundings.ts';
import type { AgentSource, AgentSources, NewestFound } from '../../api/sessions.ts';
import { CodedError } from '../../ports.ts';
import type { AgentExtra } from './agent-extras.ts';

export const agentNames = ['claude', 'codex'] as const;
export type AgentName = (typeof agentNames)[number];

/**
 * One program that can lead sessions, and all that is particular about it. The host of sessions knows nothing else of
 * it.
 */
export interface AgentDescription {
  readonly name: AgentName;
  /** `Claude Code` */
  readonly title: string;
  /**
   * Its permission modes, as far as they are known without its process, the usual one first; a running one says which
   * of them it has.
   */
  readonly modes: readonly OfferedMode[];
  /** Files and folders of a project that it runs or follows where the person trusts it. */
  readonly respectsTrust: readonly string[];
  /** Where it keeps its plans, outside of the folders of its sessions. Left out: nowhere. */
  readonly plans?: string;
  /** It loads plugins. */
  readonly takesPlugins?: true;
  /** Servers for MCP that it takes besides programs on this machine. */
  readonly mcp: { http: boolean; sse: boolean; acp: boolean };
  /** Models of the account that it can be started with; none where they can't be had. */
  models(): Promise<readonly OfferedModel[]>;
  /** Whether what it needs is there. Starts nothing but `--version` of a program that it did not know yet. */
  availability(): Promise<Availability>;
  /** Where its program may come from, and what was found there. Left out: there is no choice. */
  sources?(): Promise<AgentSources>;
  /**
   * Why a file that a person chose can't be its program; null if it can. Left out with `sources`. Runs it with
   * `--version`.
   */
  refuseFile?(path: string): Promise<Problem | null>;
  /** Takes the copy that `fetch` made away. Left out with `sources`. Rejects with `AgentError` where it is in use. */
  removeCopy?(): Promise<void>;
  /**
   * Fetches what is missing, for the program from where it comes now or from `from`. Only when a person asked for it.
   * Rejects with `PackageError`, or with the signal's reason.
   */
  fetch(options: {
    from?: AgentSource;
    signal?: AbortSignal;
    onProgress?(progress: FetchedSoFar): void;
  }): Promise<void>;
  /** How the copy is brought up to date. Left out: it is not. */
  updates?: {
    /** Asks the registry, because a person asked. Rejects with `PackageError`. */
    look(options: { signal?: AbortSignal }): Promise<NewestFound>;
    /**
     * Fetches the newer one that `sources` names; what runs keeps its version. Rejects with `PackageError`, or with the
     * signal's reason; then the one before it is used.
     */
    fetch(options: { signal?: AbortSignal; onProgress?(progress: FetchedSoFar): void }): Promise<void>;
  };
  /** Lets go of fetched versions that nothing uses any more. */
  tidy?(): Promise<void>;
  /** Starts its process and initializes it. Rejects with `AgentError`, or the signal's reason; nothing runs then. */
  connect(handlers: AgentHandlers, options: { signal?: AbortSignal }): Promise<AgentConnection>;
  /**
   * What to ask of a connection so that a session begins, or goes on in a process again. It may have written a file for
   * this user alone: `release` takes it away, and has to be called when the request has settled, however it did.
   */
  prepare(start: SessionStart): Promise<PreparedStart>;
  /** Files of a conversation, by the agent's own id. Absent: Claude Code's transcripts. */
  conversationFiles?(sessionId: string): Promise<string[]>;
}

export type Availability =
  | {
      available: true;
      /** Version of the program that does the work: `2.1.328`. */
      version: string;
      from: AgentSource;
      /** Path of the program; null if unknown. */
      path?: string | null;
    }
  | {
      available: false;
      /** - `leader-missing`: the program is here; what leads it isn't, in the version that this Jumpseat needs. */
      kind: 'missing' | 'too-old' | 'unsupported-system' | 'leader-missing';
      /** What is missing, and what to do: a sentence each. */
      reason: string;
      remedy: string;
      /** What `fetch` would take from the registry; null if nothing that would help. */
      fetchable: { bytes: number } | null;
    };

export interface FetchedSoFar {
  /** Bytes over all packages. */
  received: number;
  total: number;
}

export interface SessionStart {
  /**
   * `new`: under this id where the agent has the extra `choose-id`; the answer says under which in any case.
   * `resume`: goes on with a session that the agent has on disk; `at`: after that message of the agent's, and what
   * followed is left behind with the next prompt. By the id that updates have, or by the agent's own.
   */
  how: { kind: 'new'; sessionId: string } | { kind: 'resume'; sessionId: string; at: string | null };
  /** Absolute. */
  cwd: string;
  additionalDirectories: readonly string[];
  /** Null for the agent's own choice. The same for effort. Both have to be given at every resume. */
  model: string | null;
  effort: string | null;
  /** How much it asks before it acts. Null if a new session asks before everything that changes something. */
  mode: string | null;
  /** A new session's; null if the agent or the person names it. */
  title: string | null;
  /** Plugins of the person's that are off in this session, by their ids. */
  pluginsOff: readonly string[];
  /** Folders of plugins to load in this session besides the person's own. */
  plugins: readonly string[];
  /** Installed plugins of the person's that are on in this session, by their ids. */
  pluginsOn: readonly string[];
  /** The person trusts this folder: its settings, hooks and servers count. */
  trusted: boolean;
  /** Folders above a trusted one that are not trusted themselves: nothing of them may be read or run unasked. */
  untrustedAbove: readonly string[];
  /** Folders of `additionalDirectories` that the person does not trust: only their files may be used. */
  untrustedDirectories: readonly string[];
  mcpServers: readonly McpServer[];
  /**
   * Opens our proxy, and is taken back when the session ends. Never on a command line, nor in the environment of
   * anything but the program that asks with it.
   */
  key: string;
  /** `http://127.0.0.1:4180` */
  baseUrl: string;
}

export interface PreparedStart {
  method: 'session/new' | 'session/resume';
  params: Record<string, unknown>;
  release(): Promise<void>;
}

/** A session agent's questions and reports. A rejected answer is sent as an error, and denies. */
export interface AgentHandlers {
  update(notification: SessionNotification): void;
  /** `signal` is aborted when the question is withdrawn. `_meta.jumpseat` of the answer: `PermissionWords`. */
  requestPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  createElicitation(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /** A notification outside of the protocol's own: `_claude/sdkMessage`. */
  extension(method: string, params: unknown): void;
}

/** One running process of an agent, with all of its sessions. */
export interface AgentConnection {
  readonly pid: number;
  readonly initialized: InitializeResponse;
  readonly capabilities: AgentCapabilities;
  /** What it can do beyond the protocol; see `agent-extras.ts`. */
  readonly extras: ReadonlySet<AgentExtra>;
  /** Rejects with ACP's `RequestError`, with `AgentError` of kind `ended` once the process is gone, or when aborted. */
  request<Answer = unknown>(method: string, params: unknown, options?: { signal?: AbortSignal }): Promise<Answer>;
  notify(method: string, params: unknown): Promise<void>;
  /** Resolves once the process and all that it started are gone. */
  readonly exited: Promise<AgentExit>;
  /** Ends it and all that it started; resolves within seconds, also where it does not obey. Idempotent. */
  stop(): Promise<void>;
}

export interface AgentExit {
  code: number | null;
  signal: string | null;
  /** The end of what it printed to stderr; may be empty. */
  stderr: string;
}

/**
 * - `unavailable`: what it needs is not there.
 * - `start`: it did not start, or did not answer.
 * - `ended`: its process is gone.
 */
type AgentErrorKind = 'unavailable' | 'start' | 'ended';

/** `message` says what happened and why, `remedy` what to do next. */
export class AgentError extends CodedError<'agent-ended' | 'not-started'> {
  override readonly name = 'AgentError';
  readonly kind: AgentErrorKind;
  /** How the process ended that this is about; null if unknown. An agent may have others that run on. */
  readonly exit: AgentExit | null;
  constructor(kind: AgentErrorKind, message: string, remedy: string, options?: { cause?: unknown; exit?: AgentExit }) {
    super(kind === 'ended' ? 'agent-ended' : 'not-started', message, remedy, options);
    this.kind = kind;
    this.exit = options?.exit ?? null;
  }
}

/** The keys of sessions. Each opens the routes that lead to Copilot and our own tools, until it is taken back. */
export interface SessionKeys {
  /** A new key for this session; one that it had before no longer opens anything. It lives in memory alone. */
  mint(sessionId: string): string;
  /** Does nothing where there is none. */
  revoke(sessionId: string): void;
}
