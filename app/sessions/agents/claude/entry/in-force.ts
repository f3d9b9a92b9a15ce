import type { InForce, Origin } from '../../../../api/session-surroundings.ts';
import type { AdapterQuery, ContextUsage } from './adapter.ts';

/**
 * What is in force in a running session, as Claude Code says it. One that does not know a question leaves that part
 * empty. `summary`: the default would count tokens at the model, in 34 requests.
 */
export async function inventoryOf(query: AdapterQuery): Promise<Omit<InForce, 'plugins'>> {
  const [usage, servers, agents, commands, models, hooks, settings] = await Promise.all([
    reported(query.getContextUsage({ detail: 'summary' }), null),
    reported(query.mcpServerStatus(), []),
    reported(query.supportedAgents(), []),
    reported(query.supportedCommands(), []),
    reported(query.supportedModels(), []),
    reported(query.getHooksListing?.(), null),
    reported(query.getSettings(), null),
  ]);
  const files = usage?.skills?.skillFrontmatter ?? [];
  const agentFiles = usage?.agents ?? [];
  const listed = commands.map(({ name, description, argumentHint, builtin }) => {
    const file = files.find((one) => one.name === name);
    const origin = commandOrigin(name, file, builtin === true);
    return {
      ...{ name: acpName(name), description: withoutOrigin(description, origin), hint: argumentHint || null, origin },
      // Older ones name no files.
      isSkill: file !== undefined && (file.path === undefined || isSkillFile(file.path)),
    };
  });
  return {
    // Their descriptions name prices that are not those of Copilot.
    models: models.map(({ value, resolvedModel, supportedEffortLevels }) => ({
      ...{ id: value, model: resolvedModel ?? null, efforts: supportedEffortLevels ?? [] },
    })),
    agents: withoutDenied(agents, settings?.effective).map(({ name, description }) => ({
      ...{ name, description },
      origin: originOf(agentFiles.find(({ agentType }) => agentType === name)),
    })),
    skills: listed
      .filter(({ isSkill }) => isSkill)
      .map(({ name, description, origin }) => ({ name, description, origin })),
    commands: listed,
    hooks: (hooks?.hooks ?? []).map(({ event, matcher, source, commandText, displayText }) => ({
      ...{ event, matcher, command: commandText ?? displayText ?? '', origin: originOf({ source }) },
    })),
    servers: servers.map(({ name, status, source, scope, error, tools }) => ({
      ...{ name, state: status, error: error ?? null, tools: (tools ?? []).map((tool) => tool.name) },
      origin: serverOrigin(name, source ?? scope),
    })),
    memory: (usage?.memoryFiles ?? []).map(({ path, type, tokens }) => ({ path, kind: type, tokens })),
    context: usage === null ? null : contextOf(usage),
  };
}

function reported<Answer, Nothing>(asked: Promise<Answer> | undefined, nothing: Nothing): Promise<Answer | Nothing> {
  return asked === undefined ? Promise.resolve(nothing) : asked.catch(() => nothing);
}

function contextOf({ totalTokens, maxTokens, categories, model }: ContextUsage): InForce['context'] {
  const parts = categories.map(({ name, tokens, kind }) => ({ name, tokens, isSent: kind === 'used' }));
  return { total: totalTokens, size: maxTokens, model: model ?? null, parts };
}

const sources: Readonly<Record<string, Origin['kind']>> = {
  ...{ 'built-in': 'agent', bundled: 'agent', userSettings: 'user', projectSettings: 'project' },
  ...{ localSettings: 'local', policySettings: 'managed', flagSettings: 'jumpseat', plugin: 'plugin' },
  ...{ user: 'user', project: 'project', local: 'local', managed: 'managed', enterprise: 'managed' },
  // Servers that were given with the session.
  ...{ dynamic: 'front', sdk: 'front' },
};

interface Sourced {
  source: string;
  path?: string;
  pluginName?: string;
  pluginId?: string;
}

/** Undefined if no file has it: it is Claude Code's own. */
function originOf(file: Sourced | undefined): Origin {
  if (file === undefined) return own;
  const { source, path = null, pluginName, pluginId } = file;
  const kind = sources[source] ?? 'other';
  const plugin = pluginName ?? pluginId?.split('@')[0] ?? null;
  return { kind, name: kind === 'plugin' ? plugin : kind === 'other' ? source : null, path };
}

const own: Origin = { kind: 'agent', name: null, path: null };
/** Behind a prompt of an MCP server: `server:prompt (MCP)`. */
const ofServer = ' (MCP)';

function commandOrigin(name: string, file: Sourced | undefined, isBuiltin: boolean): Origin {
  if (file !== undefined) return originOf(file);
  if (name.endsWith(ofServer)) return { kind: 'server', name: name.split(':')[0] ?? null, path: null };
  return isBuiltin ? own : { kind: 'other', name: null, path: null };
}

/** A plugin's server is called `plugin:NAME:SERVER`. */
function serverOrigin(name: string, source: string | undefined): Origin {
  const [first, plugin] = name.split(':');
  if (first === 'plugin' && plugin !== undefined) return { kind: 'plugin', name: plugin, path: null };
  return originOf({ source: source ?? 'unknown' });
}

/** Name that the adapter offers and accepts. */
function acpName(name: string): string {
  return name.endsWith(ofServer) ? `mcp:${name.slice(0, -ofServer.length)}` : name;
}

function isSkillFile(path: string): boolean {
  return /[\\/]SKILL\.md$/i.test(path);
}

/** Removes the origin from Claude Code's description, because it is shown separately. */
function withoutOrigin(description: string, { kind, name }: Origin): string {
  const before = `(${name}) `;
  if (kind === 'plugin' && description.startsWith(before)) return description.slice(before.length);
  const after = ` (${kind})`;
  return description.endsWith(after) ? description.slice(0, -after.length) : description;
}

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

/** The rule that keeps the model from starting an agent of this name. */
function agentRule(name: string): string {
  return `Agent(${name})`;
}

/** Agents that no rule denies. */
function withoutDenied<Agent extends { name: string }>(
  agents: readonly Agent[],
  effective: Record<string, unknown> | undefined,
): Agent[] {
  const { deny = [] }: { deny?: unknown } = Object(effective?.permissions);
  return agents.filter(({ name }) => !(Array.isArray(deny) && deny.includes(agentRule(name))));
}
