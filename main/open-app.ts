import { join } from 'node:path';
import { nodeClock } from '../app/adapters/clock.ts';
import { fileSecrets } from '../app/adapters/file-secrets.ts';
import { keychainSecrets } from '../app/adapters/keychain-secrets.ts';
import { type FileLog, fileLog } from '../app/adapters/log.ts';
import { memorySecrets } from '../app/adapters/memory-secrets.ts';
import { movableSecrets } from '../app/adapters/movable-secrets.ts';
import { nodePaths } from '../app/adapters/paths.ts';
import { addSecret, redact } from '../app/adapters/redact.ts';
import type { App } from '../app/api/app.ts';
import { createApp } from '../app/app.ts';
import {
  chooseStorage,
  type Environment,
  type OwnVariables,
  readEnvironment,
  type Storage,
} from '../app/environment.ts';
import type { FrontCheck } from '../app/health/checks.ts';
import type { Clock, Dialer, OpenUrl, Paths, Secrets } from '../app/ports.ts';
import { SettingsStore } from '../app/settings/settings.ts';

/**
 * What is known before the app is: where its files are, and what the variables ask for. Throws errors with a sentence
 * and often a `mend`.
 */
export interface Surroundings {
  paths: Paths;
  variables: OwnVariables;
}

export function surroundings(env: Environment): Surroundings {
  return { variables: readEnvironment(env), paths: nodePaths(env) };
}

export interface OpenedApp {
  app: App;
  log: FileLog;
  clock: Clock;
  settings: SettingsStore;
  close: () => Promise<void>;
}

/** The app on its Node adapters. Throws `RefusedVariableError` for a variable that cannot be used. */
export function openApp(
  { paths, variables }: Surroundings,
  parts: {
    env: Environment;
    version: string;
    dashboard: string;
    dialer: Dialer;
    openUrl: OpenUrl;
    frontChecks?: readonly FrontCheck[];
  },
): OpenedApp {
  const { env, version, dashboard, dialer, openUrl, frontChecks = [] } = parts;
  const { key, port, githubToken, github, githubFixedBy, warnings } = variables;
  for (const secret of [key, githubToken]) if (secret !== null) addSecret(secret);
  const log = fileLog(paths.logs);
  const clock = nodeClock();
  const opened = SettingsStore.open(paths.settings, log);
  const settings = opened.store;
  const chosen = secretsFor(chooseStorage(variables, settings.current()), paths);
  // What a variable chose stays.
  const secrets = variables.storage === null ? movableSecrets(chosen, (storage) => secretsFor(storage, paths)) : chosen;
  const app = createApp(
    { secrets, dialer, clock, paths, log, openUrl, redact, hideSecret: addSecret },
    {
      version,
      github,
      githubFixedBy,
      githubToken,
      key,
      port,
      environment: env,
      dashboard,
      settings: opened,
      warnings,
      frontChecks,
    },
  );
  const close = async () => {
    await app.close();
    await log.close();
  };
  return { app, log, clock, settings, close };
}

function secretsFor(storage: Storage, paths: Paths): Secrets {
  switch (storage) {
    case 'memory':
      return memorySecrets();
    case 'keychain':
      return keychainSecrets();
    case 'file':
      return fileSecrets(join(paths.home, 'secrets.json'));
  }
}
