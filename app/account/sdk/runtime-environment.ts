import { join } from 'node:path';
import type { Dialer } from '../../ports.ts';
import { isLoopback } from '../../settings/github-addresses.ts';
import type { RuntimeCredential } from './endpoint.ts';
import { RuntimeFault } from './failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface RuntimeSurroundings {
  /** Jumpseat's own. Little of it is handed on. */
  environment: Environment;
  dialer: Pick<Dialer, 'proxyFor' | 'certificates'>;
  platform: NodeJS.Platform;
  /** Folder for this question alone; deleted afterwards. */
  work: string;
  /** Kept between questions. */
  cache: string;
  /** Passed on only if it is on loopback: the simulator's. */
  githubApi: URL;
}

/** Variables that name certificates. */
const certificates = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;
/** Without these variables Windows opens no socket. */
const ofWindows = ['SystemRoot', 'windir', 'SystemDrive'] as const;
/** Where a Linux keeps its keychain. */
const ofKeychain = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'] as const;
/** Where the others look for theirs. */
const ofHome = ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'] as const;

/**
 * The whole environment of the runtime. Nothing else is inherited: `COPILOT_API_URL` would send the token elsewhere,
 * and `GH_TOKEN` would ask for another account. There is no PATH, so that it starts no git and nothing else. The token
 * is not in here: it goes over the pipe.
 */
export async function runtimeEnvironment(
  credential: RuntimeCredential,
  surroundings: RuntimeSurroundings,
): Promise<Record<string, string>> {
  const { environment, platform, work, cache, githubApi } = surroundings;
  const isStored = credential.kind === 'stored-sign-in';
  return {
    ...Object.fromEntries(ofHome.map((name) => [name, work])),
    ...Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, work])),
    ...ownFile(surroundings),
    ...picked(environment, certificates),
    ...(platform === 'win32' ? picked(environment, ofWindows) : {}),
    ...(isStored ? picked(environment, platform === 'linux' ? ofKeychain : ofHome) : { COPILOT_DISABLE_KEYTAR: '1' }),
    ...(await proxyVariables(surroundings, githubHost(credential))),
    ...(isLoopback(githubApi.hostname) ? { COPILOT_DEBUG_GITHUB_API_URL: withoutSlash(githubApi.href) } : {}),
    ...(credential.kind === 'token' && credential.host !== null ? { COPILOT_GH_HOST: credential.host } : {}),
    XDG_CACHE_HOME: cache,
    COPILOT_HOME: isStored ? credential.copilotHome : join(work, 'copilot'),
    COPILOT_ALLOW_GET_PROVIDER_ENDPOINT: 'true',
  };
}

/** The file that the person set; the variable of their environment counts more. */
function ownFile({ dialer }: RuntimeSurroundings): Record<string, string> {
  const file = dialer.certificates?.().find(({ from }) => from === 'setting')?.file ?? null;
  return file === null ? {} : { NODE_EXTRA_CA_CERTS: file };
}

export function githubHost(credential: RuntimeCredential): string {
  return (credential.kind === 'token' ? credential.host : null) ?? 'github.com';
}

/**
 * The variables that name the proxy: from a PAC script, else from the environment with its password, else from the
 * system, whose password isn't known. Both Jumpseat and the runtime take http proxies from the environment.
 */
async function proxyVariables(
  { environment, dialer }: RuntimeSurroundings,
  host: string,
): Promise<Record<string, string>> {
  const found = (await dialer.proxyFor?.(new URL(`https://api.${host}`))) ?? null;
  // Without a proxy the runtime would go directly.
  if (found?.from === 'script' && found.problem !== null) throw new RuntimeFault('offline');
  const named = found?.from === 'script' ? null : either(environment, 'HTTPS_PROXY');
  const proxy = named ?? (found && found.problem === null ? `http://${found.address}` : null);
  if (proxy === null) return {};
  const direct = [either(environment, 'NO_PROXY'), 'localhost', '127.0.0.1', '::1'].filter((entry) => entry !== null);
  return { HTTPS_PROXY: proxy, NO_PROXY: direct.join(',') };
}

function either(environment: Environment, name: string): string | null {
  return environment[name]?.trim() || environment[name.toLowerCase()]?.trim() || null;
}

function picked(environment: Environment, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value) found[name] = value;
  }
  return found;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/u, '');
}
