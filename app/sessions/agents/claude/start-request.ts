import type { PreparedStart, SessionStart } from '../agent.ts';

/** Claude Code's name of the mode in which nothing is asked. */
export const neverAsking = 'bypassPermissions';

/** What the protocol leaves out, as `facts.ts` reads it. */
const rawMessages = [
  { type: 'command_lifecycle' },
  { type: 'assistant' },
  { type: 'system', subtype: 'init' },
  { type: 'system', subtype: 'status' },
  { type: 'system', subtype: 'session_state_changed' },
  { type: 'system', subtype: 'api_retry' },
  { type: 'system', subtype: 'background_tasks_changed' },
];

interface StartSettings {
  settingsPath: string;
  webSearch: boolean;
  /** `.claude` folders whose skills, commands and agents are switched off. */
  offersNothingFrom?: readonly string[];
}

/** Every resume names both model and effort. Otherwise the ones shown and used would differ. */
export function startRequest(
  start: SessionStart,
  { settingsPath, webSearch, offersNothingFrom = [] }: StartSettings,
): Omit<PreparedStart, 'release'> {
  const { how, cwd, model, effort, mode, title, trusted, untrustedDirectories: untrusted } = start;
  const options = {
    promptSuggestions: false,
    enableFileCheckpointing: true,
    // Else a plan that is approved, or the folder's own settings, could lead to a session that asks nothing.
    allowDangerouslySkipPermissions: mode === neverAsking,
    // Hooks, servers and helpers of a folder run unasked: only where the person trusts it.
    settingSources: trusted ? ['user', 'project', 'local'] : ['user'],
    extraArgs: { settings: settingsPath },
    // Over the pipe: a command line has little room on Windows.
    ...(start.plugins.length > 0 && {
      plugins: start.plugins.map((path) => ({ type: 'local', path })),
      pluginDelivery: 'initialize',
    }),
    ...(webSearch ? {} : { disallowedTools: ['WebSearch'] }),
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    ...(title !== null && how.kind === 'new' && { title }),
  };
  const jumpseat = {
    ...(how.kind === 'new' && { sessionId: how.sessionId }),
    ...(how.kind === 'resume' && how.at !== null && { resumeAt: how.at }),
    ...(mode !== null && { mode }),
    offersNothingFrom: [...offersNothingFrom],
  };
  return {
    method: how.kind === 'new' ? 'session/new' : 'session/resume',
    params: {
      ...(how.kind === 'resume' && { sessionId: how.sessionId }),
      cwd,
      // Commands, skills and agents of these count where the own folder is trusted, and what they name runs unasked; of
      // those in the settings only the files do.
      additionalDirectories: start.additionalDirectories.filter((folder) => !untrusted.includes(folder)),
      mcpServers: [...start.mcpServers],
      _meta: { jumpseat, claudeCode: { emitRawSDKMessages: rawMessages, options } },
    },
  };
}
