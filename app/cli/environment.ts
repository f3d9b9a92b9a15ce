import { tokenProblem } from '../account/github-token.ts';
import { defaultPort } from '../app.ts';
import { pointsAtOurselves } from '../claude-code/circle.ts';
import { AddressError, type GithubAddresses, githubAddresses } from '../settings/github-addresses.ts';
import { wrongUsage } from './failure.ts';
import { readPort } from './options.ts';

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
}

/** Throws a `CommandFailure` with exit code 2 and a sentence that names the variable, never its value where that is a secret. */
export function readEnvironment(env: Environment): OwnVariables {
  const port = env.JUMPSEAT_PORT ? readPort(env.JUMPSEAT_PORT, 'JUMPSEAT_PORT') : null;
  const key = env.JUMPSEAT_KEY || null;
  if (key !== null && !/^[\x21-\x2d\x2f-\x7e]+$/.test(key)) {
    throw wrongUsage('JUMPSEAT_KEY may hold no dot, no blank and no accents.', 'Use letters and digits.');
  }
  const githubToken = env.JUMPSEAT_GITHUB_TOKEN?.trim() || null;
  const problem = githubToken === null ? null : tokenProblem(githubToken);
  if (problem !== null) throw wrongUsage(`JUMPSEAT_GITHUB_TOKEN can’t be used: ${problem}`);
  return {
    port,
    storage: readStorage(env.JUMPSEAT_SECRETS),
    key,
    githubToken,
    github: readAddresses(env, port ?? defaultPort),
  };
}

function readStorage(text: string | undefined): Storage | null {
  if (!text) return null;
  const found = storages.find((storage) => storage === text);
  if (found) return found;
  throw wrongUsage(`JUMPSEAT_SECRETS must be keychain, file or memory, not "${text}".`);
}

function readAddresses(env: Environment, port: number): GithubAddresses {
  let addresses: GithubAddresses;
  try {
    addresses = githubAddresses(env);
  } catch (error) {
    if (error instanceof AddressError) throw wrongUsage(error.message);
    throw error;
  }
  for (const [name, url] of [
    ['JUMPSEAT_GITHUB_URL', addresses.web],
    ['JUMPSEAT_GITHUB_API_URL', addresses.api],
  ] as const) {
    if (port === 0 || !pointsAtOurselves(url.href, port)) continue;
    throw wrongUsage(
      `${name} is Jumpseat itself. Requests would run in a circle.`,
      `Unset ${name}, or give it GitHub’s address.`,
    );
  }
  return addresses;
}
