import { join } from 'node:path';
import { nodeClock } from './adapters/clock.ts';
import { type FileLog, fileLog } from './adapters/log.ts';
import { movableSecrets } from './adapters/movable-secrets.ts';
import { addSecret, redact } from './adapters/redact.ts';
import { nodeTrash } from './adapters/trash.ts';
import { collectGarbage } from './adapters/v8.ts';
import type { App } from './api/app.ts';
import { createApp } from './app.ts';
import { chooseStorage, type Environment, type OwnVariables, type Storage } from './environment.ts';
import type { FrontCheck } from './health/check-run.ts';
import type { Dialer, OpenUrl, Paths, Ports, Secrets, Trash } from './ports.ts';
import type { Launcher } from './processes/launch.ts';
import { tooFewFiles } from './server/open-files.ts';
import { callRunning } from './server/running-proxy.ts';
import { networkInForce } from './settings/network-settings.ts';
import { type PolicySource, systemPolicy } from './settings/policy.ts';
import { SettingsStore } from './settings/settings.ts';
import { variablesUnderPolicy } from './variables-under-policy.ts';

/** What the fronts differ in. */
export interface Composition {
  env: Environment;
  paths: Paths;
  variables: OwnVariables;
  version: string;
  /** GitHub and Copilot are simulated on this machine. */
  isDemo?: boolean;
  /** The built window; null if there is none. */
  dashboard: string | null;
  dialer: Dialer;
  openUrl: OpenUrl;
  /** The folder whose Claude Code settings are looked at as well. */
  project?: string;
  /** How another program or a person starts this Jumpseat from any folder, word by word; `jumpseat` unless given. */
  ownCommand?: readonly string[] | undefined;
  /** The command that sentences name in place of `jumpseat`, such as `npx jumpseat`. Default: `jumpseat`. */
  typedCommand?: string;
  /** How agents' processes are started. Default: children of this one. */
  launcher?: Launcher;
  /** The trash of this machine, where this front has a better way to it. */
  trash?: Trash;
  /** True if another process owns the folder: no history is written. */
  readOnly?: boolean;
  /** Where the organization's policy is; that of the system unless given. */
  policy?: PolicySource;
  frontChecks?: readonly FrontCheck[];
  /** Instead of those that settings and variables ask for. */
  secrets?: Secrets | undefined;
  /** The person agreed to keep secrets in a file. */
  agreedToFile?: boolean | undefined;
}

export interface Composed {
  app: App;
  ports: Ports;
  log: FileLog;
  settings: SettingsStore;
  /** Closes the app and everything below it. */
  close(): Promise<void>;
}

/** The app on its Node adapters, for every front. Throws `RefusedVariableError` for a variable that cannot be used. */
export async function composeApp(composition: Composition): Promise<Composed> {
  const { env, paths, variables: given, dialer, openUrl, secrets, agreedToFile = false, ...own } = composition;
  const { key, githubToken: tokenGiven, search: searchGiven } = given;
  for (const secret of [key, tokenGiven, ...Object.values(searchGiven.keys)]) if (secret !== null) addSecret(secret);
  const log = fileLog(paths.logs);
  const fewFiles = own.readOnly ? null : tooFewFiles();
  if (fewFiles !== null) {
    log.write('warn', fewFiles.code, { text: fewFiles.text, remedy: fewFiles.remedy });
    // The log has its file open before there is none left.
    await log.flush();
  }
  const opened = SettingsStore.open(
    paths.settings,
    log,
    own.readOnly ? () => ownerMissesSettings(paths.lock) : null,
    own.policy ?? systemPolicy(),
  );
  const settings = opened.store;
  const variables = variablesUnderPolicy(given, settings.policy);
  const { port, githubToken, github, githubFixedBy, search, warnings } = variables;
  const configure = () => dialer.configure?.(networkInForce(variables.network, settings.current()));
  configure();
  settings.onChange(configure);
  const ports: Ports = {
    secrets: secrets ?? (await chooseSecrets(variables, settings, paths, agreedToFile)),
    dialer,
    clock: nodeClock(),
    paths,
    log,
    openUrl,
    redact,
    hideSecret: addSecret,
    collectGarbage,
  };
  const reported = { key, port, githubToken, github, githubFixedBy, search, warnings };
  const app = createApp(ports, { trash: nodeTrash(env), ...own, ...reported, environment: env, settings: opened });
  const close = async () => {
    await app.close();
    await log.close();
  };
  return { app, ports, log, settings, close };
}

async function ownerMissesSettings(lock: string): Promise<boolean> {
  const state = await callRunning(lock, 'state');
  return state?.warnings.some(({ code }) => code === 'settings-gone') ?? false;
}

async function chooseSecrets(
  variables: OwnVariables,
  settings: SettingsStore,
  paths: Paths,
  agreedToFile: boolean,
): Promise<Secrets> {
  // Each is loaded when it is used, so that the start stays short.
  const open = async (storage: Storage): Promise<Secrets> => {
    switch (storage) {
      case 'memory':
        return (await import('./adapters/movable-secrets.ts')).memorySecrets();
      case 'keychain':
        return (await import('./adapters/keychain-secrets.ts')).keychainSecrets();
      case 'file':
        return (await import('./adapters/file-secrets.ts')).fileSecrets(secretsFile(paths));
    }
  };
  // What a variable chose stays, unless the person agrees to a file now.
  if (variables.storage !== null) return open(agreedToFile ? 'file' : chooseStorage(variables, settings.current()));
  return movableSecrets(await open(chooseStorage(variables, settings.current())), open);
}

/** Where secrets are kept once the person agreed to a file. */
export function secretsFile(paths: Pick<Paths, 'home'>): string {
  return join(paths.home, 'secrets.json');
}
