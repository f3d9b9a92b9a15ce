import type { OfferedMode, OfferedModel } from '../../../api/session-surroundings.ts';
import type { ClaudeCodeModels } from '../../../claude-code/env.ts';
import type { ClientModel } from '../../../openai-clients/client-model.ts';

/** Claude Code's name of the mode in which nothing is asked. */
export const neverAsking = 'bypassPermissions';

const asks = { asksNothing: false, refusal: null } as const;

/** Claude Code's permission modes. It refuses root the one in which nothing is asked. */
export function claudeModes(isRoot: boolean): OfferedMode[] {
  return [
    { id: 'default', name: 'Ask first', ...asks },
    { id: 'acceptEdits', name: 'Accept edits', ...asks },
    { id: 'plan', name: 'Plan only', ...asks },
    { id: 'auto', name: 'Auto', ...asks },
    { id: neverAsking, name: 'Never ask', asksNothing: true, refusal: isRoot ? 'root' : null },
  ];
}

export const claudeHeeds = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', 'CLAUDE.md', 'CLAUDE.local.md'],
  ...['.claude/CLAUDE.md', '.claude/agents', '.claude/commands', '.claude/rules', '.claude/skills'],
];

export interface ModelSources {
  /** The account's, for the names opus, sonnet and haiku. */
  models(): Promise<ClaudeCodeModels>;
  /** All that the account may use. */
  offered(): Promise<readonly Pick<ClientModel, 'id' | 'supports'>[]>;
}

const families = ['opus', 'sonnet', 'haiku'] as const;

/** Claude Code's own names for the newest of each family, then every model of the account, Claude's first. */
export async function claudeModels({ models, offered }: ModelSources): Promise<OfferedModel[]> {
  const [named, all] = await Promise.all([models(), offered()]);
  const efforts = (id: string): string[] => [...(all.find((model) => model.id === id)?.supports.efforts ?? [])];
  const aliases = families.flatMap((id) => {
    const model = named[id];
    return model === null ? [] : [{ id, model, efforts: efforts(model) }];
  });
  const isClaude = ({ id }: { id: string }): boolean => id.startsWith('claude');
  const ordered = [...all.filter(isClaude), ...all.filter((model) => !isClaude(model))];
  return [...aliases, ...ordered.map(({ id }) => ({ id, model: id, efforts: efforts(id) }))];
}
