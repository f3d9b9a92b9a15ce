import { join } from 'node:path';
import type { ClaudeCodeModels } from '../../claude-code/env-snippet.ts';
import { newestForCodex } from '../../clients/codex.ts';
import type { ClientModel } from '../../clients/program.ts';
import type { Clock, Dialer, Log, Paths } from '../../ports.ts';
import { type Launcher, launchChild } from '../../processes/launch.ts';
import type { AgentDescription, AgentName } from './agent.ts';
import { readChoice } from './agent-programs.ts';
import { claudeAgent, type WebChoices } from './claude/claude.ts';
import { claudeSystem } from './claude/claude-packages.ts';
import { codexAgent } from './codex/codex.ts';
import { Fetched } from './fetched.ts';

export interface AgentsDependencies {
  clock: Clock;
  dialer: Dialer;
  log: Log;
  paths: Paths;
  version: string;
  /** Jumpseat's own environment: little of it is handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  userHome: string;
  /** Whether this system has musl's C library. */
  isMusl: boolean;
  /** The account's models for Claude's names of families. */
  claudeModels(): Promise<ClaudeCodeModels>;
  /** All that the account may use; none where they can't be had. */
  models(): Promise<readonly ClientModel[]>;
  web: WebChoices;
  /** The person's choice of Claude Code; see `readChoice`. Absent if they made none. */
  claudeChoice?(): string | null;
  /** True if no other process of Jumpseat runs sessions here: unused packages may be deleted. */
  ownsPackages?(): boolean;
  /** A child of this process unless told. */
  launcher?: Launcher;
}

/** The agents that can lead sessions, by name. */
export function createAgents(dependencies: AgentsDependencies): Record<AgentName, AgentDescription> {
  const { clock, dialer, log, paths, version, environment, userHome, launcher = launchChild } = dependencies;
  const { platform, arch } = process;
  const fetched = new Fetched({ dialer, paths, environment, userHome });
  const shared = { clock, log, paths, version, environment, platform, fetched, launcher };
  return {
    claude: claudeAgent({
      ...shared,
      system: claudeSystem(platform, arch, dependencies.isMusl),
      entryFile: bundleOf('claude'),
      models: () => dependencies.claudeModels(),
      offered: () => dependencies.models(),
      isRoot: process.getuid?.() === 0,
      web: dependencies.web,
      ownsPackages: () => dependencies.ownsPackages?.() === true,
      choice: () => readChoice(dependencies.claudeChoice?.() ?? null),
    }),
    codex: codexAgent({
      ...shared,
      ...{ arch, entryFile: bundleOf('codex'), userHome },
      model: async () => newestForCodex(await dependencies.models()),
      offered: () => dependencies.models(),
      isSearchOn: () => dependencies.web.search(),
    }),
  };
}

/** Built beside the fronts; from the sources the last build is taken. */
function bundleOf(name: AgentName): string {
  const isSource = import.meta.url.endsWith('.ts');
  return join(import.meta.dirname, isSource ? '../../../dist/agents' : '../agents', `${name}.js`);
}
