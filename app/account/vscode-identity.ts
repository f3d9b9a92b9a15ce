/** What one header or field of the client says, when that was looked at, and how it is known. */
interface Sourced {
  value: string;
  /** The day, `YYYY-MM-DD`. */
  on: string;
  source: string;
}

const captured = {
  on: '2026-11-22',
  source: 'sent by VS Code 1.139.1 with its built-in Copilot Chat 0.67.0 (captured)',
} as const;

/**
 * The versions of VS Code that Jumpseat names, all of them and nowhere else. They belong together: a pair that never
 * was one is worse than an old one.
 */
export const vscodeIdentity = {
  editorVersion: { value: 'vscode/1.139.1', ...captured },
  pluginVersion: { value: 'copilot-chat/0.67.0', ...captured },
  userAgent: { value: 'GitHubCopilotChat/0.67.0', ...captured },
  integrationId: {
    value: 'vscode-chat',
    on: captured.on,
    source: 'what a shipped VS Code says; the open build that was captured says code-oss',
  },
  copilotApiVersion: { value: '2026-08-01', ...captured },
  githubApiVersion: { value: '2025-04-01', ...captured },
} satisfies Record<string, Sourced>;

/**
 * Which kind of client we say we are; the values stand above. Copilot admits known editors only:
 * without `Editor-Version` it answers 400 `bad request: missing Editor-Version header for IDE auth`, an invented one is
 * refused too, and old plugin versions are turned away with 466 or `client_version_deprecated`. Nothing here tells one
 * machine or person from another: no device id, machine id, editor session or telemetry is ever sent.
 */
export interface Identity {
  /** Example: `vscode/1.139.1`. */
  editorVersion: string;
  /** Example: `copilot-chat/0.67.0`. */
  pluginVersion: string;
  userAgent: string;
  integrationId: string;
  /** `X-GitHub-Api-Version` on Copilot's host. Prices by tier appear only with the 2026 versions. */
  copilotApiVersion: string;
  /** `X-GitHub-Api-Version` on GitHub's REST host. */
  githubApiVersion: string;
}

export const defaultIdentity: Identity = {
  editorVersion: vscodeIdentity.editorVersion.value,
  pluginVersion: vscodeIdentity.pluginVersion.value,
  userAgent: vscodeIdentity.userAgent.value,
  integrationId: vscodeIdentity.integrationId.value,
  copilotApiVersion: vscodeIdentity.copilotApiVersion.value,
  githubApiVersion: vscodeIdentity.githubApiVersion.value,
};

/** Headers for GitHub's REST host (token, user): VS Code names neither editor nor plugin there. */
export function githubHeaders(identity: Identity, githubToken: string): Record<string, string> {
  return {
    Authorization: `token ${githubToken}`,
    'X-GitHub-Api-Version': identity.githubApiVersion,
    'User-Agent': identity.userAgent,
    Accept: '*/*',
  };
}

/** The client we say we are, with the versions a person has set. */
export function identityOf({
  editorVersion,
  pluginVersion,
}: {
  editorVersion?: string | undefined;
  pluginVersion?: string | undefined;
}): Identity {
  const identity = { ...defaultIdentity };
  if (editorVersion !== undefined) identity.editorVersion = editorVersion;
  if (pluginVersion !== undefined) {
    identity.pluginVersion = pluginVersion;
    identity.userAgent = `GitHubCopilotChat/${pluginVersion.split('/').at(-1)}`;
  }
  return identity;
}
