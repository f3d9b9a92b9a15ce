import type { CopilotRuntime } from './account/sdk/copilot-runtime.ts';
import type { Problem } from './api/call.ts';
import type { WebSearch } from './exchange/dependencies.ts';
import type { FrontCheck } from './health/check-run.ts';
import type { Trash } from './ports.ts';
import type { Launcher } from './processes/launch.ts';
import type { SearchFromOutside } from './search/from-outside.ts';
import type { AgentDescription } from './sessions/agents/agent.ts';
import type { GithubAddresses } from './settings/github-addresses.ts';
import type { SettingsStore } from './settings/settings.ts';

/** Where clients find the proxy, unless another port was chosen. */
export const defaultPort = 4180;

export interface AppOptions {
  version: string;
  /** GitHub and Copilot are simulated on this machine. */
  isDemo?: boolean;
  github: GithubAddresses;
  /**
   * The variable that decides which GitHub that is; null if the settings may say another one. Left out: what is given
   * holds.
   */
  githubFixedBy?: string | null;
  /** JUMPSEAT_GITHUB_TOKEN: used instead of the stored one, never stored. */
  githubToken?: string | null;
  /** JUMPSEAT_KEY: used instead of the stored one, never stored. No dot: a label follows one. */
  key?: string | null;
  /** JUMPSEAT_PORT; the settings' port counts where this is null. */
  port?: number | null;
  /** Instead of GitHub's own runtime for this system. */
  runtime?: Pick<CopilotRuntime, 'package' | 'installed' | 'fetch' | 'ask' | 'auto'>;
  /** Instead of the agents of this machine. */
  agents?: readonly AgentDescription[];
  /** How processes of agents and readers of pages are started. Default: as children of this process. */
  launcher?: Launcher;
  /** The trash of this machine; left out: there is none, and nothing is deleted. */
  trash?: Trash;
  /** The environment of the process, for the checks of what Claude Code would find there. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The folder a person works in, whose own settings for Claude Code would win. */
  project?: string | null;
  /** How another program or a person starts this Jumpseat from any folder, word by word; `jumpseat` unless given. */
  ownCommand?: readonly string[] | undefined;
  /** The command that sentences name in place of `jumpseat`, such as `npx jumpseat`. Default: `jumpseat`. */
  typedCommand?: string;
  /** What the environment decides about searches. */
  search?: SearchFromOutside;
  /** Instead of 4180. */
  defaultPort?: number;
  /** Folder of the built dashboard. */
  dashboard?: string | null;
  /** Checks that only this front can make. */
  frontChecks?: readonly FrontCheck[];
  /** A second process beside the one that owns the folder: looks at the history and changes nothing in it. */
  readOnly?: boolean;
  /** Searches the web for clients instead of the engines that the settings name. */
  webSearch?: WebSearch;
  /** Where a front has opened them before. */
  settings?: { store: SettingsStore; warnings: Problem[] };
  /** What a front found before, for people to read. */
  warnings?: readonly Problem[];
}
