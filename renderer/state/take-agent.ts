import type { AgentState } from '../../app/api/sessions.ts';
import type { WindowStore } from './window-state.ts';

/** What was told of one; nothing before all of them were asked for. */
export function takeAgent(store: WindowStore, agent: AgentState): void {
  store.setState(({ agents }) => ({
    agents: agents === null ? null : agents.map((one) => (one.name === agent.name ? agent : one)),
  }));
}
