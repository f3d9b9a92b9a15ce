import { join } from 'node:path';
import { nodeClock } from '../app/adapters/clock.ts';
import { nodeDialer } from '../app/adapters/dialer.ts';
import { fileSecrets } from '../app/adapters/file-secrets.ts';
import { keychainSecrets } from '../app/adapters/keychain-secrets.ts';
import { fileLog } from '../app/adapters/log.ts';
import { memorySecrets } from '../app/adapters/memory-secrets.ts';
import { nodePaths } from '../app/adapters/paths.ts';
import type { App } from '../app/api.ts';
import { createApp } from '../app/app.ts';
import type { Log, OpenUrl, Paths, Secrets } from '../app/ports.ts';
import { type GithubAddresses, githubAddresses } from '../app/settings/github-addresses.ts';
import { SettingsStore } from '../app/settings/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is known before the app is: where its files are, and whom it will speak to. Throws errors with a sentence and often a `mend`. */
export interface Surroundings {
  paths: Paths;
  github: GithubAddresses;
}

export function surroundings(env: Environment): Surroundings {
  return { paths: nodePaths(env), github: githubAddresses(env) };
}

/** The app on its Node adapters. */
export function openApp(
  { paths, github }: Surroundings,
  parts: { env: Environment; version: string; dashboard: string; openUrl: OpenUrl },
): { app: App; log: Log; proxyOnAtStart: boolean; close: () => Promise<void> } {
  const { env, version, dashboard, openUrl } = parts;
  const log = fileLog(paths.logs);
  const settings = SettingsStore.open(paths.settings, log);
  const { secretsStorage, proxyOnAtStart } = settings.store.current();
  const app = createApp(
    {
      secrets: secretsFor(env.JUMPSEAT_SECRETS || secretsStorage, paths),
      dialer: nodeDialer(),
      clock: nodeClock(),
      paths,
      log,
      openUrl,
    },
    {
      version,
      github,
      githubToken: env.JUMPSEAT_GITHUB_TOKEN || null,
      key: env.JUMPSEAT_KEY || null,
      port: portOf(env.JUMPSEAT_PORT),
      environment: env,
      dashboard,
      settings,
    },
  );
  const close = async () => {
    await app.close();
    await log.close();
  };
  return { app, log, proxyOnAtStart, close };
}

/** Plain text only where the person agreed to it, which `jumpseat login --insecure-storage` asks. */
function secretsFor(storage: string, paths: Paths): Secrets {
  if (storage === 'memory') return memorySecrets();
  if (storage === 'file') return fileSecrets(join(paths.home, 'secrets.json'));
  return keychainSecrets();
}

function portOf(text: string | undefined): number | null {
  const port = Number(text);
  return text && Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null;
}
