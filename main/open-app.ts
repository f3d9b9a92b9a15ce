import { join } from 'node:path';
import { tokenProblem } from '../app/account/github-token.ts';
import { nodeClock } from '../app/adapters/clock.ts';
import { fileSecrets } from '../app/adapters/file-secrets.ts';
import { keychainSecrets } from '../app/adapters/keychain-secrets.ts';
import { fileLog } from '../app/adapters/log.ts';
import { memorySecrets } from '../app/adapters/memory-secrets.ts';
import { nodePaths } from '../app/adapters/paths.ts';
import { addSecret } from '../app/adapters/redact.ts';
import type { App } from '../app/api.ts';
import { createApp } from '../app/app.ts';
import type { Dialer, Log, OpenUrl, Paths, Secrets } from '../app/ports.ts';
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

/** The app on its Node adapters. Throws `RefusedVariableError` for a variable that cannot be used. */
export function openApp(
  { paths, github }: Surroundings,
  parts: { env: Environment; version: string; dashboard: string; dialer: Dialer; openUrl: OpenUrl },
): { app: App; log: Log; proxyOnAtStart: boolean; close: () => Promise<void> } {
  const { env, version, dashboard, dialer, openUrl } = parts;
  const key = readKey(env.JUMPSEAT_KEY);
  const port = readPort(env.JUMPSEAT_PORT);
  const githubToken = readToken(env.JUMPSEAT_GITHUB_TOKEN);
  for (const secret of [key, githubToken]) if (secret !== null) addSecret(secret);
  const log = fileLog(paths.logs);
  const settings = SettingsStore.open(paths.settings, log);
  const { secretsStorage, proxyOnAtStart } = settings.store.current();
  const app = createApp(
    {
      secrets: secretsFor(env.JUMPSEAT_SECRETS || secretsStorage, secretsStorage === 'file', paths),
      dialer,
      clock: nodeClock(),
      paths,
      log,
      openUrl,
    },
    { version, github, githubToken, key, port, environment: env, dashboard, settings },
  );
  const close = async () => {
    await app.close();
    await log.close();
  };
  return { app, log, proxyOnAtStart, close };
}

/** A variable holds what cannot be used. The message names the variable, and its value only where that is no secret. */
export class RefusedVariableError extends Error {
  override readonly name = 'RefusedVariableError';
}

/** Plain text only where the person agreed to it before. */
function secretsFor(storage: string, agreed: boolean, paths: Paths): Secrets {
  switch (storage) {
    case 'memory':
      return memorySecrets();
    case 'keychain':
      return keychainSecrets();
    case 'file':
      if (agreed) return fileSecrets(join(paths.home, 'secrets.json'));
      throw new RefusedVariableError(
        'JUMPSEAT_SECRETS=file needs your consent first. Run "jumpseat login --insecure-storage" once.',
      );
    default:
      throw new RefusedVariableError(`JUMPSEAT_SECRETS must be keychain, file or memory, not "${storage}".`);
  }
}

function readPort(text: string | undefined): number | null {
  if (!text) return null;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new RefusedVariableError(`JUMPSEAT_PORT must be a number from 0 to 65535, not "${text}".`);
}

function readKey(text: string | undefined): string | null {
  if (!text) return null;
  if (/^[\x21-\x2d\x2f-\x7e]+$/.test(text)) return text;
  throw new RefusedVariableError('JUMPSEAT_KEY may hold no dot, no blank and no accents. Use letters and digits.');
}

function readToken(text: string | undefined): string | null {
  const token = text?.trim();
  if (!token) return null;
  const problem = tokenProblem(token);
  if (problem === null) return token;
  throw new RefusedVariableError(`JUMPSEAT_GITHUB_TOKEN can’t be used: ${problem}`);
}
