import type { Clock, Log } from '../../../ports.ts';
import type { Launcher } from '../../../processes/launch.ts';
import type { AgentConnection, AgentHandlers } from '../agent.ts';
import { clientCapabilities } from '../client-capabilities.ts';
import { connectAgent } from '../connect.ts';
import { sparseEnvironment } from '../sparse-environment.ts';

export interface ConnectClaudeDependencies {
  /** Jumpseat's own: little of it is handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
  launcher: Launcher;
  /** The bundle of `entry/entry.ts`. */
  entryFile: string;
  /** Jumpseat's. */
  version: string;
}

/** As `agent-sdk.ts` reads it. */
const sdkVariable = 'JUMPSEAT_AGENT_SDK';

/** Starts a process that leads sessions of a Claude Code. @param leader the Agent SDK's module */
export function connectClaude(
  { program, leader }: { program: string; leader: string },
  handlers: AgentHandlers,
  dependencies: ConnectClaudeDependencies,
  signal?: AbortSignal,
): Promise<AgentConnection> {
  const { environment, platform, launcher, entryFile, version, clock, log } = dependencies;
  return connectAgent({
    title: 'Claude Code',
    capabilities: clientCapabilities,
    ...{ handlers, launcher, version, clock, log },
    program: {
      file: entryFile,
      env: {
        ...sparseEnvironment(environment, platform),
        ...(environment.CLAUDE_CONFIG_DIR && { CLAUDE_CONFIG_DIR: environment.CLAUDE_CONFIG_DIR }),
        CLAUDE_CODE_EXECUTABLE: program,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        [sdkVariable]: leader,
      },
    },
    ...(signal && { signal }),
  });
}
