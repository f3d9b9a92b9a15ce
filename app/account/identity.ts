/**
 * Which kind of client we say we are, in one place. Copilot admits known editors only: without `Editor-Version` it
 * answers 400 `bad request: missing Editor-Version header for IDE auth`, an invented one is refused too, and old plugin
 * versions are turned away with 466 or `client_version_deprecated`. Nothing here tells one machine or person from
 * another: no device id, machine id, editor session or telemetry is ever sent.
 */
export interface Identity {
  /** `vscode/1.122.1` */
  editorVersion: string;
  /** `copilot-chat/0.50.1` */
  pluginVersion: string;
  userAgent: string;
  integrationId: string;
  /** `X-GitHub-Api-Version` on Copilot's host. Prices by tier appear only with the 2026 versions. */
  copilotApiVersion: string;
  /** `X-GitHub-Api-Version` on GitHub's REST host. */
  githubApiVersion: string;
}

export const defaultIdentity: Identity = {
  editorVersion: 'vscode/1.122.1',
  pluginVersion: 'copilot-chat/0.50.1',
  userAgent: 'GitHubCopilotChat/0.50.1',
  integrationId: 'vscode-chat',
  copilotApiVersion: '2026-06-01',
  githubApiVersion: '2025-04-01',
};

/** Headers for GitHub's REST host (token, user). */
export function githubHeaders(identity: Identity, githubToken: string): Record<string, string> {
  return {
    Authorization: `token ${githubToken}`,
    Accept: 'application/json',
    'User-Agent': identity.userAgent,
    'Editor-Version': identity.editorVersion,
    'Editor-Plugin-Version': identity.pluginVersion,
    'Copilot-Integration-Id': identity.integrationId,
    'X-GitHub-Api-Version': identity.githubApiVersion,
  };
}

/** The part of Copilot's headers that is the same for every request, apart from the bearer. */
export function copilotHeaders(identity: Identity): Record<string, string> {
  return {
    'User-Agent': identity.userAgent,
    'Editor-Version': identity.editorVersion,
    'Editor-Plugin-Version': identity.pluginVersion,
    'Copilot-Integration-Id': identity.integrationId,
    'X-GitHub-Api-Version': identity.copilotApiVersion,
  };
}
