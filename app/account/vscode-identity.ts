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
