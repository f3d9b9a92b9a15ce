import { tokenProblem } from './account/credential.ts';
import type { Problem } from './api/call.ts';
import { ports } from './api/names.ts';
import { defaultPort } from './app-options.ts';
import { pointsAtOurselves } from './claude-code/leading-variables.ts';
import { sentences } from './language/sentences.ts';
import { t } from './language/translate.ts';
import { readSearchVariables, type SearchFromOutside, SearchVariableError } from './search/from-outside.ts';
import { AddressError, type GithubAddresses, githubAddresses } from './settings/github-addresses.ts';
import {
  type NetworkVariables,
  networkNames,
  networkProblem,
  networkVariables,
  readNetworkVariables,
} from './settings/network-settings.ts';
import type { Settings } from './settings/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const storages = ['keychain', 'file', 'memory'] as const;
export type Storage = (typeof storages)[number];

/** The variables of Jumpseat's own, read and checked. Empty ones count as absent. */
export interface OwnVariables {
  port: number | null;
  storage: Storage | null;
  /** The local key. */
  key: string | null;
  githubToken: string | null;
  github: GithubAddresses;
  /**
   * The variable that decides which GitHub is asked; null: the settings may. A token from outside comes with its host.
   */
  githubFixedBy: string | null;
  search: SearchFromOutside;
  network: NetworkVariables;
  /** Variables that are set and that Jumpseat doesn't follow. */
  warnings: Problem[];
}

/** A variable holds what cannot be used. The message names the variable, and its value only where that is no secret. */
export class RefusedVariableError extends Error {
  override readonly name = 'RefusedVariableError';
  readonly remedy: string;
  constructor(message: string, remedy = '') {
    super(message);
    this.remedy = remedy;
  }
}

/** Throws `RefusedVariableError`. */
export function readEnvironment(env: Environment): OwnVariables {
  const port = readPort(env.JUMPSEAT_PORT);
  const key = env.JUMPSEAT_KEY || null;
  if (key !== null) checkKey(key);
  const githubToken = env.JUMPSEAT_GITHUB_TOKEN?.trim() || null;
  const problem = githubToken === null ? null : tokenProblem(githubToken);
  if (problem !== null)
    throw new RefusedVariableError(t('{name} can’t be used: {why}', { name: 'JUMPSEAT_GITHUB_TOKEN', why: problem }));
  return {
    port,
    storage: readStorage(env.JUMPSEAT_SECRETS),
    key,
    githubToken,
    github: readAddresses(env, port ?? defaultPort),
    githubFixedBy:
      ['JUMPSEAT_GITHUB_URL', 'JUMPSEAT_GITHUB_API_URL', 'JUMPSEAT_GITHUB_TOKEN'].find((name) => env[name]?.trim()) ??
      null,
    search: readSearch(env),
    network: readNetwork(env),
    warnings: isTlsCheckOff(env) ? [tlsCheckKept()] : [],
  };
}

/**
 * Not refused: people set it for the whole shell, for other programs behind a proxy that opens TLS, and Jumpseat works
 * there with the system's certificates. Not followed either (`adapters/dialer.ts`): a program in between would be
 * handed the GitHub token.
 */
const tlsCheckKept = (): Problem => ({
  code: 'tls-check-kept',
  text: t(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 isn’t followed: Jumpseat checks every certificate, so that nobody in between gets your token.',
  ),
  remedy: t(
    'Unset it. A company’s own certificate belongs into the system’s store, or its file into JUMPSEAT_CA_FILE.',
  ),
});

function isTlsCheckOff(env: Environment): boolean {
  return env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
}

/** Every program on this machine may try keys without a limit: a short one could be guessed. */
const shortestKey = 16;

function checkKey(key: string): void {
  if (!/^[\x21-\x2d\x2f-\x7e]+$/.test(key)) {
    throw new RefusedVariableError(
      t('JUMPSEAT_KEY may hold no dot, no blank and no accents.'),
      t('Use letters and digits.'),
    );
  }
  if (key.length >= shortestKey) return;
  throw new RefusedVariableError(
    t('JUMPSEAT_KEY has fewer than {least} characters, so that other programs on this machine could guess it.', {
      least: String(shortestKey),
    }),
    t('Use a random value, such as the output of "openssl rand -hex 16", or unset it: Jumpseat then makes one.'),
  );
}

/** Where secrets are kept: plain text only after the person agreed to it. Throws `RefusedVariableError`. */
export function chooseStorage(variables: OwnVariables, settings: Pick<Settings, 'secretsStorage'>): Storage {
  const storage = variables.storage ?? settings.secretsStorage;
  if (storage !== 'file' || settings.secretsStorage === 'file') return storage;
  throw new RefusedVariableError(
    t('JUMPSEAT_SECRETS=file stores secrets in a file that only your user can read. You have not agreed to that yet.'),
    t('Run "jumpseat login --insecure-storage" once.'),
  );
}

function readPort(text: string | undefined): number | null {
  if (!text) return null;
  const port = portIn(text);
  if (port !== null) return port;
  throw new RefusedVariableError(portWords('JUMPSEAT_PORT', text));
}

/** A port that may be chosen, or 0 for a free one; null if it is neither. */
export function portIn(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : null;
  return port !== null && (port === 0 || (port >= ports.least && port <= ports.most)) ? port : null;
}

/** Why a port is refused. @param name the option or variable */
export function portWords(name: string, text: string): string {
  return t('{name} must be a whole number from {least} to {most}, or 0 for a free port, not "{text}".', {
    name,
    least: String(ports.least),
    most: String(ports.most),
    text,
  });
}

function readStorage(text: string | undefined): Storage | null {
  if (!text) return null;
  const found = storages.find((storage) => storage === text);
  if (found) return found;
  throw new RefusedVariableError(
    t('{option} must be one of {names}, not "{given}".', {
      option: 'JUMPSEAT_SECRETS',
      names: storages.join(', '),
      given: text,
    }),
  );
}

function readSearch(env: Environment): SearchFromOutside {
  try {
    return readSearchVariables(env);
  } catch (error) {
    if (error instanceof SearchVariableError) throw new RefusedVariableError(error.message);
    throw error;
  }
}

function readNetwork(env: Environment): NetworkVariables {
  const variables = readNetworkVariables(env);
  for (const name of networkNames) {
    const value = variables[name];
    const problem = value === null ? null : networkProblem(name, value);
    if (problem !== null)
      throw new RefusedVariableError(
        sentences(t('{name} can’t be used.', { name: networkVariables[name] }), problem.text),
        problem.remedy,
      );
  }
  return variables;
}

function readAddresses(env: Environment, port: number): GithubAddresses {
  let addresses: GithubAddresses;
  try {
    addresses = githubAddresses(env);
  } catch (error) {
    if (error instanceof AddressError) throw new RefusedVariableError(error.message);
    throw error;
  }
  for (const [name, url] of [
    ['JUMPSEAT_GITHUB_URL', addresses.web],
    ['JUMPSEAT_GITHUB_API_URL', addresses.api],
  ] as const) {
    if (port === 0 || !pointsAtOurselves(url.href, port)) continue;
    throw new RefusedVariableError(
      t('{name} is Jumpseat itself. Requests would run in a circle.', { name }),
      t('Unset {name}, or set it to GitHub’s address.', { name }),
    );
  }
  return addresses;
}
