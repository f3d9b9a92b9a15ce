import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { Clock, Dialer } from '../../ports.ts';
import { asText } from '../read-response.ts';
import type { RuntimeCredential } from './endpoint.ts';
import { failureInWords, type RuntimeFailure, RuntimeFault } from './failure.ts';
import { githubHost, runtimeEnvironment } from './runtime-environment.ts';
import { RuntimeProcess } from './runtime-process.ts';

export interface RuntimeDependencies {
  clock: Clock;
  dialer: Pick<Dialer, 'proxyFor' | 'certificates'>;
  /** Jumpseat's own; see `runtimeEnvironment`. */
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Address of GitHub's API; passed on only if it is on this machine. */
  githubApi: URL;
  /** Where the runtime may write; made when missing, for this user alone. */
  folder: string;
  limits?: Partial<StepLimits>;
}

/** How long each step may take, in ms. */
export interface StepLimits {
  start: number;
  /** GitHub is asked about the account. */
  signIn: number;
  /** Nothing is asked of the network, but for Auto. */
  endpoint: number;
  /** All of them together. With the end of the process it stays below 10 s. */
  whole: number;
}

export const defaultLimits: StepLimits = { start: 5_000, signIn: 7_000, endpoint: 5_000, whole: 8_000 };

export interface Question {
  runtimePath: string;
  credential: RuntimeCredential;
  signal?: AbortSignal;
}

/** A session of the runtime's that does nothing by itself. */
export interface RuntimeSession {
  version: string;
  call(method: string, params: JsonObject, step: string, limit: keyof StepLimits): Promise<JsonObject>;
}

export type RuntimeAnswer<Found> = { ok: true; found: Found } | { ok: false; failure: RuntimeFailure };

const protocol = 3;
const workPrefix = 'ask-';
const workIsStaleAfterMs = 10 * 60_000;

/**
 * Starts the runtime, asks, and ends it: when this settles, its process and its folder are gone, and so is what it
 * noted about the account. GitHub is asked every time: the runtime would answer from a file for an hour. Rejects only
 * with the signal's reason.
 */
export async function askRuntime<Found>(
  dependencies: RuntimeDependencies,
  { runtimePath, credential, signal }: Question,
  ask: (session: RuntimeSession) => Promise<Found>,
): Promise<RuntimeAnswer<Found>> {
  signal?.throwIfAborted();
  let work: string | null = null;
  let runtime: RuntimeProcess | null = null;
  const stop = () => void runtime?.kill();
  try {
    work = await makeWork(dependencies);
    runtime = await start(dependencies, runtimePath, credential, work);
    signal?.addEventListener('abort', stop, { once: true });
    const found = await ask(await connect(runtime, dependencies));
    await runtime.end();
    signal?.throwIfAborted();
    return { ok: true, found };
  } catch (error) {
    await runtime?.kill();
    if (signal?.aborted) throw signal.reason;
    return { ok: false, failure: failureInWords(asFault(error), githubHost(credential)) };
  } finally {
    signal?.removeEventListener('abort', stop);
    await forgetAccount(dependencies);
    if (work !== null) await rm(work, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function start(
  { clock, dialer, environment, platform, folder, githubApi }: RuntimeDependencies,
  path: string,
  credential: RuntimeCredential,
  work: string,
): Promise<RuntimeProcess> {
  const cache = cacheOf(folder);
  const surroundings = { environment, dialer, platform, work, cache, githubApi };
  const env = await runtimeEnvironment(credential, surroundings);
  const args = ['--headless', '--no-auto-update', '--log-level', 'none', '--stdio'];
  if (credential.kind === 'token') args.push('--no-auto-login');
  return new RuntimeProcess({ path, args, env, cwd: work, clock });
}

async function connect(runtime: RuntimeProcess, dependencies: RuntimeDependencies): Promise<RuntimeSession> {
  const { clock } = dependencies;
  const limits = { ...defaultLimits, ...dependencies.limits };
  const end = clock.ticks() + limits.whole;
  const call: RuntimeSession['call'] = (method, params, step, limit) =>
    runtime.call(method, params, step, Math.max(0, Math.min(limits[limit], end - clock.ticks())));
  const { protocolVersion, version } = await call('connect', {}, 'its start', 'start');
  if (protocolVersion !== protocol) {
    const isOlder = typeof protocolVersion === 'number' && protocolVersion < protocol;
    // The person reads it, so of anything else not even the beginning is shown.
    const named = typeof protocolVersion === 'number' ? `${protocolVersion}` : 'of an unknown form';
    throw new RuntimeFault(isOlder ? 'too-old' : 'too-new', named);
  }
  return { version: asText(version) ?? 'unknown', call };
}

async function makeWork(dependencies: RuntimeDependencies): Promise<string> {
  const { folder } = dependencies;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetAccount(dependencies);
  for (const name of await readdir(folder)) {
    const left = name.startsWith(workPrefix) ? await stat(join(folder, name)).catch(() => null) : null;
    if (left === null || Date.now() - left.mtimeMs < workIsStaleAfterMs) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(join(folder, workPrefix));
}

/** Deletes plan, quota and address: they are cached for an hour, and the runtime would not ask GitHub again. */
async function forgetAccount({ folder }: RuntimeDependencies): Promise<void> {
  await rm(join(cacheOf(folder), 'copilot'), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Also holds the random id that the runtime gives this machine, so that the id stays the same. */
function cacheOf(folder: string): string {
  return join(folder, 'cache');
}

function asFault(error: unknown): RuntimeFault {
  if (error instanceof RuntimeFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  return new RuntimeFault(code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'not-executable', code);
}
