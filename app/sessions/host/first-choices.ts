import type { SessionSettings } from '../../api/settings.ts';
import type { AgentDescription } from '../agents/agent.ts';
import type { Choices } from './control.ts';

export type NewSessionSettings = Pick<SessionSettings, 'mode' | 'model' | 'effort'>;

/**
 * What a new session runs with: what was chosen for it, else as the person's settings have it. These name modes and
 * models of Claude Code. A model that the account lacks, and an effort that the model lacks, is left to the agent.
 */
export async function firstChoices(
  agent: Pick<AgentDescription, 'name' | 'models'>,
  settings: NewSessionSettings,
  chosen: Partial<Choices>,
): Promise<Partial<Choices>> {
  if (agent.name !== 'claude') return chosen;
  const offered = await agent.models();
  const usual = offered.find(({ id }) => id === settings.model);
  const model = chosen.model === undefined ? (usual?.id ?? null) : chosen.model;
  const efforts = offered.find(({ id }) => id === model)?.efforts ?? [];
  const effort = efforts.find((one) => one === settings.effort) ?? null;
  return { mode: settings.mode, effort, ...chosen, model };
}
