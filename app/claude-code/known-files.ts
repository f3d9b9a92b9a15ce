import { homedir } from 'node:os';
import type { KnownFile } from '../api/setup.ts';
import type { Paths } from '../ports.ts';
import { mostTelling } from './checks.ts';
import { claudeSettingsPath } from './settings-file.ts';
import { findShellVariables } from './shell-variables.ts';

/** Where a file lies that a finding is about; null: no finding is about one. */
export async function fileOf(
  which: KnownFile,
  around: {
    paths: Paths;
    env: Readonly<Record<string, string | undefined>>;
    project: string | null;
    /** Our lines for Claude Code, as far as they are known. */
    variables: Readonly<Record<string, string>>;
    home?: string;
  },
): Promise<string | null> {
  switch (which) {
    case 'settings':
      return around.paths.settings;
    case 'claude-code':
      return claudeSettingsPath(around.env);
    case 'shell-variable': {
      const home = around.home ?? homedir();
      const found = await findShellVariables({ env: around.env, project: around.project, home }, around.variables);
      return mostTelling(found)?.file?.replace(/^~(?=[\\/])/, () => home) ?? null;
    }
  }
}
