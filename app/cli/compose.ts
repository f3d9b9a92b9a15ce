import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDialer } from '../adapters/dialer.ts';
import { lastingCommand } from '../adapters/installation.ts';
import { nodeOpenUrl } from '../adapters/open-url.ts';
import { nodePaths } from '../adapters/paths.ts';
import { composeApp } from '../compose.ts';
import type { Environment } from '../environment.ts';
import { type Finding, passed, warning } from '../health/finding.ts';
import { msg } from '../language/messages.ts';
import { t } from '../language/translate.ts';
import { openFilesLimit, tooFewFiles } from '../server/open-files.ts';
import { grouped } from '../words/numbers.ts';
import { readVariables } from './options.ts';
import type { Opened, OpenOptions } from './surroundings.ts';
import { ownCommand, ownVersion } from './this-program.ts';

/** The app as the terminal front asks for it: by its options, then the variables, then the settings. */
export async function openApp(processEnv: Environment, options: OpenOptions = {}): Promise<Opened> {
  const env = { ...processEnv, ...options.env };
  const variables = readVariables(env);
  const composed = await composeApp({
    env,
    paths: nodePaths(env),
    variables,
    version: ownVersion(),
    isDemo: options.isDemo === true,
    dashboard: dashboardFolder(),
    dialer: nodeDialer(),
    openUrl: nodeOpenUrl(),
    project: process.cwd(),
    ownCommand: lastingCommand(env),
    typedCommand: ownCommand(env),
    readOnly: options.owner !== true,
    secrets: options.secrets,
    agreedToFile: options.insecureStorage,
    frontChecks: [{ id: 'machine.files', group: 'machine', title: msg('Open files'), find: openFiles }],
  });
  return { ...composed, variables };
}

function openFiles(): Finding {
  const limit = openFilesLimit();
  const few = tooFewFiles(limit);
  if (few !== null) return warning(few.text, few.remedy);
  return passed(limit === null ? t('No limit') : t('{count} at once', { count: grouped(limit) }));
}

/** The built window; `app/cli/` and `dist/cli/` have the same depth. Null if there is none. */
function dashboardFolder(): string | null {
  const folder = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
  return existsSync(join(folder, 'index.html')) ? folder : null;
}
