import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeClock } from '../adapters/clock.ts';
import { nodeDialer } from '../adapters/dialer.ts';
import { fileLog } from '../adapters/log.ts';
import { movableSecrets } from '../adapters/movable-secrets.ts';
import { nodeOpenUrl } from '../adapters/open-url.ts';
import { nodePaths } from '../adapters/paths.ts';
import { addSecret, redact } from '../adapters/redact.ts';
import { createApp } from '../app.ts';
import { chooseStorage, type Environment, type OwnVariables, type Storage } from '../environment.ts';
import type { Paths, Ports, Secrets } from '../ports.ts';
import { SettingsStore } from '../settings/settings.ts';
import { readVariables } from './environment.ts';
import type { Opened, OpenOptions } from './surroundings.ts';
import { ownVersion } from './version.ts';

/** The one place where the terminal front chooses its adapters: by its options, then the variables, then the settings. */
export async function openApp(processEnv: Environment, options: OpenOptions = {}): Promise<Opened> {
  const env = { ...processEnv, ...options.env };
  const variables = readVariables(env);
  for (const secret of [variables.key, variables.githubToken]) if (secret !== null) addSecret(secret);
  const paths = nodePaths(env);
  const log = fileLog(paths.logs);
  const opened = SettingsStore.open(paths.settings, log);
  const settings = opened.store;
  const dialer = nodeDialer();
  const ports: Ports = {
    secrets: options.secrets ?? (await chooseSecrets(variables, settings, paths, options.insecureStorage ?? false)),
    dialer,
    clock: nodeClock(),
    paths,
    log,
    openUrl: nodeOpenUrl(),
    redact,
    hideSecret: addSecret,
  };
  const app = createApp(ports, {
    version: ownVersion(),
    github: variables.github,
    githubFixedBy: variables.githubFixedBy,
    githubToken: variables.githubToken,
    key: variables.key,
    port: variables.port,
    environment: env,
    project: process.cwd(),
    dashboard: dashboardFolder(),
    readOnly: options.owner !== true,
    settings: opened,
    warnings: variables.warnings,
  });
  return {
    app,
    ports,
    settings,
    variables,
    close: async () => {
      await app.close();
      await log.close();
    },
  };
}

async function chooseSecrets(
  variables: OwnVariables,
  settings: SettingsStore,
  paths: Paths,
  consent: boolean,
): Promise<Secrets> {
  const open = async (storage: Storage): Promise<Secrets> => {
    switch (storage) {
      case 'memory':
        return (await import('../adapters/memory-secrets.ts')).memorySecrets();
      case 'keychain':
        return (await import('../adapters/keychain-secrets.ts')).keychainSecrets();
      case 'file':
        return (await import('../adapters/file-secrets.ts')).fileSecrets(secretsFile(paths));
    }
  };
  // What a variable chose stays, but for somebody who agrees to a file now.
  if (variables.storage !== null) return open(consent ? 'file' : chooseStorage(variables, settings.current()));
  return movableSecrets(await open(chooseStorage(variables, settings.current())), open);
}

/** The built window; `app/cli/` and `dist/cli/` lie equally deep. */
function dashboardFolder(): string | null {
  const folder = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
  return existsSync(join(folder, 'index.html')) ? folder : null;
}

/** Where secrets are kept once somebody agreed to a file. */
export function secretsFile(paths: Pick<Paths, 'home'>): string {
  return join(paths.home, 'secrets.json');
}
