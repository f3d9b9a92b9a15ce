import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { AgentConnection, AgentName, SessionStart } from '../agents/agent.ts';
import type { Choices } from './control.ts';

/** What a start needs to know of its session, as it is at that moment. */
export interface StartFacts {
  id: string;
  agent: AgentName;
  /** The agent's own id of it; null: it has none yet. */
  agentSessionId: string | null;
  /** The agent has said something in it, so that it has to know it. */
  hasConversation: boolean;
  cwd: string;
  title: string | null;
  /** The agent's message after which it goes on; null: the last one. */
  resumeAt: string | null;
  choices: Choices;
  /** Servers that a front brings along. */
  servers: readonly McpServer[];
}

/** Our MCP servers, but for those whose name a front's server has, and those that the agent can't take. */
export function serversOf(
  { servers }: StartFacts,
  { capabilities }: AgentConnection,
  ours: readonly McpServer[],
): readonly McpServer[] {
  const takesHttp = capabilities.mcpCapabilities?.http === true;
  return ours.filter(
    (server) => (!('type' in server) || takesHttp) && !servers.some(({ name }) => name === server.name),
  );
}

/** What the loader adds: it is not known from the session alone. */
type GivenLater = 'key' | 'baseUrl' | 'trusted' | 'untrustedAbove' | 'untrustedDirectories' | 'mcpServers';

/** @param usual the mode where none was chosen */
export function startOf(facts: StartFacts, usual: string | null): Omit<SessionStart, GivenLater> {
  const { cwd, choices, title } = facts;
  const how: SessionStart['how'] =
    facts.agentSessionId === null
      ? { kind: 'new', sessionId: facts.id }
      : { kind: 'resume', sessionId: facts.agentSessionId, at: facts.resumeAt };
  return {
    how,
    cwd,
    additionalDirectories: choices.directories,
    pluginsOff: choices.pluginsOff,
    // Given at every start: a resumed session would otherwise run with other ones than it shows, and may ask less.
    model: choices.model,
    effort: choices.effort,
    mode: choices.mode ?? usual,
    title: facts.agentSessionId === null ? title : null,
  };
}
