import { execFile } from 'node:child_process';
import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type ClaudeVersion =
  | { kind: 'found'; version: string; path: string }
  | { kind: 'missing' }
  /** Found, but it reported nothing useful in time. */
  | { kind: 'silent'; path: string; reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the `claude` of the PATH with `--version`, for `timeoutMs` (5 000) at most. Never throws. */
export async function claudeVersion(
  env: Environment,
  options: { timeoutMs?: number; platform?: NodeJS.Platform } = {},
): Promise<ClaudeVersion> {
  const path = await programOnPath('claude', env, options.platform ?? process.platform);
  return path === null ? { kind: 'missing' } : programVersion(path, env, options);
}

/** Runs a program with `--version`, for `timeoutMs` (5 000) at most. Never rejects. */
export async function programVersion(
  path: string,
  env: Environment,
  options: { timeoutMs?: number; platform?: NodeJS.Platform } = {},
): Promise<Exclude<ClaudeVersion, { kind: 'missing' }>> {
  const { said, reason } = await versionWords(path, env, options);
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
  return version ? { kind: 'found', version, path } : { kind: 'silent', path, reason: reason ?? namedNone };
}

/** Reason of a program that answered with something else. */
export const namedNone = 'it named no version';

/** What a program prints to stdout for `--version`; `reason`: why that may be nothing. Never rejects. */
export async function versionWords(
  path: string,
  env: Environment,
  options: { timeoutMs?: number; platform?: NodeJS.Platform } = {},
): Promise<{ said: string; reason: string | null }> {
  const timeout = options.timeoutMs ?? 5000;
  return new Promise((resolve) => {
    const shell = isShellScript(path, options.platform ?? process.platform);
    const child = execFile(
      // With a shell, Node warns of arguments that it doesn't escape.
      shell ? `"${path}" --version` : path,
      shell ? [] : ['--version'],
      { timeout, killSignal: 'SIGKILL', windowsHide: true, env: { ...env }, shell, maxBuffer: 64 * 1024 },
      (error, stdout) => {
        const reason = error?.killed ? `it said nothing in ${timeout / 1000} s` : null;
        resolve({ said: String(stdout), reason });
      },
    );
    child.stdin?.end();
  });
}

/** The first of this name on the PATH that may be run; null if there is none. */
export async function programOnPath(name: string, env: Environment, platform: NodeJS.Platform): Promise<string | null> {
  const folders = (env.PATH ?? env.Path ?? '')
    .split(platform === 'win32' ? ';' : ':')
    .filter((folder) => folder !== '');
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return path;
    }
  }
  return null;
}

function isShellScript(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && /\.(cmd|bat)$/i.test(path);
}

/**
 * The file to start for one on the PATH. On Windows npm, pnpm and Yarn put a script for cmd.exe before a program. Node
 * starts such a script only through a shell (else EINVAL), which would interpret the arguments. So the program that it
 * names is started, or the JavaScript; null if it names none.
 */
export async function startable(path: string, platform: NodeJS.Platform): Promise<string | null> {
  if (!isShellScript(path, platform)) return path;
  const script = await readFile(path, 'utf8').catch(() => '');
  // `"%dp0%\node_modules\…\claude.exe" %*`; pnpm writes `%~dp0`. A node.exe in front of it has no `%*` of its own.
  const named = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.(?:exe|[cm]?js))"[ \t]+%\*/i.exec(script)?.[1];
  return named === undefined ? null : join(dirname(path), ...named.split('\\'));
}

/** Negative, zero, positive, as `a` is older, the same, newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
