import { createContext, useContext } from 'react';
import { type AgentWords, agentWords } from '../../../app/words/agents.ts';

/** What the agent is called that leads the session below. */
export const AgentContext = createContext<AgentWords>(agentWords('claude'));

export const useAgentWords = (): AgentWords => useContext(AgentContext);
