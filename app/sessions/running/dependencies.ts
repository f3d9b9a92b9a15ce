import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  McpServer,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { AppEvent } from '../../api/events.ts';
import type { SessionHolder } from '../../api/session-list.ts';
import type { SessionSettings } from '../../api/settings.ts';
import type { Clock, Log } from '../../ports.ts';
import type { AgentName, SessionKeys } from '../agents/agent.ts';
import type { AgentFact, FactReader } from '../agents/agent-facts.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { AgentProcess } from './agent-process.ts';

/** What of the person's settings a host goes by. */
export type HostSettings = Pick<
  SessionSettings,
  'atOnce' | 'unloadAfterMinutes' | 'creditsPerTurn' | 'mode' | 'model' | 'effort' | 'keepVersionsDays'
>;

/** What counts of the rest of the app, as it is now: whoever made the host keeps it so. */
export interface Outside {
  /** Where our proxy listens; null if it is off. */
  baseUrl: string | null;
  /** There is no connection to Copilot now: what is sent waits in the queue. */
  isOffline: boolean;
  settings: HostSettings;
}

/** What sessions ask of the rest of the app. */
export interface SessionSurroundings {
  outside: Readonly<Outside>;
  /** Jumpseat's own: little of it is handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  keys: SessionKeys;
  /** Servers of ours that a session gets besides those of fronts and of the person's own settings. */
  mcpServers(door: { baseUrl: string; key: string }): readonly McpServer[];
  /** `~/.claude`, where Claude Code keeps the person's plugins. */
  claudeFolder: string;
  /** Another program that has the session open now; null if none. Must not reject. */
  heldElsewhere(sessionId: string): Promise<SessionHolder | null>;
  /** A message waits for the connection. */
  connectionAwaited(): void;
}

/** Where what an agent says of a session goes. `child`: the subagent that it is about; null for the session itself. */
export interface RoutedSession {
  onUpdate(update: SessionUpdate, child: string | null): void;
  onFact(fact: AgentFact): void;
  askPermission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<RequestPermissionResponse>;
  askForm(
    request: CreateElicitationRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<CreateElicitationResponse>;
}

/** Lead what an agent says to its session, by the agent's own id of it. */
export interface Routes {
  /** Sends messages of this id to that session, including those that came before it was known. */
  lead(agentSessionId: string, session: RoutedSession): void;
  /** Stops that, if messages still go there. */
  leave(agentSessionId: string, session: RoutedSession): void;
  /** A session starts under an id that its agent chooses. Returns what to call when it is known, or came to nothing. */
  starts(): () => void;
}

/** The place of one turn among those that run. */
export interface Slot {
  /** A turn that waits for a person lets others run. It goes on at once, also where its place is taken by then. */
  rest(isResting: boolean): void;
  give(): void;
}

/** What each session of a host is given. */
export interface SessionDependencies extends SessionSurroundings {
  store: SessionStore;
  clock: Clock;
  log: Log;
  /** Places of turns: `take` waits for one. Rejects with the signal's reason when aborted. */
  slots: { take(signal: AbortSignal): Promise<Slot> };
  routes: Routes;
  process(agent: AgentName): AgentProcess;
  reader(agent: AgentName): FactReader;
  tell(event: AppEvent): void;
  /** A session of this agent has no process any more. */
  rested(agent: AgentName): void;
  /** Rejects for a folder that is being removed. */
  refuseLeaving(folder: string): Promise<void>;
}
