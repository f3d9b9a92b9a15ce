import type { AdapterQuery } from './adapter.ts';

interface Offered {
  source: string;
  path?: string;
}

/**
 * Switches skills, commands and agents off that come from these `.claude` folders, by the names that Claude Code gave
 * them. An older one says no paths; then all that are a folder's are switched off.
 */
export async function switchOffAbove(query: AdapterQuery, folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const isFromThere = ({ source, path }: Offered): boolean =>
    source === 'projectSettings' &&
    (path === undefined || folders.some((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)));
  const { skills, agents } = await query.getContextUsage({ detail: 'summary' });
  const skillNames = (skills?.skillFrontmatter ?? []).filter(isFromThere).map(({ name }) => name);
  const agentNames = (agents ?? []).filter(isFromThere).map(({ agentType }) => agentType);
  if (skillNames.length === 0 && agentNames.length === 0) return;
  await query.applyFlagSettings({
    skillOverrides: Object.fromEntries(skillNames.map((name) => [name, 'off'])),
    permissions: { deny: agentNames.map(agentRule) },
  });
}

/** Without its agents of these names the model can start none of them. */
function agentRule(name: string): string {
  return `Agent(${name})`;
}

/** Those of the agents that no rule denies. */
export function withoutDenied<Agent extends { name: string }>(
  agents: readonly Agent[],
  effective: Record<string, unknown> | undefined,
): Agent[] {
  const { deny = [] }: { deny?: unknown } = Object(effective?.permissions);
  return agents.filter(({ name }) => !(Array.isArray(deny) && deny.includes(agentRule(name))));
}
